import type { IsoDate } from '@kist/contract/dates';
import { minPaise, type Paise, ZERO_PAISE } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import type { Account, ChargeState, OpenAccount } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { type AllocatedPart, difference, paymentLines, shiftLines } from './rules/journal.ts';
import { type Allocation, allocate, type AllocationLine, applied } from './rules/allocation.ts';
import { inDateOrder, laidOutOn, replay, type Replay } from './rules/replay.ts';
import { takenBack } from './rules/standing.ts';
import * as store from './store.ts';

/** What the books need to know of a payment. */
type Payment = Pick<
  store.PaymentRow,
  | 'payment_id'
  | 'agreement_id'
  | 'amount_paise'
  | 'method'
  | 'paid_on'
  | 'recorded_by'
  | 'schedule_version'
  | 'for_charge_id'
  | 'state'
>;

/**
 * What brought the books out of line: a payment that comes in (its row is written last), one of which nothing is laid out because all of it goes back, or one
 * that was taken back. `gone` are the penal charges that money of an earlier day takes back, where more came than this payment holds.
 */
export type Cause =
  | { recorded: Payment; gone?: readonly ChargeState[] | undefined }
  | { suspended: Payment; gone: readonly ChargeState[] }
  | { reversed: Payment };

const paymentOf = (cause: Cause): Payment =>
  'recorded' in cause ? cause.recorded : 'suspended' in cause ? cause.suspended : cause.reversed;

const told = (cause: Cause): string =>
  `payment ${paymentOf(cause).payment_id}${'reversed' in cause ? ' taken back' : ''}`;

/** What exceeds everything owed is a part of its own. */
function partsOf({ allocations, advancePaise }: Allocation): AllocatedPart[] {
  const parts: AllocatedPart[] = [...allocations];
  if (advancePaise > 0) parts.push({ bucket: 'advance', instalment_no: null, charge_id: null, paise: advancePaise });
  return parts;
}

/**
 * Brings an agreement's books in line with the payments that stand. A new payment posts its journal, one taken back the journal that mirrors it, and whatever
 * that shifts of the others goes into one more; penal charges that it makes unfounded go by the mirrors of theirs. Nothing is ever edited.
 * @param opened the account, locked by this transaction
 */
export async function settle(
  tx: Tx,
  actor: Actor,
  opened: OpenAccount,
  businessOn: IsoDate,
  cause: Cause,
): Promise<{ account: OpenAccount; parts: readonly AllocatedPart[] }> {
  const { agreement } = opened;
  const { parts, next, advancePaise } =
    'recorded' in cause && (await isNext(tx, opened, cause.recorded))
      ? await addOne(tx, opened, cause.recorded, businessOn)
      : await layOutAll(tx, opened, businessOn, cause);
  const saved = await agreements.saveAccount(tx, actor, {
    agreement,
    account: next,
    advance_paise: advancePaise,
    reason: told(cause),
  });
  return { account: { ...opened, ...next, agreement: saved }, parts };
}

/**
 * Whether a payment comes after all that stand and all charges, with no advance to be given away first: then nothing of them moves, and laying out all again would find
 * what is stored (a property of the tests says so).
 */
async function isNext(tx: Tx, { agreement, charges }: OpenAccount, { paid_on, payment_id }: Payment): Promise<boolean> {
  if (agreement.advance_paise > 0 || charges.some(({ charged_on }) => charged_on > paid_on)) return false;
  const last = await store.lastOf.first(tx, {
    agreement_id: agreement.agreement_id,
    schedule_version: agreement.schedule_version,
  });
  return !last || last.paid_on < paid_on || (last.paid_on === paid_on && last.payment_id < payment_id);
}

async function addOne(tx: Tx, opened: OpenAccount, payment: Payment, businessOn: IsoDate) {
  const on = laidOutOn(payment.paid_on, opened.agreement.schedule_from);
  const allocation = allocate(opened, payment.amount_paise, on, payment.for_charge_id);
  const parts = partsOf(allocation);
  await enter(tx, payment, parts, businessOn);
  const next = applied(opened, allocation.allocations, on);
  return { parts, next, advancePaise: allocation.advancePaise };
}

/** All payments from the first, in date order. */
async function layOutAll(tx: Tx, opened: OpenAccount, businessOn: IsoDate, cause: Cause) {
  const agreementId = opened.agreement.agreement_id;
  const payments: Payment[] = await store.paymentsOf.all(tx, { agreement_id: agreementId });
  if ('recorded' in cause) payments.push(cause.recorded);
  const layOut = await inVersion(tx, opened, payments);
  const gone = goneFor(cause, (payment) => unfounded(opened, layOut, payments, payment));
  const result = layOut(without(opened, gone));
  const wanted = new Map<string, AllocatedPart[]>();
  for (const allocation of result.payments)
    wanted.set(allocation.payment_id, [...(wanted.get(allocation.payment_id) ?? []), ...partsOf(allocation)]);
  const causing = paymentOf(cause);
  const parts = wanted.get(causing.payment_id) ?? [];
  if ('recorded' in cause) await enter(tx, causing, parts, businessOn);
  if ('reversed' in cause) await takeBack(tx, causing, businessOn);
  const name = `${'reversed' in cause ? 'reversed' : 'recorded'}:${causing.payment_id}`;
  await shift(tx, { agreementId, businessOn, name, payments, wanted });
  if (gone.length > 0) await takeChargesBack(tx, agreementId, causing.payment_id, { charges: gone, businessOn });
  return { parts, next: result.account, advancePaise: result.advancePaise };
}

function goneFor(cause: Cause, unfoundedBy: (payment: Payment) => ChargeState[]): readonly ChargeState[] {
  if ('reversed' in cause) return [];
  return cause.gone ?? ('recorded' in cause ? unfoundedBy(cause.recorded) : []);
}

const without = (account: Account, gone: readonly ChargeState[]): Account => ({
  ...account,
  charges: account.charges.filter((charge) => !gone.includes(charge)),
});

/** What of money is more than everything owed, and which penal charges it makes unfounded. */
export interface Surplus {
  restPaise: Paise;
  gone: readonly ChargeState[];
}

/**
 * What of a payment that is told late is more than everything owed: penal charges that it makes unfounded are not owed any more. Whether they are is judged by
 * all of the money, which the customer had paid by then, however little of it is laid out in the end: else what is laid out could be too little to take the
 * charge back, and something would stay owed while the rest goes back.
 * @param payment with all of its amount; nothing is written
 */
export async function surplusOfLate(tx: Tx, opened: OpenAccount, payment: Payment): Promise<Surplus> {
  if (!opened.charges.some(({ charged_on }) => charged_on > payment.paid_on))
    return { restPaise: ZERO_PAISE, gone: [] };
  const { agreement_id } = opened.agreement;
  const payments: Payment[] = [...(await store.paymentsOf.all(tx, { agreement_id })), payment];
  const layOut = await inVersion(tx, opened, payments);
  const gone = unfounded(opened, layOut, payments, payment);
  const { advancePaise } = layOut(without(opened, gone));
  // More where what a charge had been paid is more than what is left besides: then all of this money goes back, and that stays as an advance.
  return { restPaise: minPaise(advancePaise, payment.amount_paise), gone };
}

type LayOut = (account: Account) => Replay;

/** How payments go in the version of the schedule that is in force: those of versions before stay where they went. */
async function inVersion(tx: Tx, { agreement }: OpenAccount, payments: readonly Payment[]): Promise<LayOut> {
  const { agreement_id, schedule_version, schedule_from: from } = agreement;
  const isBefore = (payment: Payment) => payment.schedule_version < schedule_version;
  const isRevised = schedule_version > 1;
  const standing = isRevised ? await ledger.allocationsOf(tx, agreement_id) : new Map();
  const days = isRevised ? await agreements.versionDays(tx, { agreement_id }) : new Map<number, IsoDate>();
  const kept = payments
    .filter((payment) => isBefore(payment) && payment.state === 'posted')
    .map((payment) => ({
      ...payment,
      on: laidOutOn(payment.paid_on, days.get(payment.schedule_version) ?? null),
      allocations: (standing.get(payment.payment_id) ?? []).filter(isLine),
    }))
    .toSorted((left, right) => left.schedule_version - right.schedule_version || inDateOrder(left, right));
  const made = payments
    .filter((payment) => !isBefore(payment))
    .map((payment) => ({ ...payment, isReversed: payment.state === 'reversed' }));
  return (account) => replay(account, made, { kept, from });
}

const isLine = (part: { bucket: string }): part is AllocationLine => part.bucket !== 'advance';

/** Charges that would not have been made had this payment been known on its value day. */
function unfounded(
  opened: OpenAccount,
  layOut: LayOut,
  payments: readonly Payment[],
  { paid_on }: Payment,
): ChargeState[] {
  const days = new Map(payments.map((payment) => [payment.payment_id, payment.paid_on]));
  const laidOut = (account: Account) =>
    layOut(account).payments.map(({ payment_id, allocations }) => ({ paid_on: days.get(payment_id)!, allocations }));
  return takenBack(opened, laidOut, paid_on, opened.agreement.penal);
}

async function takeChargesBack(
  tx: Tx,
  agreement_id: string,
  payment_id: string,
  { charges, businessOn }: { charges: readonly ChargeState[]; businessOn: IsoDate },
): Promise<void> {
  const charge_ids = charges.map(({ charge_id }) => charge_id);
  await agreements.takeChargesBack(tx, { charge_ids, payment_id });
  await ledger.reverseCharges(tx, { agreement_id, charge_ids, business_on: businessOn });
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor: SYSTEM(tx.orgId ?? 0),
    action: 'penal_taken_back',
    data: {
      payment_id,
      charges: charges.map(({ charge_id, instalment_no, amount_paise }) => ({
        charge_id,
        instalment_no,
        amount_paise,
      })),
    },
  });
}

async function enter(tx: Tx, payment: Payment, parts: readonly AllocatedPart[], businessOn: IsoDate): Promise<void> {
  const { payment_id, agreement_id, method, amount_paise } = payment;
  await ledger.post(tx, {
    effectKey: `payment:${payment_id}`,
    kind: 'payment',
    refKind: 'payment',
    refId: payment_id,
    businessOn,
    lines: paymentLines({ payment_id, agreement_id, method, amount_paise, till_user_id: payment.recorded_by }, parts),
  });
}

async function takeBack(tx: Tx, { payment_id }: Payment, businessOn: IsoDate): Promise<void> {
  const of = { refKind: 'payment', refId: payment_id, kind: 'payment' } as const;
  await ledger.reverse(tx, of, { kind: 'payment_reversed', businessOn });
}

/** One journal for whatever now stands elsewhere than the lines say, however many payments that are. */
async function shift(
  tx: Tx,
  {
    agreementId,
    businessOn,
    name,
    payments,
    wanted,
  }: {
    agreementId: string;
    businessOn: IsoDate;
    name: string;
    payments: readonly Payment[];
    wanted: ReadonlyMap<string, readonly AllocatedPart[]>;
  },
): Promise<void> {
  const standing = await ledger.allocationsOf(tx, agreementId);
  const shifts = payments.map(({ payment_id }) => ({
    agreement_id: agreementId,
    payment_id,
    rows: difference(standing.get(payment_id) ?? [], wanted.get(payment_id) ?? []),
  }));
  await ledger.post(tx, {
    effectKey: `shift:${name}`,
    kind: 'payments_shifted',
    refKind: 'agreement',
    refId: agreementId,
    businessOn,
    lines: shiftLines(shifts),
  });
}
