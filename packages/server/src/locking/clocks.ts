import type { Tx } from '#server/platform/database.ts';
import { CLOCK_DAYS, cureToUnlock, noticeToLevel } from './clocks-store.ts';

/** Fewer cases than these are somebody's own story, and tell nothing of how a shop does. */
export const CLOCK_LEAST = 5;

/** What is left of a clock's figures when there were cases and fewer than `CLOCK_LEAST`. */
type TooFew<Figures> = { [Name in keyof Figures]: null };

/** How an organisation locked and unlocked: sums alone, of nobody. Seconds; null where there was none. */
interface Reckoned {
  /** Of so many days up to now. */
  days: number;
  /** `early`: locks that came before the days of a notice were over. There must be none. */
  notice_to_level: { locks: number; early: number; p50_s: number | null; least_s: number | null };
  /** `late`: took longer than was signed; `wrongful`: of locks that should never have been. For both the customer is owed money. */
  cure_to_unlock: {
    cures: number;
    unconfirmed: number;
    late: number;
    wrongful: number;
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

type Lock = Reckoned['notice_to_level'];
type Unlock = Reckoned['cure_to_unlock'];
/** What is published. Of fewer cases than `CLOCK_LEAST` nothing but that they were too few, and any lock that came early: there must be none. */
export interface Clocks {
  days: number;
  notice_to_level: (Lock & { is_too_few: false }) | (TooFew<Omit<Lock, 'early'>> & { early: number; is_too_few: true });
  cure_to_unlock: (Unlock & { is_too_few: false }) | (TooFew<Unlock> & { is_too_few: true });
}

const nothing = <Figures extends object>(figures: Figures) =>
  Object.fromEntries(Object.keys(figures).map((name) => [name, null])) as TooFew<Figures>;
const isTooFew = (cases: number): boolean => cases > 0 && cases < CLOCK_LEAST;

/** The clocks as whoever asks may know them. */
export function published({ days, notice_to_level: lock, cure_to_unlock: unlock }: Reckoned): Clocks {
  const { early, ...rest } = lock;
  return {
    days,
    notice_to_level: isTooFew(lock.locks)
      ? { ...nothing(rest), early, is_too_few: true }
      : { ...lock, is_too_few: false },
    cure_to_unlock: isTooFew(unlock.cures)
      ? { ...nothing(unlock), is_too_few: true }
      : { ...unlock, is_too_few: false },
  };
}

export const publicClocks = async (tx: Tx): Promise<Clocks> => published(await reckonClocks(tx));

/** The two clocks: from notice to level, from money to the phone's own word that it is free. */
export async function reckonClocks(tx: Tx): Promise<Reckoned> {
  return {
    days: CLOCK_DAYS,
    notice_to_level: whole(await noticeToLevel.one(tx, {})),
    cure_to_unlock: whole(await cureToUnlock.one(tx, {})),
  };
}
