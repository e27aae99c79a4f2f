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
    for (const hours of [1, 47, 49])
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
