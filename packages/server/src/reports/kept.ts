import type { CustomerTraces } from '@kist/contract/privacy';
import * as agreements from '#server/agreements/agreements.ts';
import * as commands from '#server/commands/commands.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { emiOf } from './emi-details.ts';

type Sent<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/** Rows as they leave: moments in writing. */
export const sent = <T extends object>(rows: readonly T[]): Sent<T>[] =>
  rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
      ) as Sent<T>,
  );

/** Whose traces, and of which phones and agreements. */
export interface Traced {
  customer: customers.AuthorizedCustomer;
  agreement_ids: readonly string[];
}

/** What is kept of a customer beside what the app's pages show: where they came in, what their phones said, what was ordered and decided, what was before. */
export async function tracesOf(tx: Tx, actor: Actor, { customer, agreement_ids }: Traced): Promise<CustomerTraces> {
  const of = { customer_id: customer.customer_id };
  const phones = await devices.phonesKept.all(tx, of);
  const device_ids = phones.map(({ device_id }) => device_id);
  return {
    draft: customer.is_draft ? customer.draft : null,
    sessions: await sessionsOf(tx, actor, of),
    ways_in: sent(await identity.waysInKept.all(tx, of)),
    phones: await phonesOf(tx, phones, device_ids),
    phone_events: sent(await devices.eventsKept.all(tx, { device_ids })),
    orders: sent(await commands.ordersKept.all(tx, { device_ids })),
    ...(await locksOf(tx, device_ids, agreement_ids)),
    phone_claims: sent(await locking.phoneClaimsKept.all(tx, of)),
    earlier_agreements: await earlierOf(tx, actor, customer, agreement_ids.slice(1)),
    agreement_moves: sent(await agreements.movesKept.all(tx, { agreement_ids })),
    schedule_changes: sent(await agreements.versionsKept.all(tx, { agreement_ids })),
    refunds: sent(await payments.refundsKept.all(tx, of)),
    confirmations: sent(await customers.confirmationsKept.all(tx, of)),
    number_changes: sent(await customers.numberChangesKept.all(tx, of)),
    transfers: sent(await customers.transfersKept.all(tx, of)),
  };
}

/** From which address, only the customer is told: a shop that asks for them has no use for it. */
async function sessionsOf(tx: Tx, actor: Actor, of: { customer_id: string }): Promise<CustomerTraces['sessions']> {
  const isOwn = actor.userType === 'customer';
  return sent(await identity.sessionsKept.all(tx, of)).map(({ device, ip, ...times }) => ({
    device: device.device ?? '',
    browser: device.browser ?? '',
    platform: device.platform ?? '',
    place: isOwn ? ip : null,
    ...times,
  }));
}

type Phone = Awaited<ReturnType<typeof devices.phonesKept.all>>[number];

/** Of a card's number the end alone, as everywhere. */
async function phonesOf(
  tx: Tx,
  phones: readonly Phone[],
  device_ids: readonly string[],
): Promise<CustomerTraces['phones']> {
  const channels = sent(await devices.channelsKept.all(tx, { device_ids }));
  return sent(phones).map(({ sims, ...phone }) => ({
    ...phone,
    sims: sims.map(({ iccid, ...sim }) => ({ ...sim, ...(iccid && { iccid_tail: iccid.slice(-4) }) })),
    channels: channels
      .filter(({ device_id }) => device_id === phone.device_id)
      .map(({ device_id: _of, ...channel }) => channel),
  }));
}

/** Why and when something was held, was not, or was let go. */
async function locksOf(tx: Tx, device_ids: readonly string[], agreement_ids: readonly string[]) {
  return {
    verdicts: sent(await locking.verdictsKept.all(tx, { device_ids })),
    locks: sent(await locking.locksKept.all(tx, { device_ids })),
    takings: sent(await locking.takingsKept.all(tx, { device_ids })),
    cures: sent(await locking.curesKept.all(tx, { agreement_ids })),
    holds: sent(await locking.holdsKept.all(tx, { agreement_ids })),
    lost_history: sent(await locking.reportsKept.all(tx, { device_ids })),
  };
}

async function earlierOf(
  tx: Tx,
  actor: Actor,
  customer: customers.AuthorizedCustomer,
  agreement_ids: readonly string[],
): Promise<CustomerTraces['earlier_agreements']> {
  const found: CustomerTraces['earlier_agreements'] = [];
  for (const agreement_id of agreement_ids) found.push(await emiOf(tx, actor, customer, { agreement_id }));
  return found;
}
