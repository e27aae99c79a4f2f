import { expect, test } from 'vitest';
import { maskMobile } from './masked.ts';

test('a masked number is known by whose it is, and keeps five of its ten digits back', () => {
  expect(maskMobile('+919876543210')).toBe('98••• ••210');
  expect(maskMobile('9876543210')).toBe('98••• ••210');
});
