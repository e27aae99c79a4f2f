import { expect, test } from 'vitest';
import { mostBytesOf, tooLarge } from './rules.ts';

test('a file that is too large is told how large it may be: a signature less than a photo', () => {
  const saidOf = (type: Parameters<typeof mostBytesOf>[0]) => tooLarge(mostBytesOf(type)).options.fields?.[0]?.params;
  expect(saidOf('signature')).toEqual({ max: '300 KB' });
  expect(saidOf('witness_signature')).toEqual({ max: '300 KB' });
  expect(saidOf('pan')).toEqual({ max: '5 MB' });
});
