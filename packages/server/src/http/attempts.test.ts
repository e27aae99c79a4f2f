import { KistError } from '@kist/contract/errors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateCounter } from '#server/platform/rate-counter.ts';
import { createTestDatabase } from '#test/database.ts';
import { createAttempts } from './attempts.ts';
import { createRequestLimits } from './request-limits.ts';

test('keys that a suspect makes up leave no row each, and a key that strangers name is still counted', async () => {
  const db = await createTestDatabase();
  const counter = createRateCounter(db.devicePool, (error) => expect.fail(String(error)));
  const limits = createRequestLimits({ counter, firstUse: async () => true, factor: 1 });
  const attempt = createAttempts(limits.failures);
  const stranger = async (ip: string, keyid: string): Promise<string> =>
    attempt(ip, keyid, async () => Promise.reject(new KistError('AGENT_UNKNOWN'))).then(
      () => 'let in',
      (error: unknown) => (error as KistError).code,
    );
  const codes: string[] = [];
  for (let n = 0; n < 400; n += 1) codes.push(await stranger('10.1.2.3', `50.${crypto.randomUUID()}`));
  await counter.flush();
  const { rows } = await db.devicePool.query<{ n: number }>(
    `select count(*)::int as n from rate_limits where key like 'failures.key%'`,
  );
  // Sixty a minute until it is one; a minute may have turned meanwhile.
  expect(rows[0]!.n).toBeLessThanOrEqual(125);
  expect(codes.slice(-200).every((code) => code === 'RATE_LIMITED')).toBe(true);

  const named = `50.${crypto.randomUUID()}`;
  for (let n = 0; n < 30; n += 1) await stranger(`10.2.${n}.1`, named);
  await counter.flush();
  expect(limits.failures.suspectForS('10.99.0.1', named)).toBeGreaterThan(0);
});

/** Who is given 65,536 networks, as every site of IPv6 is, need not come from one of them twice. */
describe('a stranger who moves about', () => {
  const start = async () => {
    const db = await createTestDatabase();
    const counter = createRateCounter(db.devicePool, (error) => expect.fail(String(error)));
    return { counter, failures: createRequestLimits({ counter, firstUse: async () => true, factor: 1 }).failures };
  };
  const network = (n: number, site = '2001:db8:9') => `${site}:${n.toString(16)}::1`;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  test('in an IPv6 site is a suspect in all of its networks, and in no other site', async () => {
    const { counter, failures } = await start();
    for (let n = 0; n < 601; n += 1) failures.failed(network(n), '');
    await counter.flush();
    expect(failures.suspectForS(network(60_000), '')).toBeGreaterThan(0);
    expect(failures.suspectForS(network(1, '2001:db8:a'), '')).toBe(0);
  });

  test('and one who stays in a network makes none of its site’s others suspect, however often it fails', async () => {
    const { counter, failures } = await start();
    for (let n = 0; n < 2000; n += 1) failures.failed(network(1), '');
    await counter.flush();
    expect(failures.suspectForS(network(1), '')).toBeGreaterThan(0);
    expect(failures.suspectForS(network(2), '')).toBe(0);
  });

  test('an address of IPv4 stands for itself', async () => {
    const { counter, failures } = await start();
    for (let n = 0; n < 2000; n += 1) failures.failed(`10.7.0.${n % 200}`, '');
    await counter.flush();
    expect(failures.suspectForS('10.7.0.201', '')).toBe(0);
  });
});
