import pg from 'pg';
import type { IsoDate } from '@kist/contract/dates';
import type { Services } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import { businessOn, setClockOffset } from '#server/platform/clock.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { Database } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import { migrate } from '#server/platform/migrate.ts';
import { runDay } from '#server/jobs/daily-run.ts';
import { History } from './history.ts';
import { DEMO_ORG, makeOrganisation, makeStaff } from './organisation.ts';
import { planShop } from './plan.ts';

export interface DemoShopOptions {
  db: Database;
  owner: ConnectionConfig;
  services: Services;
  config: Pick<Config, 'migrationsDirectory'>;
  log: Log;
}

const FINISHED = 'demo_shop';

/**
 * The demo organisation with a year behind it, made at the first start of demo mode. A start that was cut off begins again from an empty database;
 * one that has other organisations in it is left alone.
 */
export async function ensureDemoShop(options: DemoShopOptions): Promise<void> {
  const { db, log } = options;
  const state = await stateOf(db);
  if (state === 'finished' || state === 'others') return;
  if (state === 'begun') await empty(options);
  const startedAt = performance.now();
  await build(options);
  log.info({ orgId: DEMO_ORG, tookMs: Math.round(performance.now() - startedAt) }, 'the demo shop is ready');
}

async function stateOf(db: Database): Promise<'none' | 'begun' | 'finished' | 'others'> {
  const ids = await db.unscoped(async (tx) =>
    (await tx.query<{ org_id: number }>('select org_id from org_directory')).rows.map((row) => row.org_id),
  );
  if (!ids.includes(DEMO_ORG)) return ids.length === 0 ? 'none' : 'others';
  const isFinished = await db.read(
    DEMO_ORG,
    async (tx) => (await tx.query('select from daily_steps where step = $1', [FINISHED])).rows.length > 0,
  );
  return isFinished ? 'finished' : 'begun';
}

/** Nothing but a half-made demo shop is in there: the server never listened on it. */
async function empty({ owner, config }: DemoShopOptions): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename not in ('schema_migrations', 'clock_offset')`,
    );
    await client.query(`truncate ${rows.map((row) => row.name).join(', ')} cascade`);
  } finally {
    await client.end();
  }
  await migrate(owner, config.migrationsDirectory);
}

async function build({ db, services, log }: DemoShopOptions): Promise<void> {
  await db.unscoped((tx) => setClockOffset(tx, 0));
  const today = businessOn(new Date()) as IsoDate;
  const past = planShop(today);
  const actors = await db.transaction(DEMO_ORG, async (tx) => {
    await makeOrganisation(tx);
    return makeStaff(tx, past);
  });
  await new History(db, services, actors).play(past, today);
  await runDay({ db, locking: services.locking, notices: services.notices, log }, DEMO_ORG);
  await db.transaction(DEMO_ORG, (tx) =>
    tx.query(
      `insert into daily_steps (org_id, business_on, step, finished_at) values (kist_org(), $1, $2, kist_now())`,
      [today, FINISHED],
    ),
  );
}
