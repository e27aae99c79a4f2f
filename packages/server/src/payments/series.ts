import { type IsoDate, financialYear } from '@kist/contract/dates';
import * as agreements from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';

/** The letter before the number tells the papers of a till apart: receipts have none. */
const LETTER = { receipt: '', down_payment: 'D', note: 'R' } as const;

/**
 * The next number of a series of who acts: the financial year, the shop with two digits at least, and the place in the series, `26-27/03/0012`; of down
 * payments `26-27/03/D0012`, of notes of payments taken back `26-27/03/R0012`. Each series of a financial year has no gap; from here on its counter is held.
 */
export async function nextNo(tx: Tx, actor: Actor, series: keyof typeof LETTER, today: IsoDate): Promise<string> {
  const year = financialYear(today);
  const shop = await agreements.shopNo(tx, { user_id: actor.userId });
  const n = await agreements.next(tx, `${series}:${actor.userId}:${year}`);
  return `${year.slice(2)}/${String(shop).padStart(2, '0')}/${LETTER[series]}${String(n).padStart(4, '0')}`;
}
