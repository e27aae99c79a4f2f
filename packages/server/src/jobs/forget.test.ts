import { expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { withIdempotency } from '#server/platform/idempotency.ts';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation } from '#test/http.ts';
import { createFirstUse } from '#server/platform/seen-requests.ts';
import { hit } from '#server/platform/rate-limit.ts';
import { forget } from './forget.ts';

const db = await createTestDatabase();

test('what is over goes, what may still matter stays', async () => {
  const firstUse = createFirstUse(db.devicePool);
  await firstUse(Buffer.alloc(32, 1));
  await hit(db.devicePool, [{ name: 'test', subject: 'x', limit: 1, windowS: 60 }]);
  expect(await forget(db, [20])).toBe(0);
  await db.asOwner(`update seen_requests set seen_at = now() - interval '1 hour'`);
  await db.asOwner(`update rate_limits set window_start = window_start - interval '3 days'`);
  expect(await forget(db, [20])).toBe(2);
  expect(await firstUse(Buffer.alloc(32, 1))).toBe(true);
});

test('a reply can be asked for again for thirty days', async () => {
  await createOrganisation(db, { orgId: 20 });
  const key = newId();
  const ask = () =>
    db.transaction(20, (tx) =>
      withIdempotency(tx, { actor: 'a', key, requestHash: Buffer.alloc(32) }, async () => ({ status: 200, body: {} })),
    );
  const isKeptAfter = async (days: number) => {
    await ask();
    await db.asOwner('update idempotency_keys set created_at = now() - make_interval(days => $1)', [days]);
    await forget(db, [20]);
    return (await ask()).replayed;
  };
  expect([await isKeptAfter(29), await isKeptAfter(31)]).toEqual([true, false]);
});
