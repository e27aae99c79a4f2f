import { Cron } from 'croner';
import type { Pool, PoolClient } from 'pg';
import type { Log } from './log.ts';

export interface Timer {
  /** Lower case with dashes; the same in every process. */
  name: string;
  /** On the clock of India: minute, hour, day, month, weekday, e.g. '5 0 * * *'; six fields begin with the second. */
  cron: string;
  /** May begin again after it was cut off: a process that dies takes its run with it, and the next tick is another try. */
  work: () => Promise<unknown>;
}

export interface Timers {
  /** Runs what was missed while no process was there, then each timer at its ticks. */
  start(): void;
  /** Takes no more ticks and waits for what is under way, at most 10 s. */
  stop(): Promise<void>;
}

const timezone = 'Asia/Kolkata';
const stopWithinMs = 10_000;
/** A timer of the runtime may fire a moment before the tick it was set for. */
const earlyMs = 100;

/**
 * Work that comes round by the clock. Every process asks; each tick is taken by one of them, and while a run lasts, on
 * whichever process, the next one waits its turn: a run holds the advisory lock of its timer on a connection of its own,
 * which ends with its process.
 * @param pool of kist_app
 */
export function createTimers(pool: Pool, timers: readonly Timer[], log: Log): Timers {
  const crons: Cron[] = [];
  const running = new Set<Promise<void>>();
  const run = (timer: Timer, tick: Date) => {
    const done = takeTick(pool, timer, tick, log)
      .catch((error: unknown) =>
        log.warn({ job: timer.name, err: error }, 'a timer could not run; the next tick tries again'),
      )
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  };
  return {
    start: () => {
      for (const timer of timers) {
        const runLastTick = (cron: Cron) => {
          const [tick] = cron.previousRuns(1, new Date(Date.now() + earlyMs));
          return tick && run(timer, tick);
        };
        const cron = new Cron(timer.cron, { timezone, protect: true }, runLastTick);
        crons.push(cron);
        void runLastTick(cron);
      }
    },
    stop: async () => {
      for (const cron of crons.splice(0)) cron.stop();
      await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())]);
    },
  };
}

async function takeTick(pool: Pool, { name, work }: Timer, tick: Date, log: Log): Promise<void> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    if (await isFree(client, name)) {
      if (await claim(client, name, tick)) await carryOut(client, name, work, log);
      await client.query(`select pg_advisory_unlock(hashtextextended('timer:' || $1, 0))`, [name]);
    }
    isWhole = true;
  } finally {
    // A connection that failed may still hold the lock: it is closed, and the lock with it.
    client.release(!isWhole);
  }
}

const isFree = async (client: PoolClient, name: string): Promise<boolean> =>
  (
    await client.query<{ free: boolean }>(`select pg_try_advisory_lock(hashtextextended('timer:' || $1, 0)) as free`, [
      name,
    ])
  ).rows[0]!.free;

/** @returns false where this tick, or a later one, was taken already */
const claim = async (client: PoolClient, name: string, tick: Date): Promise<boolean> =>
  (
    await client.query(
      `insert into timer_runs (name, ticked_at, started_at) values ($1, $2, now())
       on conflict (name) do update set ticked_at = excluded.ticked_at, started_at = excluded.started_at, finished_at = null
       where timer_runs.ticked_at < excluded.ticked_at returning name`,
      [name, tick],
    )
  ).rows.length > 0;

async function carryOut(client: PoolClient, name: string, work: Timer['work'], log: Log): Promise<void> {
  const startedAtMs = performance.now();
  try {
    await work();
    await client.query('update timer_runs set finished_at = now() where name = $1', [name]);
    log.debug({ job: name, tookMs: Math.round(performance.now() - startedAtMs) }, 'a timer ran');
  } catch (error) {
    log.warn({ job: name, err: error }, 'a timer failed');
    await client.query('update timer_runs set failed_at = now() where name = $1', [name]);
  }
}
