import { LIMITS } from '@kist/contract/limits';
import * as commands from '#server/commands/commands.ts';
import type { Tx } from '#server/platform/database.ts';
import { isPaidUp } from './decide.ts';
import { type Phone, isHeldBy, lookAtPhones } from './facts.ts';

/** Phones of an order to many that were locked last and are looked at: a wave of 50,000's canary, and few enough to look at in a moment. */
const LOOKED_AT = 500;

/** So many phones of a lock of many are locked first. @param total more than one part carries out */
export const canaryOf = (total: number): number => Math.max(LIMITS.canaryLeast, Math.ceil(total / LIMITS.canaryOneIn));

/** The same customers, those that go first spread over all of them: the oldest alone would show nothing of the others. */
export function canaryFirst(customerIds: readonly string[], canary: number): string[] {
  const every = customerIds.length / canary;
  const first = new Set(Array.from({ length: canary }, (_one, no) => Math.floor(no * every)));
  return [...customerIds.filter((_id, at) => first.has(at)), ...customerIds.filter((_id, at) => !first.has(at))];
}

/** A person freed it, its customer disputes, or says that it is paid: of a phone that was locked a moment ago, for none of these stood when the gate let it. */
const isComplained = ({ row }: Phone): boolean =>
  (row.disputes ?? []).length > 0 || (row.holds ?? []).some(({ kind }) => kind === 'manual' || kind === 'claim');

/** Nothing is owed and yet it is held for money: no gate lets that through, so something is broken. */
const isWrong = (phone: Phone): boolean => isPaidUp(phone) && isHeldBy(phone.row, 'debt');

/** Whether so many of the phones that were locked last are too many to go on: a few say nothing, nor does the usual share of a large number. */
export const isTooMuch = (troubled: number, locked: number): boolean =>
  troubled >= LIMITS.bulkTroubleLeast && troubled * 100 > locked * LIMITS.bulkTroublePercent;

/**
 * Whether what a lock of many has done so far says that it must not go on: one paid-up phone held for money, or more than a few of those locked last whose
 * order failed, who were freed by a person or whose customers object.
 */
export async function hasGoneWrong(tx: Tx, batchId: string): Promise<boolean> {
  const locked = await commands.lockedLast(tx, { batchId, most: LOOKED_AT });
  const phones = await lookAtPhones(
    tx,
    locked.map(({ deviceId }) => deviceId),
  );
  if (phones.some(isWrong)) return true;
  const failed = new Set(locked.filter(({ hasFailed }) => hasFailed).map(({ deviceId }) => deviceId));
  const troubled = phones.filter((phone) => failed.has(phone.row.deviceId) || isComplained(phone)).length;
  return isTooMuch(troubled, locked.length);
}
