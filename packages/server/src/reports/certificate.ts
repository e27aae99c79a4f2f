import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import { type IsoDate, businessDate } from '@kist/contract/dates';
import { type Paise, sum } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import { payTo } from './pay-to.ts';

/** That the EMIs are paid and the phone is its customer's: what is signed, in this order of names. */
export interface Certificate {
  v: 1;
  /** Late fees hold no phone, so they do not hold this back either; but while one is left, nobody is told that nothing is owed. */
  says: 'nothing_owed' | 'emis_paid';
  shop: string;
  agreement_no: string;
  customer: string;
  device: string;
  imei: string;
  /** The day on which the money of the last EMI changed hands, as its receipt has it: however late it was written down. */
  completed_on: IsoDate;
  /** When everything was taken off the phone and it was let go. */
  released_at: string | null;
  /** Of late fees, neither paid nor waived. */
  late_fees_left_paise: Paise;
  /** Whose rules locked, and who pays for locks that were not right: the organisation, whichever shop's agreement it is (decision 0030). */
  organisation: string;
  /** What it owes for locks that were wrong, or came off too late; empty where none were. */
  owed_for_locks: locking.OwedForLock[];
}

/** The day of the payment that came last by its own day. */
const paidUpOn = ({ instalments }: agreements.Account, completedAt: Date): IsoDate =>
  instalments
    .flatMap(({ paid_on }) => paid_on ?? [])
    .toSorted()
    .at(-1) ?? businessDate(completedAt.getTime());

/** @returns null while an EMI is owed, or of an agreement that ended otherwise. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED */
export async function certificate(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<{ certificate: Certificate; agreement_id: string; language: Language } | null> {
  identity.requires(actor, NEEDS.read);
  const customer = await customers.authorize(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  if (agreement?.state !== 'completed' || agreement.completed_at === null) return null;
  const account = await agreements.account(tx, agreement);
  const late_fees_left_paise = sum(account.charges.map(agreements.chargeLeft));
  const device = await devices.get(tx, agreement.device_id);
  const { shop } = await payTo(tx, actor, { customer_id });
  const { org_name, company_name } = await organisations.chosen(tx);
  return {
    agreement_id: agreement.agreement_id,
    language: customer.language as Language,
    certificate: {
      v: 1,
      says: late_fees_left_paise === 0 ? 'nothing_owed' : 'emis_paid',
      shop,
      agreement_no: agreement.agreement_no,
      customer: `${customer.first_name} ${customer.last_name}`.trim(),
      device: `${device.brand} ${device.model}`.trim(),
      imei: device.imei1 ?? device.serial ?? '',
      completed_on: paidUpOn(account, agreement.completed_at),
      released_at: device.releasedAt?.toISOString() ?? null,
      late_fees_left_paise,
      organisation: company_name || org_name,
      owed_for_locks: await locking.owedForLocks(tx, agreement),
    },
  };
}
