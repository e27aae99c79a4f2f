import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { createRateCounter } from './rate-counter.ts';
import { createFirstUse, forgetSeen } from './seen-requests.ts';

const db = await createTestDatabase();
/** A day: no window ends while the test runs, but for the one at midnight. */
const rule = (subject: string, limit = 10) => ({ name: 'test', subject, limit, windowS: 86_400 });
const counter = () => createRateCounter(db.devicePool, (error) => expect.fail(String(error)));

type Counter = ReturnType<typeof counter>;

/** `counts[i]` hits of the i-th process, so many at once, all processes at the same time. @returns how many were allowed */
async function hammer(counters: readonly Counter[], subject: string, limit: number, each: number, atOnce: number) {
  const run = async (one: Counter): Promise<number> => {
    let allowed = 0;
    for (let done = 0; done < each; done += atOnce) {
      const burst = Array.from({ length: Math.min(atOnce, each - done) }, async () => one.hit([rule(subject, limit)]));
      allowed += (await Promise.all(burst)).filter((verdict) => verdict.allowed).length;
    }
    return allowed;
  };
  return (await Promise.all(counters.map(run))).reduce((sum, allowed) => sum + allowed, 0);
}

describe.each([3000, 900, 60, 6])('a limit of %i', (limit) => {
  test.each([
    ['two processes, one burst each', 2, limit * 2, limit * 2],
    ['three processes, one burst each', 3, limit * 2, limit * 2],
    ['two processes, small bursts', 2, limit * 2, 7],
    ['three processes, small bursts', 3, limit, 5],
    ['three processes, half of it each', 3, limit / 2, 3],
    ['two processes, bursts of a fifth', 2, limit * 2, Math.max(1, limit / 5)],
  ])('is one limit within a twentieth: %s', async (name, processes, each, atOnce) => {
    const counters = Array.from({ length: processes }, counter);
    const allowed = await hammer(counters, `${name} ${limit}`, limit, each, Math.ceil(atOnce));
    expect(allowed).toBeGreaterThanOrEqual(Math.min(limit, each * processes) * 0.95);
    expect(allowed).toBeLessThanOrEqual(limit * 1.05);
    await Promise.all(counters.map((one) => one.stop()));
  });

  test('is one limit within 5 % when one process uses it up and the others come later', async () => {
    const [one, two, three] = [counter(), counter(), counter()];
    const first = await hammer([one], `late ${limit}`, limit, limit * 2, 10);
    const rest = await hammer([two, three], `late ${limit}`, limit, limit, 10);
    expect(first).toBe(limit);
    expect(first + rest).toBeLessThanOrEqual(limit * 1.05);
  });
});

test('processes share a limit in whatever order they come', async () => {
  const order = fc.array(fc.record({ process: fc.nat(2), hits: fc.integer({ min: 1, max: 40 }) }), { maxLength: 40 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(order, async (turns) => {
      const counters = [counter(), counter(), counter()];
      run += 1;
      let [asked, allowed] = [0, 0];
      for (const { process, hits } of turns) {
        asked += hits;
        allowed += await hammer([counters[process]!], `order ${run}`, 120, hits, hits);
      }
      expect(allowed).toBeLessThanOrEqual(120 * 1.05);
      expect(allowed).toBeGreaterThanOrEqual(Math.min(asked, 120) * 0.95);
    }),
    { numRuns: 25 },
  );
}, 60_000);

test('far from a limit no hit costs a statement; near it those of one turn share one', async () => {
  let statements = 0;
  const pool = {
    query: (...args: Parameters<typeof db.devicePool.query>) => {
      statements += 1;
      return db.devicePool.query(...args);
    },
  } as typeof db.devicePool;
  const one = createRateCounter(pool, (error) => expect.fail(String(error)));
  for (let subject = 0; subject < 1000; subject += 1)
    for (let n = 0; n < 20; n += 1) expect(one.hit([rule(`quiet ${subject}`, 3000)])).toMatchObject({ allowed: true });
  expect(statements).toBe(0);
  await Promise.all(Array.from({ length: 500 }, async () => one.hit([rule('busy', 60)])));
  expect(statements).toBeLessThanOrEqual(3);
});

test('a refusal says when to come back, and looking counts nothing', async () => {
  const one = counter();
  for (let n = 0; n < 20; n += 1) expect(one.peek([rule('peeked')]).allowed).toBe(true);
  expect(await one.hit([rule('peeked')])).toMatchObject({ allowed: true, remaining: 9 });
  await Promise.all(Array.from({ length: 9 }, async () => one.hit([rule('peeked')])));
  const refused = await one.hit([rule('peeked'), rule('other')]);
  expect([refused.allowed, refused.retryAfterS > 0, one.peek([rule('peeked')]).allowed]).toEqual([false, true, false]);
});

test('a limit of this process holds while the database is away, and the hits are told later', async () => {
  const errors: unknown[] = [];
  let isAway = true;
  const pool = {
    query: (...args: Parameters<typeof db.devicePool.query>) =>
      isAway ? Promise.reject(new Error('away')) : db.devicePool.query(...args),
  } as typeof db.devicePool;
  const alone = createRateCounter(pool, (error) => errors.push(error));
  const allowed = await hammer([alone], 'lonely', 10, 30, 6);
  expect([errors.length > 0, allowed]).toEqual([true, 10]);
  isAway = false;
  await alone.stop();
  const other = counter();
  // The first stays untold.
  await other.hit([rule('lonely', 100)]);
  expect(await other.hit([rule('lonely', 100)])).toMatchObject({ remaining: 100 - 10 - 2 });
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
