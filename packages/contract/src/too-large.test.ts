import { expect, it } from 'vitest';
import { LIMITS } from './limits.ts';
import { sizeText } from './sizes.ts';
import { tooLarge } from './too-large.ts';

it('bytes are said as people read them', () => {
  expect([LIMITS.uploadBytes, LIMITS.bodyBytes, LIMITS.agentBodyBytes, LIMITS.bulkBodyBytes].map(sizeText)).toEqual([
    '5 MB',
    '256 KB',
    '64 KB',
    '4 MB',
  ]);
});

it('what is too large names the bound that it is held against, and the field that it is of', () => {
  const { code, options } = tooLarge(LIMITS.bodyBytes);
  expect([code, options.params, options.details, options.fields]).toEqual([
    'TOO_LARGE',
    { max: '256 KB' },
    { max: '256 KB', max_bytes: 262_144 },
    undefined,
  ]);
  expect(tooLarge(LIMITS.uploadBytes, 'file').options.fields).toEqual([
    { path: 'file', key: 'field.too_large', params: { max: '5 MB' } },
  ]);
});
