import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { IsoDate } from '@kist/contract/dates';
import type { Services } from '#server/compose.ts';
import { businessOn, setClockOffset } from '#server/platform/clock.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import { OperatorError } from '#server/platform/operator-error.ts';
import { runDay } from '#server/jobs/daily-run.ts';
import { DEMO_LOCK, FINISHED_STEP } from './unfinished-shop.ts';
import { History } from './history.ts';
import { DEMO_ORG, listOrganisation, makeOrganisation, makeStaff } from './organisation.ts';
import { planShop } from './plan.ts';

export interface DemoShopOptions {
  db: Database;
  operator: Operator;
  services: Services;
  log: Log;
  /** Told what part of the shop's year is played, 0 to 1; never called when the shop is there already. */
  onProgress: (part: number) => void;
}

const lockPollMs = 250;

/** A start was cut off while it made the shop, after this one had looked: the next start empties what it left. */
class UnfinishedShopError extends OperatorError {
  override readonly name = 'UnfinishedShopError';
  constructor() {
    super('Another start was making the demo shop and did not finish. Start again.');
  }
}

/**
 * The demo organisation with a year behind it, made at the first start of demo mode, by one start at a time. A database that has other organisations in it
 * is left alone.
 */
export async function ensureDemoShop(options: DemoShopOptions): Promise<void> {
  const { db, log } = options;
  await aloneWith(db.appPool, async () => {
    const state = await stateOf(db);
    if (state === 'finished' || state === 'others') return;
    if (state === 'begun') throw new UnfinishedShopError();
    const startedAt = performance.now();
    options.onProgress(0);
    await build(options);
    log.info({ orgId: DEMO_ORG, tookMs: Math.round(performance.now() - startedAt) }, 'the demo shop is ready');
  });
}

/** One process after the other; asked again and again, for no statement may wait as long as a year takes to play. */
async function aloneWith(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const isMine = async () =>
      (await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [DEMO_LOCK])).rows[0]?.mine;
    while (!(await isMine())) await sleep(lockPollMs);
    await work();
  } finally {
    // Closing the connection gives the lock back, whatever happened to it.
    client.release(true);
  }
}

async function stateOf(db: Database): Promise<'none' | 'begun' | 'finished' | 'others'> {
  const ids = await db.unscoped(async (tx) =>
    (await tx.query<{ org_id: number }>('select org_id from org_directory')).rows.map((row) => row.org_id),
  );
  if (!ids.includes(DEMO_ORG)) return ids.length === 0 ? 'none' : 'others';
  const isFinished = await db.read(
    DEMO_ORG,
    async (tx) => (await tx.query('select from daily_steps where step = $1', [FINISHED_STEP])).rows.length > 0,
  );
  return isFinished ? 'finished' : 'begun';
}

async function build({ db, operator, services, log, onProgress }: DemoShopOptions): Promise<void> {
  await operator.unscoped((tx) => setClockOffset(tx, 0));
  await operator.transaction(DEMO_ORG, listOrganisation);
  const today = businessOn(new Date()) as IsoDate;
  const past = planShop(today);
  const actors = await db.transaction(DEMO_ORG, async (tx) => {
    await makeOrganisation(tx);
    return makeStaff(tx, past);
  });
  await new History(db, operator, services, actors).play(past, today, onProgress);
  await runDay({ db, locking: services.locking, notices: services.notices, log }, DEMO_ORG);
  await db.transaction(DEMO_ORG, (tx) =>
    tx.query(
      `insert into daily_steps (org_id, business_on, step, finished_at) values (kist_org(), $1, $2, kist_now())`,
      [today, FINISHED_STEP],
    ),
  );
}
