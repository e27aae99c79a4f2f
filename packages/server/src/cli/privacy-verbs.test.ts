import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import * as organisations from '#server/organisations/organisations.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { useKist } from '#test/kist-command.ts';

const { db, kist, fileOf } = await useKist();
beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  await makeOrganisation(db, 22);
});
const textFile = (text: string): string => {
  const file = fileOf({});
  writeFileSync(file, text);
  return file;
};
const read = (orgId: number, language: 'en' | 'hn' | 'ta') =>
  db.read(orgId, (tx) => organisations.privacyPolicy(tx, { language: language as 'en' }));

test('a privacy policy has versions in each language, each with its hash; another organisation has its own', async () => {
  expect(await read(20, 'hn')).toMatchObject({ text: null, version: null });
  const words = 'हम आपका नंबर रखते हैं।';
  const set = await kist<{ version: number; sha256: string; is_new: boolean }>(
    'privacy',
    'set',
    '20',
    'hn',
    textFile(words),
  );
  expect(set).toMatchObject({ version: 1, is_new: true, sha256: createHash('sha256').update(words).digest('hex') });
  expect(await kist('privacy', 'set', '20', 'hn', textFile(words))).toMatchObject({ version: 1, is_new: false });
  expect(await kist('privacy', 'set', '20', 'hn', textFile('नया'))).toMatchObject({ version: 2, is_new: true });
  expect(await kist('privacy', 'set', '20', 'en', textFile('We keep your number.'))).toMatchObject({ version: 1 });
  expect(await read(20, 'hn')).toMatchObject({ text: 'नया', language: 'hn', version: 2, set_on: expect.any(String) });
  // In a language that has none: English.
  expect(await db.read(20, (tx) => organisations.privacyPolicy(tx, { language: 'tm' }))).toMatchObject({
    text: 'We keep your number.',
    language: 'en',
  });
  expect(await read(21, 'hn')).toMatchObject({ text: null, version: null });
  expect(await kist('privacy', 'show', '20')).toMatchObject([
    { language: 'en', version: 1 },
    { language: 'hn', version: 2 },
    { language: 'hn', version: 1 },
  ]);
  expect(await kist('privacy', 'set', '20', 'xx', textFile('a'))).toContain('UsageError: a language is one of');
  expect(await kist('privacy', 'set', '20', 'hn', textFile(' '))).toContain('UsageError');
});

test('the policy of `org edit` and of a file is the next version in English: there is one home for it', async () => {
  await kist('privacy', 'set', '20', 'en', textFile('First.'));
  await kist('org', 'edit', '20', '--privacy-file', textFile('Second.'));
  expect(await read(20, 'en')).toMatchObject({ text: 'Second.', version: 2 + 1 });
  expect(await kist('org', 'edit', '20', '--privacy-file', textFile('Second.'))).toMatchObject({
    change: 'unchanged',
  });
  const config = await db.read(20, (tx) => organisations.config(tx, { mode: 'production' }));
  expect(config.privacy_policy.text).toBe('Second.');
  const [listed] = (await kist('org', 'list')).filter(({ org_id }) => org_id === 20);
  expect(listed).toMatchObject({ privacy_text: 'Second.' });
  // An empty one takes it out of force, and whoever reads has the product's words again; there is nothing to take out a second time.
  expect(await kist('org', 'edit', '20', '--privacy-file', textFile(''))).toMatchObject({ change: 'changed' });
  expect(await read(20, 'en')).toMatchObject({ text: null, version: null });
  expect(await kist('org', 'edit', '20', '--privacy-file', textFile(''))).toMatchObject({ change: 'unchanged' });
});

test('the same words in another language are a version of that language, also while English stood in for it', async () => {
  const words = 'We keep your number.';
  const set = (language: string) => kist('privacy', 'set', '22', language, textFile(words));
  expect(await set('en')).toMatchObject({ language: 'en', version: 1, is_new: true });
  expect(await db.read(22, (tx) => organisations.privacyPolicy(tx, { language: 'hn' }))).toMatchObject({
    text: words,
    language: 'en',
  });
  expect(await set('hn')).toMatchObject({ language: 'hn', version: 1, is_new: true });
  expect(await read(22, 'hn')).toMatchObject({ text: words, language: 'hn', version: 1 });
  expect(await set('hn')).toMatchObject({ language: 'hn', version: 1, is_new: false });
});

test('the day on which a policy was set is the day in India, also in the hours in which it is yesterday elsewhere', async () => {
  await setClock(db, '2026-03-05T00:30:00');
  await kist('privacy', 'set', '22', 'mr', textFile('आम्ही तुमचा नंबर ठेवतो.'));
  expect(await db.read(22, (tx) => organisations.privacyPolicy(tx, { language: 'mr' }))).toMatchObject({
    language: 'mr',
    set_on: '2026-03-05',
  });
});

test('what was published stays, whoever asks', async () => {
  for (const sql of [`update privacy_policies set text = 'other'`, 'delete from privacy_policies'])
    await expect(db.asOwner(sql)).rejects.toThrow('what was published stays');
  await expect(
    db.transaction(20, (tx) =>
      tx.query(
        `insert into privacy_policies (org_id, language, version, text, sha256, set_at) values (20, 'en', 9, 'x', '', now())`,
      ),
    ),
  ).rejects.toThrow('permission denied');
});

test('a policy in a language that the organisation does not speak is kept, with a warning', async () => {
  await kist('org', 'edit', '21', '--language', 'hn');
  const set = (language: string) => kist('privacy', 'set', '21', language, textFile('We keep your number.'));
  expect(await set('mr')).toMatchObject({ warnings: ['organisation 21 does not speak mr: kist org edit --language'] });
  for (const spoken of ['hn', 'en']) expect(await set(spoken)).toMatchObject({ warnings: [] });
});
