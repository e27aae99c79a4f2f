import { beforeAll, expect, test } from 'vitest';
import { createOrganisation, createSession, createUser } from '#test/http.ts';
import { createTestDatabase } from '#test/database.ts';
import { newId } from '#server/platform/ids.ts';
import { forgetExpired } from './forget.ts';

const db = await createTestDatabase();
beforeAll(() => createOrganisation(db, { orgId: 20 }));

test('old codes, used proofs and ended sessions go; what may still count stays', async () => {
  const user = await createUser(db);
  for (let n = 0; n < 3; n++) await createSession(db, user);
  await db.transaction(20, async (tx) => {
    for (const hours of [1, 71, 73])
      await tx.query(
        `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, code_hash, created_at, expires_at)
         values (20, $1, '', 'stranger', '', 'LOGIN', '', now() - make_interval(hours => $2), now())`,
        [newId(), hours],
      );
    for (const days of [0, 40])
      await tx.query(
        `insert into proof_tokens (org_id, token_hash, kind, user_id, created_at, expires_at) values (20, $1, 'RESET', $2, now(), now() - make_interval(days => $3))`,
        [Buffer.from([days]), user.userId, days],
      );
    await tx.query(
      `update sessions set revoked_at = now() - interval '40 days' where session_id = (select session_id from sessions limit 1)`,
    );
  });
  expect(await db.transaction(20, forgetExpired)).toBe(3);
  expect(await db.transaction(20, forgetExpired)).toBe(0);
  const { rows } = await db.read(20, (tx) =>
    tx.query('select (select count(*)::int from otps) as otps, (select count(*)::int from sessions) as sessions'),
  );
  expect(rows[0]).toEqual({ otps: 2, sessions: 2 });
});

test('an ended session and a used proof stay thirty days', async () => {
  const user = await createUser(db);
  await createSession(db, user);
  const count = (days: number) =>
    db.transaction(20, async (tx) => {
      await tx.query(`update sessions set revoked_at = now() - make_interval(days => $1)`, [days]);
      await tx.query(
        `insert into proof_tokens (org_id, token_hash, kind, user_id, created_at, expires_at)
         values (20, $1, 'RESET', $2, now(), now()) on conflict do nothing`,
        [Buffer.from([99]), user.userId],
      );
      await tx.query(`update proof_tokens set expires_at = now() - make_interval(days => $1)`, [days]);
      await forgetExpired(tx);
      const { rows } = await tx.query<{ sessions: number; proofs: number }>(
        `select (select count(*)::int from sessions where user_id = $1) as sessions, (select count(*)::int from proof_tokens where user_id = $1) as proofs`,
        [user.userId],
      );
      return rows[0];
    });
  expect(await count(29)).toEqual({ sessions: 1, proofs: 1 });
  expect(await count(31)).toEqual({ sessions: 0, proofs: 0 });
});
