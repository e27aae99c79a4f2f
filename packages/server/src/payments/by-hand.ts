import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { type Paise, paise } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { type NoPenalReason, penalCharge } from './rules/penal.ts';
import { accountOfTheirs } from './taking.ts';

/** A charge that the stamped rule gives today. */
export interface Chargeable {
  instalment_no: number;
  due_on: IsoDate;
  amount_paise: Paise;
}

/** What may be charged of each instalment today, by the rule that the agreement was signed under, oldest first. */
export const chargeableToday = (opened: agreements.OpenAccount, on: IsoDate): Chargeable[] =>
  opened.instalments.toSorted(agreements.byDueDate).flatMap((row) => {
    const { amount_paise } = verdictOn(opened, row, on);
    return amount_paise > 0 ? [{ instalment_no: row.no, due_on: row.due_on, amount_paise }] : [];
  });

function verdictOn({ agreement, charges }: agreements.OpenAccount, row: agreements.InstalmentState, on: IsoDate) {
  if (!agreement.penal || agreement.state !== 'active') return { amount_paise: paise(0), reason: 'NO_RULE' as const };
  return penalCharge(row, charges, on, agreement.penal);
}

const refused = (reason: NoPenalReason | 'NO_RULE') =>
  new KistError('PENALTY_REFUSED', { details: { reason }, internal: `no penal charge: ${reason}` });

/** The instalment that is meant, or the oldest that something may be charged of. @throws KistError NOT_FOUND, PENALTY_REFUSED */
function chosen(opened: agreements.OpenAccount, instalment_id: string | undefined, on: IsoDate): Chargeable {
  const all = chargeableToday(opened, on);
  const rows = opened.instalments.toSorted(agreements.byDueDate);
  const row =
    instalment_id === undefined ? undefined : rows.find(({ no }) => opened.instalmentIds.get(no) === instalment_id);
  if (instalment_id !== undefined && !row) throw new KistError('NOT_FOUND');
  const due = row ? all.find(({ instalment_no }) => instalment_no === row.no) : all[0];
  if (due) return due;
  const asked = row ?? rows.find((one) => agreements.instalmentLeft(one) > 0) ?? rows[0]!;
  throw refused(verdictOn(opened, asked, on).reason ?? 'NOT_OVERDUE');
}

/** What is charged by hand, the agreement taken for this transaction. @throws KistError NOT_FOUND, PENALTY_REFUSED, AMOUNT_TOO_LARGE */
export async function toCharge(
  tx: Tx,
  actor: Actor,
  given: { customer_id: string; instalment_id?: string | undefined; amount?: number | undefined },
): Promise<{ opened: agreements.OpenAccount; on: IsoDate; due: Chargeable }> {
  identity.requires(actor, NEEDS.read);
  const { customer_id } = await customers.authorize(tx, actor, given);
  const opened = await accountOfTheirs(tx, actor, { customer_id });
  const on = await clock.today(tx);
  const due = chosen(opened, given.instalment_id, on);
  const amount_paise = given.amount === undefined ? due.amount_paise : paise(given.amount);
  if (amount_paise > due.amount_paise)
    throw new KistError('AMOUNT_TOO_LARGE', {
      fields: [{ path: 'amount', key: 'field.amount_too_large' }],
      params: { max_paise: due.amount_paise },
    });
  return { opened, on, due: { ...due, amount_paise } };
}
