import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { addToDirectory } from '#test/directory.ts';
import { sha256 } from './crypto.ts';
import { forgetReplies, withIdempotency } from './idempotency.ts';
import { append } from './outbox.ts';

const database = await createTestDatabase();
await addToDirectory(database, 20, 21, 22);

/** One payment, as it were: its effect is a row in the outbox. */
function pay(key: string, { orgId = 20, actor = 'retailer-1', body = 'body', work = async () => {} } = {}) {
  return database.transaction(orgId, (tx) =>
    withIdempotency(tx, { actor, key, requestHash: sha256(body) }, async () => {
      await work();
      const id = await append(tx, { topic: 'paid', payload: { key } });
      return { status: 201, body: { receipt: id, none: null } };
    }),
  );
}

const effects = async (key: string) =>
  (await database.asOwner(`select 1 from outbox where topic = 'paid' and payload->>'key' = $1`, [key])).length;

/** Transactions that wait for another. */
const waiting = async () =>
  (
    await database.asOwner<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )[0]!.n;

describe('an idempotency key', () => {
  test('repeated with the same request gets the first reply, and the effect happens once', async () => {
    const key = randomUUID();
    const first = await pay(key);
    const second = await pay(key);
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(second).toEqual({ ...first, replayed: true });
    expect(await effects(key)).toBe(1);
  });

  test('repeated with another request is refused, and nothing happens', async () => {
    const key = randomUUID();
    await pay(key);
    await expect(pay(key, { body: 'another amount' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await effects(key)).toBe(1);
  });

  test('used by 50 requests at once executes one; the others get its reply', async () => {
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(key)));
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.receipt)).size).toBe(1);
    expect(await effects(key)).toBe(1);
  });

  test('whose first try failed leaves no trace: the next one runs, also one that waited for it', async () => {
    const key = randomUUID();
    let failures = 0;
    let hasBegun = () => {};
    let mayFail = () => {};
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const end = new Promise<void>((resolve) => (mayFail = resolve));
    const failing = pay(key, {
      work: async () => {
        hasBegun();
        await end;
        failures += 1;
        throw new Error('gateway away');
      },
    });
    const ended = Promise.allSettled([failing, begun.then(() => pay(key))]);
    await begun;
    await expect.poll(waiting, { timeout: 10_000, interval: 10 }).toBe(1);
    mayFail();
    const [failed, waited] = await ended;
    expect(failures).toBe(1);
    expect(failed.status).toBe('rejected');
    expect(waited).toMatchObject({ status: 'fulfilled', value: { replayed: false } });
    expect(await effects(key)).toBe(1);
  });

  test('of another person or another shop is another key', async () => {
    const key = randomUUID();
    await pay(key);
    expect(await pay(key, { actor: 'retailer-2' })).toMatchObject({ replayed: false });
    expect(await pay(key, { orgId: 21 })).toMatchObject({ replayed: false });
  });

  test('is forgotten after its days, for its own shop only', async () => {
    const [old, recent, foreign] = [randomUUID(), randomUUID(), randomUUID()];
    await pay(old);
    await pay(recent);
    await pay(foreign, { orgId: 21 });
    await database.asOwner(`update idempotency_keys set created_at = now() - interval '31 days' where key = any($1)`, [
      [old, foreign],
    ]);
    await database.transaction(20, (tx) => forgetReplies(tx, 30));
    expect(await pay(old)).toMatchObject({ replayed: false });
    expect(await pay(recent)).toMatchObject({ replayed: true });
    expect(await pay(foreign, { orgId: 21 })).toMatchObject({ replayed: true });
  });
});
