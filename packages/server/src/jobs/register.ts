import type { Adapter } from '#server/commands/adapter.ts';
import { reconcile } from '#server/commands/reconcile.ts';
import type { OnReports } from '#server/devices/changes.ts';
import { DECOY_TOPIC } from '#server/identity/otp.ts';
import type { SmsProvider } from '#server/notices/providers/provider.ts';
import { createSmsSender } from '#server/notices/sender.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import type { OutboxHandler } from '#server/platform/outbox.ts';
import { type DailyRunDeps, runDay } from './daily-run.ts';
import { forget } from './forget.ts';
import { organisationIds } from './organisations-list.ts';

export interface JobDeps extends DailyRunDeps {
  adapters: readonly Adapter[];
  onReports: OnReports;
}

/** One organisation that fails must not keep the others waiting; the next run tries it again. */
async function forEachOrganisation(
  { db, log }: DailyRunDeps,
  job: string,
  work: (orgId: number) => Promise<unknown>,
): Promise<void> {
  for (const orgId of await organisationIds(db)) {
    try {
      await work(orgId);
    } catch (error) {
      log.error({ orgId, job, err: error }, 'a job failed for one organisation');
    }
  }
}

/**
 * Every job of the product, on the clock of India; to be called before `jobs.start`. The daily run is asked for shortly after midnight and again through the
 * day: whatever was missed is caught up, what is done is not done again. The ladder runs every five minutes and raises only in a policy's hours.
 */
export function registerJobs(jobs: Jobs, deps: JobDeps): void {
  jobs.register('daily-run', { cron: '5 0 * * *' }, () =>
    forEachOrganisation(deps, 'daily-run', (orgId) => runDay(deps, orgId)),
  );
  jobs.register('daily-run-catch-up', { everySeconds: 600 }, () =>
    forEachOrganisation(deps, 'daily-run-catch-up', (orgId) => runDay(deps, orgId)),
  );
  jobs.register('ladder', { everySeconds: 300 }, () =>
    forEachOrganisation(deps, 'ladder', (orgId) => deps.locking.runLadder(deps.db, orgId)),
  );
  jobs.register('reconcile', { everySeconds: 60 }, async () => {
    await reconcile(deps);
  });
  jobs.register('forget', { everySeconds: 3600 }, async () => {
    const count = await forget(deps.db, await organisationIds(deps.db));
    deps.log.info({ job: 'forget', count }, 'what is over was forgotten');
  });
}

/** What the outbox carries out, by topic. @param provider undefined: notices wait and fail aloud until a gateway is configured, codes are not promised */
export const outboxHandlers = (
  deps: Pick<DailyRunDeps, 'db'>,
  provider: SmsProvider | undefined,
): Record<string, OutboxHandler> => ({
  sms: createSmsSender(deps.db, provider),
  // The message of nobody: its work is done by being there.
  [DECOY_TOPIC]: async () => undefined,
});
