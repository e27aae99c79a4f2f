import type { Pool } from 'pg';
import { businessDate } from '@kist/contract/dates';
import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from './database.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The product's present: the transaction's start plus the clock offset as it was then (zero in production, moved by the demo). Every
 * decision about dates takes its time from here, never from the process or a phone; `kist_now()` in a statement says the same.
 */
export function now(tx: Tx): Promise<Date> {
  const known = moments.get(tx);
  if (known) return known;
  const asked = ask(tx);
  moments.set(tx, asked);
  return asked;
}

/** A transaction has one moment, so it is asked for once. */
const moments = new WeakMap<Tx, Promise<Date>>();

async function ask(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>('select kist_now() as now', [], 'clock.now');
  const [row] = rows;
  if (row === undefined) throw new Error('the database told no time');
  return row.now;
}

/** The calendar date of the business (Asia/Kolkata) at an instant. */
export function businessOn(instant: Date): IsoDate {
  return businessDate(instant.getTime());
}

/** Today's date of the business on the product's clock. */
export async function today(tx: Tx): Promise<IsoDate> {
  return businessOn(await now(tx));
}

/** The offset as seconds. */
export async function clockOffsetSeconds(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ seconds: string }>('select extract(epoch from shift) as seconds from clock_offset');
  return Number(rows[0]?.seconds ?? 0);
}

/** Moves the product's clock forward or back by setting its whole offset. Demo only: the production boot refuses any. */
export async function setClockOffset(tx: Tx, seconds: number): Promise<void> {
  await tx.query('update clock_offset set shift = make_interval(secs => $1)', [seconds]);
  moments.delete(tx);
}

/** The product's clock was moved; where real money is kept it may not be. */
export class ClockMovedError extends OperatorError {
  override readonly name = 'ClockMovedError';
  constructor(seconds: number) {
    super(`The product's clock is ${seconds} seconds off. Production keeps real time: set clock_offset.shift to 0.`);
  }
}

/** The production boot's check. @throws ClockMovedError */
export async function assertRealClock(tx: Tx): Promise<void> {
  const seconds = await clockOffsetSeconds(tx);
  if (seconds !== 0) throw new ClockMovedError(seconds);
}

/** What the database's own clock shows, in Unix milliseconds, without the offset. */
export async function databaseTimeMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]!.ms;
}
