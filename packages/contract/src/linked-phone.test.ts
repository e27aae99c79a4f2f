import { expect, test } from 'vitest';
import { enrolmentLink, readEnrolmentLink } from './linked-phone.ts';

const EXTRAS = {
  'kist.server': 'https://kist.example',
  'kist.token': `k.${'Ab_-9'.repeat(8)}xyz`,
  'kist.key_id': 'a-Key_of16signs0',
  'kist.org': '20',
};

test('a link carries what the agent needs, the secret behind the # that no browser sends', () => {
  const link = enrolmentLink(EXTRAS);
  expect(link).toBe(`https://kist.example/emm/linkflapk#${EXTRAS['kist.key_id']}.${EXTRAS['kist.token']}`);
  expect(readEnrolmentLink(` ${link}\n`)).toEqual(EXTRAS);
  expect(enrolmentLink({ ...EXTRAS, 'kist.server': 'https://kist.example/' })).toBe(link);
});

test.each([
  '',
  'https://kist.example/emm/linkflapk',
  `https://kist.example/emm/linkflapk?${EXTRAS['kist.key_id']}.${EXTRAS['kist.token']}`,
  `javascript:x/emm/linkflapk#${EXTRAS['kist.key_id']}.${EXTRAS['kist.token']}`,
  `https://kist.example/other#${EXTRAS['kist.key_id']}.${EXTRAS['kist.token']}`,
  'https://kist.example/emm/linkflapk#key.k.short',
])('%s is no link of ours', (text) => {
  expect(readEnrolmentLink(text)).toBeUndefined();
});
