import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { createRateCounter } from './rate-counter.ts';
import { createFirstUse, forgetSeen } from './seen-requests.ts';

const db = await createTestDatabase();
/** A day: no window ends while the test runs, but for the one at midnight. */
const rule = (subject: string, limit = 10) => ({ name: 'test', subject, limit, windowS: 86_400 });
const counter = () => createRateCounter(db.devicePool, (error) => expect.fail(String(error)));

test('processes share a limit: what one counted, the others know after the exchange', async () => {
  const [one, two] = [counter(), counter()];
  for (let n = 0; n < 6; n++) expect(one.hit([rule('shared')]).allowed).toBe(true);
  await one.flush();
  expect(two.hit([rule('shared')]).remaining).toBe(9);
  await two.flush();
  expect(two.hit([rule('shared')]).remaining).toBe(2);
  for (let n = 0; n < 2; n++) expect(two.hit([rule('shared')]).allowed).toBe(true);
  const refused = two.hit([rule('shared'), rule('other')]);
  expect([refused.allowed, refused.retryAfterS > 0]).toEqual([false, true]);
  await one.stop();
  await two.stop();
  const late = counter();
  late.hit([rule('shared', 1000)]);
  await late.flush();
  expect(late.hit([rule('shared', 1000)]).remaining).toBe(1000 - 13);
  await late.stop();
});

test('a limit of this process holds while the database is away, and the hits are exchanged later', async () => {
  const errors: unknown[] = [];
  let isAway = true;
  const pool = {
    query: (...args: Parameters<typeof db.devicePool.query>) =>
      isAway ? Promise.reject(new Error('away')) : db.devicePool.query(...args),
  } as typeof db.devicePool;
  const alone = createRateCounter(pool, (error) => errors.push(error));
  for (let n = 0; n < 10; n++) alone.hit([rule('lonely')]);
  await alone.flush();
  expect([errors.length > 0, alone.hit([rule('lonely')]).allowed]).toEqual([true, false]);
  isAway = false;
  await alone.stop();
  const other = counter();
  other.hit([rule('lonely', 100)]);
  await other.flush();
  expect(other.hit([rule('lonely', 100)]).remaining).toBe(100 - 13);
  await other.stop();
});

test('a value is first used once, in one batch or in many, by one process or another', async () => {
  const [one, two] = [createFirstUse(db.devicePool), createFirstUse(db.devicePool)];
  const digest = (n: number) => Buffer.alloc(32, n);
  const uses = await Promise.all([one(digest(1)), one(digest(1)), two(digest(1)), one(digest(2)), two(digest(2))]);
  expect(uses.filter(Boolean)).toHaveLength(2);
  expect(await one(digest(1))).toBe(false);
  expect(await forgetSeen(db.devicePool, 600)).toBe(0);
  expect(await forgetSeen(db.devicePool, -1)).toBe(2);
});
