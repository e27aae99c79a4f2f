import type { Services } from '#server/compose.ts';
import { createAndroidAgent } from '#server/commands/adapters/android-agent.ts';
import { lastReport } from '#server/commands/reconcile.ts';
import type { Config } from '#server/config.ts';
import { createDemoClock } from '#server/jobs/demo-clock.ts';
import { outboxHandlers, registerJobs } from '#server/jobs/register.ts';
import type { DemoClock } from '#server/http/routes/demo.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import { createJobs } from '#server/platform/jobs.ts';
import type { Log } from '#server/platform/log.ts';
import { startOutbox } from '#server/platform/outbox.ts';

export interface WorkOptions {
  db: Database;
  connection: ConnectionConfig;
  /** Demo mode only: who moves the clock. */
  operator: Operator | undefined;
  services: Services;
  config: Config;
  log: Log;
}

export interface Work {
  /** Rejects while the job queue is not there. */
  ready: () => Promise<void>;
  /** Demo mode only: moving the clock does the work of the days in between. */
  clock: DemoClock | undefined;
  stop: () => Promise<void>;
}

/** What the server does by itself: timers, messages, the daily run. The api role only puts work in; the outbox it carries out all the same. */
export async function startWork({ db, connection, operator, services, config, log }: WorkOptions): Promise<Work> {
  const { gateway, locking, notices, onReports, sealer, waker } = services;
  const daily = { db, locking, notices, log };
  const android = createAndroidAgent({
    signal: (deviceIds) => waker.signal('wake', deviceIds),
    lastReport: (target) => lastReport(db, target),
  });
  const outbox = startOutbox(db, sealer, outboxHandlers(daily, gateway.provider), log);
  const jobs = createJobs(connection, log);
  registerJobs(jobs, { ...daily, adapters: [android], onReports });
  let isStarted = false;
  await jobs.start(config.role !== 'api');
  isStarted = true;
  return {
    ready: async () => {
      if (!isStarted) throw new Error('jobs are not started');
    },
    clock: operator && createDemoClock({ ...daily, operator, outbox }),
    stop: async () => {
      isStarted = false;
      await jobs.stop();
      await outbox.stop();
    },
  };
}
