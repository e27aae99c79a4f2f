import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import type { RefundTask } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import type { OpenAccount } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { refundDoneLines, refundOwedLines, suspenseLines } from './rules/journal.ts';
import * as store from './refund-store.ts';
import { findPayment, type PaymentRow } from './store.ts';
import { accountOfTheirs } from './taking.ts';

type Taken = Pick<
  PaymentRow,
  'payment_id' | 'agreement_id' | 'customer_id' | 'amount_paise' | 'method' | 'recorded_by'
>;

const about = (payment_id: string, businessOn: IsoDate) =>
  ({ refKind: 'payment', refId: payment_id, businessOn }) as const;

/** Money for an agreement that is over is taken all the same: into suspense, and owed back to who paid it. The dues stay as they are. */
export async function takeIntoSuspense(
  tx: Tx,
  opened: OpenAccount,
  payment: Taken,
  businessOn: IsoDate,
): Promise<{ account: OpenAccount; parts: [] }> {
  const { payment_id, agreement_id, customer_id, amount_paise } = payment;
  const of = { agreement_id, payment_id, amount_paise };
  await ledger.postMany(tx, [
    {
      ...about(payment_id, businessOn),
      effectKey: `payment:${payment_id}`,
      kind: 'payment',
      lines: suspenseLines({ ...of, till_user_id: payment.recorded_by, method: payment.method }),
    },
    {
      ...about(payment_id, businessOn),
      effectKey: `refund_owed:${payment_id}`,
      kind: 'refund_owed',
      lines: refundOwedLines(of),
    },
  ]);
  await store.openTask.run(tx, { payment_id, agreement_id, customer_id, amount_paise });
  return { account: opened, parts: [] };
}

/** A payment in suspense that never was: nothing is owed back. @throws KistError STATE_CONFLICT when it was given back already */
export async function takeOutOfSuspense(
  tx: Tx,
  actor: Actor,
  { payment_id }: Pick<PaymentRow, 'payment_id'>,
  businessOn: IsoDate,
): Promise<void> {
  const isVoid = await store.closeTask.run(tx, {
    payment_id,
    state: 'void',
    closed_by: actor.userId,
    method: null,
    reference: '',
  });
  if (isVoid === 0) throw new KistError('STATE_CONFLICT');
  const of = { refKind: 'payment', refId: payment_id } as const;
  await ledger.reverse(tx, { ...of, kind: 'refund_owed' }, { kind: 'refund_withdrawn', businessOn });
  await ledger.reverse(tx, { ...of, kind: 'payment' }, { kind: 'payment_reversed', businessOn });
}

/** What of a payment nobody has given back yet. */
export async function waitsToGoBack(tx: Tx, payment_id: string | undefined): Promise<number> {
  const task = payment_id === undefined ? undefined : await store.findTask.first(tx, { payment_id });
  return task?.state === 'open' ? task.amount_paise : 0;
}

/** What has to be given back to customers of the caller's shops, oldest first, and what was lately. */
export async function refundTasks(tx: Tx, actor: Actor): Promise<RefundTask[]> {
  identity.requires(actor, NEEDS.read);
  const rows = await store.tasksOf.all(tx, { owners: actor.visibleOwnerIds });
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
  }));
}

/**
 * The money was given back: out of the till of who gave it. Told again by the same person, as given the same way, it is one refund.
 * @throws KistError NOT_FOUND, STATE_CONFLICT when nothing of the payment goes back, it was taken back meanwhile, or somebody gave it back otherwise
 */
export async function refundDone(
  tx: Tx,
  actor: Actor,
  { payment_id, method, reference }: { payment_id: string; method: PaymentMethod; reference: string },
): Promise<{ payment_id: string; amount_paise: number }> {
  identity.requires(actor, NEEDS.collect);
  const task = await store.findTask.first(tx, { payment_id });
  const of = task ?? (await findPayment.first(tx, { payment_id }));
  if (!of) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: of.customer_id });
  if (!task) throw new KistError('STATE_CONFLICT');
  const { agreement_id, amount_paise } = task;
  await accountOfTheirs(tx, actor, { agreement_id });
  const done = { payment_id, amount_paise };
  const isFirst = await store.closeTask.run(tx, {
    payment_id,
    state: 'done',
    closed_by: actor.userId,
    method,
    reference,
  });
  if (isFirst === 0) {
    const was = await store.findTask.one(tx, { payment_id });
    // Who hears "done" of money that another gave, or that went another way, believes both in the books: one of them would be lost.
    const isSame = was.closed_by === actor.userId && was.method === method && was.reference === reference;
    if (was.state === 'done' && isSame) return done;
    throw new KistError('STATE_CONFLICT');
  }
  await ledger.post(tx, {
    ...about(payment_id, await clock.today(tx)),
    effectKey: `refund_paid:${payment_id}`,
    kind: 'refund_paid',
    lines: refundDoneLines({ agreement_id, payment_id, amount_paise, till_user_id: actor.userId, method }),
  });
  const data = { payment_id, amount_paise, method };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'refund_paid', data });
  return done;
}

/** Whether money is owed back to a customer. */
export const isOwedBack = async (tx: Tx, { customer_id }: { customer_id: string }): Promise<boolean> =>
  (await store.isOwedBack.one(tx, { customer_id })).is_owed;
