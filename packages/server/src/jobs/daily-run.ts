import type { IsoDate } from '@kist/contract/dates';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as documents from '#server/documents/documents.ts';
import * as identity from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { checkInvariants } from '#server/locking/invariants.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Notices } from '#server/notices/notices.ts';
import * as organisations from '#server/organisations/organisations.ts';
import * as payments from '#server/payments/payments.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import * as wallet from '#server/wallet/wallet.ts';
import * as store from './store.ts';

export interface DailyRunDeps {
  db: Database;
  locking: Locking;
  notices: Notices;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** A server that slept longer than this has other worries; the next run goes on where this one stopped. */
const DAYS_AT_ONCE = 400;
const KEYS_AT_ONCE = 500;

type Step = (deps: DailyRunDeps, orgId: number, on: IsoDate) => Promise<object>;

/** Every day of the past, in order: what is reckoned by date. */
const EACH_DAY: Record<string, Step> = {
  penal: async ({ db, notices }, orgId, on) => ({ charged: await payments.chargePenalties(db, notices, orgId, on) }),
};
/**
 * Only on the day itself: a reminder for yesterday reminds of nothing, and today's run makes up for every notice, lock and key that a missed day left
 * out.
 */
const TODAY_ONLY: Record<string, Step> = {
  notices: async ({ db, locking }, orgId) => ({ sent: await locking.sendDueNotices(db, orgId) }),
  locks: async ({ db, locking }, orgId) => ({ ...(await locking.runLadder(db, orgId)) }),
  reservations: async ({ db }, orgId) => ({ returned: await returnKeys(db, orgId) }),
  checks: (deps, orgId) => check(deps, orgId),
  audit: (deps, orgId) => closeAudit(deps, orgId),
};

/**
 * The daily run of one organisation: every business day since the last finished one, step by step. A step is noted when it is done and not done again; one
 * that a crash cut off is, and each bears that. Run twice, at once or one after the other, it does what running once does.
 * @returns the days it finished
 */
export async function runDay(deps: DailyRunDeps, orgId: number): Promise<IsoDate[]> {
  const { db, log } = deps;
  const days = await db.transaction(orgId, (tx) => organisations.missedDays(tx, { limit: DAYS_AT_ONCE }));
  const today = days.at(-1);
  for (const on of days) {
    const done = await db.transaction(orgId, (tx) => store.finishedSteps.all(tx, { business_on: on }));
    for (const [name, step] of Object.entries({ ...EACH_DAY, ...TODAY_ONLY })) {
      if (done.some(({ step: one }) => one === name)) continue;
      const isLeftToToday = on !== today && name in TODAY_ONLY;
      const result = isLeftToToday ? { left_to: today } : await step(deps, orgId, on);
      await db.transaction(orgId, (tx) => finishStep(tx, { on, step: name, result }));
    }
    await db.transaction(orgId, (tx) => organisations.finishDay(tx, { day: on }));
    log.info({ orgId, job: 'daily-run' }, `business day ${on} is done`);
  }
  return days;
}

/** Notes that a step of a day is done; the first result stays. */
export async function finishStep(
  tx: Tx,
  { on, step, result = {} }: { on: IsoDate; step: string; result?: object },
): Promise<void> {
  await store.finishStep.run(tx, { business_on: on, step, result });
}

/** Whether a step was done, on whatever day. */
export const isStepFinished = async (tx: Tx, { step }: { step: string }): Promise<boolean> =>
  (await store.isStepFinished.one(tx, { step })).is_finished;

async function returnKeys(db: Database, orgId: number): Promise<number> {
  let returned = 0;
  for (;;) {
    const count = await db.transaction(orgId, (tx) =>
      wallet.expire(tx, identity.SYSTEM(orgId), { batch: KEYS_AT_ONCE }),
    );
    returned += count;
    if (count < KEYS_AT_ONCE) return returned;
  }
}

/** One paisa off, one phone held without right, or a picture that is not counted, is an alarm and a red banner. All are looked at side by side. */
async function check({ db, log }: DailyRunDeps, orgId: number): Promise<object> {
  const also = (part: number | null) => agreements.checkTerms(db, orgId, part);
  const [books, invariants, miscounted] = await Promise.all([
    ledger.checkNight(db, orgId, { also }),
    checkInvariants(db, orgId),
    documents.checkTotals(db, orgId),
  ]);
  const { isWhole } = books;
  const faults = [...books.faults, ...miscounted];
  const broken = invariants.flatMap(({ violations }) => violations);
  const isBalanced = faults.length === 0 && broken.length === 0;
  if (!isBalanced)
    log.error({ orgId, job: 'daily-run', count: faults.length + broken.length }, 'the nightly check found differences');
  return { is_balanced: isBalanced, is_whole: isWhole, differences: faults, violations: broken };
}

/** The day's root over every history, and whether one that an earlier root knows is gone. */
async function closeAudit({ db, log, notices }: DailyRunDeps, orgId: number): Promise<object> {
  const { day } = await audit.closeDay(db, orgId, (tx, root) => mailRoot(tx, notices, root));
  const { faults } = await audit.checkRooted(db, orgId);
  if (faults.length > 0)
    log.error(
      { orgId, job: 'daily-run', count: faults.length },
      'histories that a root of the audit knows are missing or cut off',
    );
  return { root_of: day, missing: faults };
}

/** To the addresses that the organisation names, else to its administrators' own. */
async function mailRoot(tx: Tx, notices: Notices, root: audit.Root): Promise<void> {
  const { name, slug, recipients } = await organisations.auditMail(tx);
  const to = recipients.length > 0 ? recipients : await identity.adminEmails(tx);
  await notices.mailRoot(tx, to, { orgId: tx.orgId ?? 0, name, slug, ...root });
}
