import { KistError } from '@kist/contract/errors';
import { expect, test } from 'vitest';
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
