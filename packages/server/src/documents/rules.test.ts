import { expect, test } from 'vitest';
import { mimeOf, tooLarge } from './rules.ts';

test('a file that is too large is told how large it may be', () => {
  expect(tooLarge().options.fields?.[0]?.params).toEqual({ max: '5 MB' });
});

test('the lines of a drawn signature stay exact; one that was photographed is a photo', () => {
  expect(mimeOf('signature', 'image/png')).toBe('image/png');
  expect(mimeOf('witness_signature', 'image/jpeg')).toBe('image/jpeg');
  expect(mimeOf('pan', 'image/png')).toBe('image/jpeg');
});
