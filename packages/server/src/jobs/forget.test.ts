import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
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
