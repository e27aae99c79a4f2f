import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** @returns the business days after the last finished one, up to today, oldest first; only today when none was ever finished. */
export const missedDays = async (tx: Tx, { limit }: { limit: number }): Promise<IsoDate[]> =>
  (await store.missedDays.all(tx, { limit })).map(({ day }) => day);

/** The day is done for good. It never goes back: a clock set back repeats no day. */
export async function finishDay(tx: Tx, { day }: { day: IsoDate }): Promise<void> {
  await store.finishDay.run(tx, { day });
}
