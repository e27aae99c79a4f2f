import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { noteMarks, marksOf } from '#server/platform/secret-marks.ts';
import { newSecret, parseKeyRing } from '#server/platform/secrets.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { useKist } from '#test/kist-command.ts';

const { db, kist, fileOf } = await useKist();
const issuer = 'https://login.example.in';
const ring = `1:${newSecret()}`;
let secretFile = '';

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  secretFile = fileOf('');
  writeFileSync(secretFile, 'a-secret-of-the-provider\n');
  vi.stubEnv('KIST_MODE', 'production');
  vi.stubEnv('KIST_SECRET_KEY', ring);
});
afterAll(() => vi.unstubAllEnvs());

const set = (...more: string[]) => kist('org', 'oidc', 'set', '20', '--issuer', issuer, '--client-id', 'kist', ...more);
const audited = () =>
  db.asOwner<{ action: string }>(`select action from audit_lines where action like 'identity_provider%' order by at`);

test('is not set under a key that no server has', async () => {
  expect(await set()).toMatch(/does not know key 1 .* Start the server with it first/);
  await db.operator.unscoped((tx) => noteMarks(tx, marksOf({ keys: parseKeyRing(ring) })));
  expect(await set()).toEqual({ issuer, client_id: 'kist', claim: 'email', has_secret: false });
});

test('is set with the secret of a file, shown without it, and is its organisation’s alone', async () => {
  const shown = await set('--secret-file', secretFile, '--claim', 'phone_number');
  expect(shown).toEqual({ issuer, client_id: 'kist', claim: 'phone_number', has_secret: true });
  expect(await kist('org', 'oidc', 'show', '20')).toEqual(shown);
  expect(await kist('org', 'oidc', 'show', '21')).toBeNull();
});

test('is refused with a claim that is none, a plain address, without a client', async () => {
  expect(await set('--claim', 'sub')).toContain('UsageError: --claim is one of email, phone_number');
  expect(await kist('org', 'oidc', 'set', '20', '--issuer', issuer)).toContain('UsageError: --client-id is missing');
  const plain = await kist('org', 'oidc', 'set', '20', '--issuer', 'http://login.example.in', '--client-id', 'kist');
  expect(plain).toContain('RefusedError: Refused: INVALID_INPUT: an issuer is an https address');
  expect(await kist('org', 'oidc', 'make', '20')).toContain(
    'UsageError: kist org oidc set|show|remove|vouch|unlink ORG',
  );
});

test('whose address it is, is vouched for by the number; where none stands nobody is', async () => {
  const { userId } = await makeRetailer(db, 20);
  const [{ mobile }] = (await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [
    userId,
  ])) as [{ mobile: string }];
  expect(await kist('org', 'oidc', 'vouch', '20', mobile.slice(3))).toBe('not in order');
  await db.asOwner(`update users set email = 'asha@shop.example' where user_id = $1`, [userId]);
  expect(await kist('org', 'oidc', 'vouch', '20', mobile.slice(3))).toEqual({ vouched: 'asha@shop.example' });
});

test('another provider leaves nobody tied to an account of the one before, and a new secret of the same one everybody', async () => {
  const people = [await makeRetailer(db, 20), await makeRetailer(db, 21)];
  for (const { orgId, userId } of people)
    await db.asOwner(
      `insert into provider_subjects (org_id, user_id, issuer, subject, linked_at) values ($1, $2, $3, 'asha', now())`,
      [orgId, userId, issuer],
    );
  const tied = async () =>
    (await db.asOwner<{ org: number }>('select org_id as org from provider_subjects order by 1')).map(({ org }) => org);
  await set('--secret-file', secretFile);
  expect(await tied()).toEqual([20, 21]);
  await kist('org', 'oidc', 'set', '20', '--issuer', 'https://other.example.in', '--client-id', 'kist');
  expect(await tied()).toEqual([21]);
});

test('is removed once; an account that is tied to nobody is not let go', async () => {
  expect(await kist('org', 'oidc', 'unlink', '20', '9000000077')).toBe('not in order');
  expect(await kist('org', 'oidc', 'remove', '20')).toEqual({ removed: true });
  expect(await kist('org', 'oidc', 'remove', '20')).toBe('not in order');
  expect((await audited()).at(-1)?.action).toBe('identity_provider_removed');
});
