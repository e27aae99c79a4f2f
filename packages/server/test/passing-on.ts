import { expect } from 'vitest';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestDatabase } from './database.ts';

/** A customer passes to another shop, with the agreement. */
export async function passOn(tx: Tx, from: Actor, to: Actor, { customerId }: { customerId: string }): Promise<void> {
  const transfer = {
    transfer_id: newId(),
    from_user_id: from.userId,
    to_user_id: to.userId,
    customer_ids: [customerId],
  };
  const ids = await customers.holdForTransfer(tx, { ...transfer, limit: 1 });
  await customers.passOn(tx, from, ids, { ...transfer, reason: 'another counter', limit: 1 });
  await agreements.passOn(tx, from, { customer_ids: ids, to_user_id: to.userId });
}

/** Begins while a transfer holds the customer, and goes on when that is done. @returns what became of it */
export async function duringTransfer<T>(
  db: TestDatabase,
  { from, to, of, act }: { from: Actor; to: Actor; of: { customerId: string }; act: (tx: Tx) => Promise<T> },
): Promise<T> {
  const { orgId } = from;
  let begun!: Promise<T>;
  await db.transaction(orgId, async (tx) => {
    await passOn(tx, from, to, of);
    begun = db.transaction(orgId, act);
    begun.catch(() => undefined);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await db.asOwner(waiting)).length).toBeGreaterThan(0);
  });
  return begun;
}
