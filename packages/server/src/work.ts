import type { Services } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import { createDemoClock } from '#server/jobs/demo-clock.ts';
import { outboxHandlers, timersOf } from '#server/jobs/timers.ts';
import type { DemoClock } from '#server/http/routes/demo.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import { startOutbox } from '#server/platform/outbox.ts';
import { createTimers } from '#server/platform/timers.ts';

export interface WorkOptions {
  db: Database;
  /** Demo mode only: who moves the clock. */
  operator: Operator | undefined;
  services: Services;
  config: Config;
  log: Log;
}

export interface Work {
  /** Demo mode only: moving the clock does the work of the days in between. */
  clock: DemoClock | undefined;
  stop: () => Promise<void>;
}

/** What the server does by itself: timers, messages, the daily run. The api role runs no timers; the outbox it carries out all the same. */
export function startWork({ db, operator, services, config, log }: WorkOptions): Work {
  const { batches, dispatcher, gateway, mail, locking, notices, onReports, sealer, linkMaking: links } = services;
  const daily = { db, locking, notices, log };
  dispatcher.start();
  batches.start();
  if (!gateway.provider) log.warn({}, 'no SMS gateway is configured: messages wait, and none is tried');
  const outbox = startOutbox(db, sealer, outboxHandlers(daily, { sms: gateway.provider, mail, links }), log);
  const timers = createTimers(db.appPool, timersOf({ ...daily, onReports }), log);
  if (config.role !== 'api') timers.start();
  return {
    clock: operator && createDemoClock({ ...daily, operator, outbox }),
    stop: async () => {
      await batches.stop();
      await dispatcher.stop();
      await timers.stop();
      await outbox.stop();
    },
  };
}
