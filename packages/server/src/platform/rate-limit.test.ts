import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { forgetWindows, hit } from './rate-limit.ts';

const database = await createTestDatabase();
const rule = (subject: string, limit = 3, windowS = 86_400) => ({ name: 'otp.send', subject, limit, windowS });

describe('a rate limit', () => {
  test('allows exactly its number in a window, also from 40 requests at once', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, () => hit(database.appPool, [rule('+919000000001', 7)])),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7);
  });

  test('says what is left and when to come back', async () => {
    const verdicts = [];
    for (let count = 0; count < 4; count += 1) verdicts.push(await hit(database.appPool, [rule('a')]));
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(verdicts.slice(0, 3).every(({ allowed, retryAfterS }) => allowed && retryAfterS === 0)).toBe(true);
    expect(verdicts[3]?.allowed).toBe(false);
    expect(verdicts[3]?.retryAfterS).toBeGreaterThan(0);
    expect(verdicts[3]?.retryAfterS).toBeLessThanOrEqual(86_400);
  });

  test('starts anew with the next window', async () => {
    const short = rule('b', 1, 1);
    const untilNextWindow = () => new Promise((resolve) => setTimeout(resolve, 1_010 - (Date.now() % 1_000)));
    await untilNextWindow();
    expect((await hit(database.appPool, [short])).allowed).toBe(true);
    expect((await hit(database.appPool, [short])).allowed).toBe(false);
    await untilNextWindow();
    expect((await hit(database.appPool, [short])).allowed).toBe(true);
  });

  test('counts each subject, name and window alone; of several rules the tightest decides', async () => {
    await hit(database.appPool, [rule('c', 1), rule('d', 5)]);
    expect(await hit(database.appPool, [rule('c', 1), rule('d', 5)])).toMatchObject({ allowed: false, remaining: 0 });
    expect(await hit(database.appPool, [rule('d', 5)])).toMatchObject({ allowed: true, remaining: 2 });
    expect((await hit(database.appPool, [{ ...rule('c', 1), name: 'otp.verify' }])).allowed).toBe(true);
    expect((await hit(database.appPool, [rule('c', 1, 3_600)])).allowed).toBe(true);
  });

  test('does not deadlock when many requests share rules in different orders', async () => {
    const [x, y] = [rule('x', 1_000), rule('y', 1_000)];
    await Promise.all(Array.from({ length: 60 }, (_, index) => hit(database.appPool, index % 2 ? [x, y] : [y, x])));
    expect((await hit(database.appPool, [x])).remaining).toBe(1_000 - 61);
  });

  test('keeps no mobile number, and forgets old windows', async () => {
    await hit(database.appPool, [rule('+919876543210')]);
    expect(await database.asOwner(`select 1 from rate_limits where key like '%9876543210%'`)).toEqual([]);
    await database.asOwner(`update rate_limits set window_start = window_start - interval '3 days'`);
    await hit(database.appPool, [rule('+919876543210')]);
    expect(await forgetWindows(database.appPool)).toBeGreaterThan(0);
    expect(await database.asOwner('select count(*)::int as n from rate_limits')).toEqual([{ n: 1 }]);
  });
});
