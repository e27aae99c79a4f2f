import { expect, test } from 'vitest';
import { mimeOf } from './rules.ts';

test('the lines of a drawn signature stay exact; one that was photographed is a photo', () => {
  expect(mimeOf('signature', 'image/png')).toBe('image/png');
  expect(mimeOf('witness_signature', 'image/jpeg')).toBe('image/jpeg');
  expect(mimeOf('pan', 'image/png')).toBe('image/jpeg');
});
