import type { IsoDate } from '@kist/contract/dates';
import type { Services } from '#server/compose.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { whileAlone } from '#server/platform/advisory-lock.ts';
import { businessOn, setClockOffset } from '#server/platform/clock.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import { OperatorError } from '#server/platform/operator-error.ts';
import { finishStep, isStepFinished, runDay } from '#server/jobs/daily-run.ts';
import { DEMO_LOCK, FINISHED_STEP } from './unfinished-shop.ts';
import { History } from './history.ts';
import { otherOrganisations } from './brands.ts';
import { DEMO_ORG, makeOrganisation, makeOther, makeStaff } from './organisation.ts';
import { planShop } from './plan.ts';

export interface DemoShopOptions {
  db: Database;
  operator: Operator;
  services: Services;
  log: Log;
  /** Told what part of the shop's year is played, 0 to 1; never called when the shop is there already. */
  onProgress: (part: number) => void;
}

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
  await whileAlone(db.appPool, DEMO_LOCK, async () => {
    const today = businessOn(new Date());
    const state = await stateOf(db, today);
    if (state === 'finished' || state === 'others') return;
    if (state === 'begun') throw new UnfinishedShopError();
    const startedAt = performance.now();
    options.onProgress(0);
    await build(options, today);
    log.info({ orgId: DEMO_ORG, tookMs: Math.round(performance.now() - startedAt) }, 'the demo shop is ready');
  });
}

/** The demo's organisations beside the shop are there as data: what a start that was cut off left of them tells nothing. */
async function stateOf(db: Database, today: IsoDate): Promise<'none' | 'begun' | 'finished' | 'others'> {
  const known = new Set((await db.unscoped(organisations.list)).map(({ org_id }) => org_id));
  const ours = new Set(otherOrganisations(today).map(({ org_id }) => org_id));
  if (!known.has(DEMO_ORG)) return [...known].every((orgId) => ours.has(orgId)) ? 'none' : 'others';
  const isFinished = await db.read(DEMO_ORG, (tx) => isStepFinished(tx, { step: FINISHED_STEP }));
  return isFinished ? 'finished' : 'begun';
}

async function build({ db, operator, services, log, onProgress }: DemoShopOptions, today: IsoDate): Promise<void> {
  await operator.unscoped((tx) => setClockOffset(tx, 0));
  // The shop's own first: by it the next start knows that this one did not finish.
  await operator.transaction(DEMO_ORG, (tx) => makeOrganisation(tx, today));
  const known = new Set((await db.unscoped(organisations.list)).map(({ org_id }) => org_id));
  for (const other of otherOrganisations(today))
    if (!known.has(other.org_id)) await operator.transaction(other.org_id, (tx) => makeOther(tx, other));
  const past = planShop(today);
  const actors = await operator.transaction(DEMO_ORG, (tx) => makeStaff(tx, past));
  await new History(db, operator, services, actors).play(past, today, onProgress);
  await runDay({ db, locking: services.locking, notices: services.notices, log }, DEMO_ORG);
  await db.transaction(DEMO_ORG, (tx) => finishStep(tx, { on: today, step: FINISHED_STEP }));
}
