import { expect, test } from 'vitest';
import { maskMobile } from './patterns.ts';

test('a masked number says whose it is to who knows it, and gives five of its digits to nobody', () => {
  expect(maskMobile('+919876543210')).toBe('98••• ••210');
  expect(maskMobile('9876543210')).toBe('98••• ••210');
});
