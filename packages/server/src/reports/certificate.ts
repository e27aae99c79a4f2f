import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import { businessDate } from '@kist/contract/dates';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import { payTo } from './pay-to.ts';

/** That nothing is owed any more and the phone is its customer's: what is signed, in this order of names. */
export interface Certificate {
  v: 1;
  says: 'nothing_owed';
  shop: string;
  agreement_no: string;
  customer: string;
  device: string;
  imei: string;
  /** The day of the last payment. */
  completed_on: string;
  /** When everything was taken off the phone and it was let go. */
  released_at: string | null;
  /** What the shop owes for locks that were wrong, or came off too late; empty where none were. */
  owed_for_locks: locking.OwedForLock[];
}

/** @returns null while something is owed, or of an agreement that ended otherwise. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED */
export async function certificate(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<{ certificate: Certificate; agreement_id: string; language: Language } | null> {
  identity.requires(actor, NEEDS.read);
  const customer = await customers.authorize(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  if (agreement?.state !== 'completed' || agreement.completed_at === null) return null;
  const device = await devices.get(tx, agreement.device_id);
  const { shop } = await payTo(tx, actor, { customer_id });
  return {
    agreement_id: agreement.agreement_id,
    language: customer.language as Language,
    certificate: {
      v: 1,
      says: 'nothing_owed',
      shop,
      agreement_no: agreement.agreement_no,
      customer: `${customer.first_name} ${customer.last_name}`.trim(),
      device: `${device.brand} ${device.model}`.trim(),
      imei: device.imei1 ?? device.serial ?? '',
      completed_on: businessDate(agreement.completed_at.getTime()),
      released_at: device.releasedAt?.toISOString() ?? null,
      owed_for_locks: await locking.owedForLocks(tx, agreement),
    },
  };
}
