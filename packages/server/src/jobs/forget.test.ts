import { beforeAll, expect, test } from 'vitest';
import { SYSTEM, approveSignup, refuseSignup, requestSignup } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { withIdempotency } from '#server/platform/idempotency.ts';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation } from '#test/http.ts';
import { createFirstUse } from '#server/platform/seen-requests.ts';
import { hit } from '#server/platform/rate-limit.ts';
import { forget } from './forget.ts';

const db = await createTestDatabase();
beforeAll(() => createOrganisation(db, { orgId: 20 }));

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

test('a request for an account goes thirty days after it was answered, granted or not; the account stays', async () => {
  const asks = { first_name: 'Farida', last_name: '', shop_name: 'New Star', city: '', pincode: '', note: '' };
  const ask = (mobile: string) => db.transaction(20, (tx) => requestSignup(tx, { ...asks, mobile, language: 'mr' }));
  const [yes, no] = ['+919700000021', '+919700000022'];
  await ask(yes);
  await ask(no);
  const idOf = async (mobile: string) =>
    (
      await db.asOwner<{ request_id: string }>('select request_id from signup_requests where mobile = $1', [mobile])
    )[0]!;
  const granted = await idOf(yes);
  await db.transaction(20, (tx) => approveSignup(tx, SYSTEM(20), granted));
  const refused = { ...(await idOf(no)), reason: 'not a shop' };
  await db.transaction(20, (tx) => refuseSignup(tx, SYSTEM(20), refused));
  // However long somebody waited for the answer, the time runs from it.
  const keptAfter = async (days: number, waited: number) => {
    await db.plant(
      ['signup_requests'],
      `update signup_requests set decided_at = now() - make_interval(days => $1), requested_at = now() - make_interval(days => $2)`,
      [days, days + waited],
    );
    await forget(db, [20]);
    return (await db.asOwner<{ state: string }>('select state from signup_requests order by 1')).map(
      (row) => row.state,
    );
  };
  expect(await keptAfter(29, 29)).toEqual(['approved', 'refused']);
  expect(await keptAfter(31, 0)).toEqual([]);
  const [user] = await db.asOwner('select shop_name, is_active from users where mobile = $1', [yes]);
  expect(user).toEqual({ shop_name: 'New Star', is_active: true });
});
