import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganisation, createTestApp, newMobile, type TestApp } from '#test/http.ts';
import { newId, newToken } from '#server/platform/ids.ts';
import { authRoutes } from './routes/auth.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { sessionRoutes } from './routes/sessions.ts';

let it: TestApp;
let without: TestApp;
beforeAll(async () => {
  const register = (app: TestApp['app']) =>
    [authRoutes, sessionRoutes, organisationRoutes].forEach((routes) => routes(app));
  it = await createTestApp({ register });
  await createOrganisation(it.db, { orgId: 20 });
  without = await createTestApp({ register, database: it.db, settings: { defaultOrgId: 77 } });
});

/** Rows of every table that knows organisations, by table. */
async function rowsOf(orgId: number): Promise<Record<string, number>> {
  const tables = await it.db.asOwner<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await it.db.asOwner<{ n: number }>(`select count(*)::int as n from ${name} where org_id = $1`, [
      orgId,
    ]);
    if (row!.n > 0) counts[name] = row!.n;
  }
  return counts;
}

describe('a token that names an organisation which does not exist', () => {
  const token = `${(4_711).toString(36)}.${newToken()}`;
  test('says nothing to a call that asks for none, which is the installation’s own, and leaves no row', async () => {
    const mobile = newMobile();
    const replies = [
      await it.call('loginWithOtp', { token, body: { mobile } }),
      await it.call('verifyOtpAuth', { token, body: { mobile, otp: '123456', purpose: 'LOGIN' } }),
      await it.call('resetPassword', { token, body: { reset_token: token, mpin: '8305' } }),
      await it.call('getOrgAppConfig', { token }),
    ];
    expect(replies.map(({ status, code }) => [status, code])).toEqual([
      [200, undefined],
      [400, 'OTP_INVALID'],
      [400, 'RESET_TOKEN_INVALID'],
      [200, undefined],
    ]);
    expect((replies[3]!.data as { orgId: number }).orgId).toBe(20);
    expect(await rowsOf(4_711)).toEqual({});
  });

  test('is no session, at every call that wants one, and leaves no row', async () => {
    const replies = [
      await it.call('setMpin', { token, body: { mpin: '8305', device_id: newToken() } }),
      await it.call('sendOtpToUser', { token, body: { purpose: 'UNINSTALL', customer_id: newId() } }),
      await it.call('getAccessConfig', { token }),
      await it.call('logout', { token, body: {} }),
    ];
    expect(new Set(replies.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['511 SESSION_REQUIRED']));
    expect(await rowsOf(4_711)).toEqual({});
  });

  test('is answered like a wrong token of one that exists', async () => {
    const [unknown, wrong] = [
      await it.call('getAccessConfig', { token }),
      await it.call('getAccessConfig', { token: `k.${newToken()}` }),
    ];
    expect(unknown.text).toBe(wrong.text);
  });

  test('and a reset token of one changes nothing there', async () => {
    const { status, code } = await it.call('resetPassword', { body: { reset_token: token, mpin: '8305' } });
    expect([status, code]).toEqual([400, 'RESET_TOKEN_INVALID']);
    expect(await rowsOf(4_711)).toEqual({});
  });
});

test('a server whose own organisation does not exist sends no codes for it, and does as soon as it exists', async () => {
  const call = () => without.call('loginWithOtp', { body: { mobile: newMobile() } });
  expect(await call()).toMatchObject({ status: 404, code: 'ORGANISATION_UNKNOWN' });
  expect(await rowsOf(77)).toEqual({});
  await createOrganisation(it.db, { orgId: 77 });
  await expect.poll(async () => (await call()).status, { timeout: 3000 }).toBe(200);
});

describe('the database', () => {
  test('takes no row of an organisation that does not exist, whoever forgets to ask', async () => {
    const writes = [
      `insert into outbox (org_id, id, topic, payload) values (99, gen_random_uuid(), 't', '{}')`,
      `insert into idempotency_keys (org_id, actor, key, request_hash) values (99, 'a', gen_random_uuid(), '')`,
      `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, code_hash, created_at, expires_at) values (99, gen_random_uuid(), '', 'stranger', '', 'LOGIN', '', now(), now())`,
      `insert into proof_tokens (org_id, token_hash, kind, user_id, created_at, expires_at) values (99, '', 'RESET', gen_random_uuid(), now(), now())`,
      `select audit_append('user', array['x'], '{}', 'x', array['{}'::jsonb])`,
    ];
    for (const text of writes)
      await expect(
        it.db.transaction(99, (tx) => tx.query(text)),
        text,
      ).rejects.toMatchObject({ code: '23503' });
    expect(await rowsOf(99)).toEqual({});
  });

  test('holds every table to an organisation by foreign keys, but for these, which are written about a phone or an agreement that was found', async () => {
    const loose = await it.db.asOwner<{ name: string }>(`
      with recursive held (oid) as (
        select 'org_directory'::regclass::oid
        union
        select k.conrelid from pg_constraint k join held on k.confrelid = held.oid where k.contype = 'f'
      )
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.oid not in (select oid from held) order by 1`);
    expect(loose.map(({ name }) => name)).toEqual([
      'audit_heads',
      'audit_lines',
      'audit_root_heads',
      'cures',
      'device_changes',
      'device_events',
      'verdicts',
    ]);
  });
});
