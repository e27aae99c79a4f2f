import * as organisations from '#server/organisations/organisations.ts';
import { type Place, reconcile } from '#server/commands/reconcile.ts';
import type { OnReports } from '#server/devices/changes.ts';
import * as identity from '#server/identity/identity.ts';
import { type LinkMaking, MAIL_TOPIC, createMailSender } from '#server/notices/notices.ts';
import type { SmsProvider } from '#server/notices/providers/provider.ts';
import { createSmsSender } from '#server/notices/sender.ts';
import type { OutboxHandler } from '#server/platform/outbox.ts';
import type { Timer } from '#server/platform/timers.ts';
import { type DailyRunDeps, runDay } from './daily-run.ts';
import { forget } from './forget.ts';
import { forgetOld } from './retention.ts';

export interface TimerDeps extends DailyRunDeps {
  onReports: OnReports;
}

/** One organisation that fails must not keep the others waiting; the next run tries it again. */
async function forEachOrganisation(
  { db, log }: DailyRunDeps,
  timer: string,
  work: (orgId: number) => Promise<unknown>,
): Promise<void> {
  for (const orgId of await organisations.everyId(db)) {
    try {
      await work(orgId);
    } catch (error) {
      log.error({ orgId, job: timer, err: error }, 'a timer failed for one organisation');
    }
  }
}

/**
 * Every timer of the product, on the clock of India. The daily run is asked for shortly after midnight and again through the day: whatever was missed is
 * caught up, what is done is not done again. The ladder runs every five minutes and raises only in a policy's hours.
 */
export function timersOf(deps: TimerDeps): Timer[] {
  const { db, log, locking } = deps;
  const place: Place = { after: null };
  const daily = (name: string) => () => forEachOrganisation(deps, name, (orgId) => runDay(deps, orgId));
  return [
    { name: 'daily-run', cron: '5 0 * * *', work: daily('daily-run') },
    { name: 'daily-run-catch-up', cron: '*/10 * * * *', work: daily('daily-run-catch-up') },
    {
      name: 'ladder',
      cron: '*/5 * * * *',
      work: () => forEachOrganisation(deps, 'ladder', (orgId) => locking.runLadder(db, orgId)),
    },
    {
      name: 'silences',
      cron: '25 * * * *',
      work: () => forEachOrganisation(deps, 'silences', (orgId) => locking.tellOfSilences(db, orgId)),
    },
    {
      name: 'retention',
      cron: '20 2 * * *',
      work: () =>
        forEachOrganisation(deps, 'retention', async (orgId) => {
          log.info(
            { orgId, job: 'retention', ...(await forgetOld(db, orgId)) },
            'what was kept long enough was deleted',
          );
        }),
    },
    { name: 'reconcile', cron: '* * * * *', work: () => reconcile({ ...deps, place }) },
    {
      name: 'forget',
      cron: '40 * * * *',
      work: async () => {
        const count = await forget(db, await organisations.everyId(db));
        log.info({ job: 'forget', count }, 'rows whose time to be kept is over were deleted');
      },
    },
  ];
}

/**
 * What the outbox carries out, by topic. @param ways undefined: what goes by it waits until it is configured, codes are not promised. Messages are many (an
 * order to many phones tells each customer), so that without a gateway none is even tried; a mail fails aloud.
 */
export const outboxHandlers = (
  deps: Pick<DailyRunDeps, 'db'>,
  ways: {
    sms: SmsProvider | undefined;
    mail: Parameters<typeof createMailSender>[0];
    /** Of what the links in messages are made; undefined: messages with one wait. */
    links: LinkMaking | undefined;
  },
): Record<string, OutboxHandler> => ({
  ...(ways.sms && { sms: createSmsSender(deps.db, ways.sms, ways.links) }),
  [MAIL_TOPIC]: createMailSender(ways.mail),
  // The message of nobody: its work is done by being there.
  [identity.DECOY_TOPIC]: async () => undefined,
});
