import type { Tx } from '#server/platform/database.ts';
import { CLOCK_DAYS, cureToUnlock, noticeToLevel } from './clocks-store.ts';

/** What an organisation publishes of its locks: sums alone, of nobody. Seconds; null where there was none. */
export interface Clocks {
  /** Of so many days up to now. */
  days: number;
  /** `early`: locks that came before the days of a notice were over. There must be none. */
  notice_to_level: { locks: number; early: number; p50_s: number | null; least_s: number | null };
  /** `late`: took longer than was signed, so that the customer is owed money. */
  cure_to_unlock: {
    cures: number;
    unconfirmed: number;
    late: number;
    p50_s: number | null;
    p95_s: number | null;
    worst_s: number | null;
    owed_paise: number;
  };
}

const whole = <Row extends Record<string, number | string | null>>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : Math.round(Number(value))]),
  ) as { [Name in keyof Row]: Row[Name] };

/** The two clocks that are public: from notice to level, from money to the phone's own word that it is free. */
export async function publicClocks(tx: Tx): Promise<Clocks> {
  return {
    days: CLOCK_DAYS,
    notice_to_level: whole(await noticeToLevel.one(tx, {})),
    cure_to_unlock: whole(await cureToUnlock.one(tx, {})),
  };
}
