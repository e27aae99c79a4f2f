import { PgBoss } from 'pg-boss';
import type { ConstructorOptions, Db } from 'pg-boss';
import pg from 'pg';
import type { ConnectionConfig } from './connection.ts';
import type { Tx } from './database.ts';
import { newId } from './ids.ts';
import type { Log } from './log.ts';

/** One run of a job. At least once: a run whose process died starts again, so its effects must bear repeating. */
export interface JobRun<Data> {
  id: string;
  data: Data;
  /** Fires when the run takes too long or the server stops. */
  signal: AbortSignal;
}

export interface JobSchedule {
  /** Five-field cron in Indian time, e.g. '5 0 * * *'. */
  cron?: string;
  /** Every so many seconds (1 or more), once over all processes. */
  everySeconds?: number;
}

export interface EnqueueOptions {
  startAfterS?: number;
  /** While a job of this name and key waits, another one with it is not taken. */
  singletonKey?: string;
}

export interface Jobs {
  /** Names a job and what it does; before `start`. Without a schedule it runs when enqueued. */
  register<Data extends object>(
    name: string,
    schedule: JobSchedule,
    handler: (run: JobRun<Data>) => Promise<void>,
  ): void;
  /** @param work false = enqueue only (the api role) */
  start(work: boolean): Promise<void>;
  /** The job exists exactly if the transaction commits. */
  enqueue(tx: Tx, name: string, data: object, options?: EnqueueOptions): Promise<void>;
  /** Takes no more runs and waits for those under way, at most 10 s. */
  stop(): Promise<void>;
}

const schema = 'jobs';
const timeZone = 'Asia/Kolkata';
/** A dead worker's run is noticed after the heartbeat and one look of the monitor: under a minute, whatever a run may take. */
const heartbeatSeconds = 20;
const monitorSeconds = 15;
const expireInSeconds = 900;
const stopWithinMs = 10_000;
/** New jobs are announced (NOTIFY) and start at once; retries and delayed ones wait for this look. */
const pollSeconds = 2;

interface Registration {
  schedule: JobSchedule;
  handler: (run: JobRun<never>) => Promise<void>;
}

/**
 * Background jobs in the product's database (schema `jobs`). Timers, mail and reports; orders to phones are a table of
 * their own, for a job per phone would mean millions.
 * @param connection of the account that serves; everything runs as kist_app, on what `installJobs` made
 */
export function createJobs(connection: ConnectionConfig, log: Log): Jobs {
  const registrations = new Map<string, Registration>();
  const timers: NodeJS.Timeout[] = [];
  let boss: PgBoss | undefined;

  const started = (): PgBoss => {
    if (boss === undefined) throw new Error('jobs are not started');
    return boss;
  };
  return {
    register: (name, schedule, handler) => {
      registrations.set(name, { schedule, handler });
    },
    start: async (work) => {
      boss = await openBoss(connection, log, work);
      for (const [name, registration] of registrations) await openQueue(boss, name, registration.schedule, work);
      if (!work) return;
      for (const [name, registration] of registrations)
        timers.push(...(await startWork(boss, name, registration, log)));
    },
    enqueue: async (tx, name, data, options = {}) => {
      await started().send(name, data, {
        db: inside(tx),
        ...(options.startAfterS === undefined ? {} : { startAfter: options.startAfterS }),
        singletonKey: options.singletonKey ?? newId(),
      });
    },
    stop: async () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await boss?.stop({ graceful: true, timeout: stopWithinMs });
      boss = undefined;
    },
  };
}

/** Makes or renews the tables of the queue. @param owner of the database: nobody who serves may change tables */
export async function installJobs(owner: ConnectionConfig): Promise<void> {
  const installer = new PgBoss({ ...bossOptions(owner, ''), schedule: false, supervise: false });
  installer.on('error', () => undefined);
  await installer.start();
  await installer.stop({ graceful: false });
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query(`grant usage on schema ${schema} to kist_app;
      grant select, insert, update, delete on all tables in schema ${schema} to kist_app`);
  } finally {
    await client.end();
  }
}

async function openBoss(connection: ConnectionConfig, log: Log, work: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    ...bossOptions(connection, '-c role=kist_app -c timezone=UTC'),
    migrate: false,
    createSchema: false,
    reindex: false,
    supervise: work,
    schedule: work,
    useListenNotify: work,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    cronMonitorIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'));
  await boss.start();
  return boss;
}

function bossOptions(
  { host, port, user, password, database, ssl }: ConnectionConfig,
  options: string,
): ConstructorOptions {
  return { host, port, user, password, database, ssl, schema, options, max: 3, application_name: 'kist_jobs' };
}

async function openQueue(
  boss: PgBoss,
  name: string,
  { cron, everySeconds }: JobSchedule,
  work: boolean,
): Promise<void> {
  const isTimed = cron !== undefined || everySeconds !== undefined;
  await boss.createQueue(name, {
    // `stately`: at most one waits and one runs, so a slow run is not overtaken by its next. `short`: one waits for each key.
    policy: isTimed ? 'stately' : 'short',
    notify: true,
    heartbeatSeconds,
    expireInSeconds,
    retryLimit: isTimed ? 0 : 8,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    deleteAfterSeconds: isTimed ? 3_600 : 7 * 86_400,
  });
  if (cron !== undefined && work) await boss.schedule(name, cron, {}, { tz: timeZone });
}

async function startWork(
  boss: PgBoss,
  name: string,
  { schedule, handler }: Registration,
  log: Log,
): Promise<NodeJS.Timeout[]> {
  await boss.work<object>(
    name,
    { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds },
    async (jobs) => {
      for (const { id, data, signal } of jobs) {
        const startedAtMs = performance.now();
        try {
          await handler({ id, data: data as never, signal });
          log.debug({ job: name, jobId: id, tookMs: Math.round(performance.now() - startedAtMs) }, 'job done');
        } catch (error) {
          log.warn({ job: name, jobId: id, err: error }, 'job failed');
          throw error;
        }
      }
    },
  );
  const { everySeconds } = schedule;
  if (everySeconds === undefined) return [];
  // Every process asks; `singletonSeconds` lets one job in for each span of time.
  const ask = () => {
    boss
      .send(name, {}, { singletonSeconds: everySeconds })
      .catch((error: unknown) => log.warn({ job: name, err: error }, 'job not queued'));
  };
  ask();
  return [setInterval(ask, everySeconds * 1000)];
}

/** pg-boss speaks $n parameters, as our transactions do. */
function inside(tx: Tx): Db {
  return { executeSql: (text, values) => tx.query(text, values) };
}
