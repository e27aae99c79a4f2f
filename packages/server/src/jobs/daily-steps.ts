import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';

/** @returns the business days after the last finished one, up to today, oldest first; only today when none was ever finished. */
export async function missedDays(tx: Tx, limit: number): Promise<IsoDate[]> {
  const { rows } = await tx.query<{ on: IsoDate }>(
    `select day::date as "on" from organisations o,
       (select (kist_now() at time zone 'utc' + interval '5 hours 30 minutes')::date as today) t,
       generate_series(coalesce(o.daily_run_on + 1, t.today), t.today, interval '1 day') as day
     where o.org_id = kist_org() order by 1 limit $1`,
    [limit],
  );
  return rows.map((row) => row.on);
}

export async function finishedSteps(tx: Tx, on: IsoDate): Promise<Set<string>> {
  const { rows } = await tx.query<{ step: string }>(
    'select step from daily_steps where org_id = kist_org() and business_on = $1',
    [on],
  );
  return new Set(rows.map((row) => row.step));
}

/** Notes that a step of a day is done; the first result stays. */
export async function finishStep(tx: Tx, on: IsoDate, step: string, result: object): Promise<void> {
  await tx.query(
    `insert into daily_steps (org_id, business_on, step, finished_at, result) values (kist_org(), $1, $2, kist_now(), $3) on conflict do nothing`,
    [on, step, JSON.stringify(result)],
  );
}

/** The day is done for good. It never goes back: a clock set back repeats no day. */
export async function finishDay(tx: Tx, on: IsoDate): Promise<void> {
  await tx.query(
    `update organisations set daily_run_on = $1 where org_id = kist_org() and (daily_run_on is null or daily_run_on < $1)`,
    [on],
  );
}
