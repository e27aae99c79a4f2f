import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { Database, Tx } from '#server/platform/database.ts';
import { inLanes, inParts } from '#server/platform/lanes.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { type Decision, applyDecisions } from './apply.ts';
import { freed, ladderStep } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { refresh } from './dues.ts';
import { takePhones } from './facts.ts';
import { ladderCandidates, leasesToRenew } from './ladder-store.ts';
import { releasePaid } from './release.ts';
import { endedLocks } from './store.ts';
import { lockNotices, tellShop } from './tell.ts';

export interface LadderResult {
  looked: number;
  raised: number;
  lowered: number;
  renewed: number;
}

/** Phones of one transaction: short enough that a payment never waits long for it. */
const CHUNK = 500;
/** Phones that one look finds: it goes over everything that is late, however few it gives. */
const LOOK = 20_000;

/**
 * The automatic ladder of an organisation: every phone of an overdue agreement or held for money is looked at; what no longer stands falls at once, what
 * the gate allows rises one step when the phone's moment of the day has come. Outside the automatic hours and on holidays nothing rises. May run any
 * number of times a day: a step taken is not taken again.
 */
export async function runLadder(
  db: Pick<Database, 'transaction'>,
  deps: LockingDeps,
  orgId: number,
): Promise<LadderResult> {
  const result: LadderResult = { looked: 0, raised: 0, lowered: 0, renewed: 0 };
  await db.transaction(orgId, (tx) => endTimedLocks(tx, deps));
  await inChunks(db, orgId, ladderCandidates, async (ids) => {
    const step = await db.transaction(orgId, (tx) => climb(tx, deps, ids));
    result.looked += ids.length;
    result.raised += step.raised;
    result.lowered += step.lowered;
  });
  await inChunks(db, orgId, leasesToRenew, async (ids) => {
    const renewed = await db.transaction(orgId, (tx) => renew(tx, deps, ids));
    result.renewed += renewed;
  });
  return result;
}

/** Looks for phones, each once, and does something for a few at a time. */
function inChunks(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  look: (tx: Tx, after: string, limit: number) => Promise<string[]>,
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const parts = inParts((after, limit) => db.transaction(orgId, (tx) => look(tx, after ?? '', limit)), {
    found: LOOK,
    part: CHUNK,
  });
  return inLanes(parts, work);
}

async function climb(tx: Tx, deps: LockingDeps, ids: readonly string[]): Promise<{ raised: number; lowered: number }> {
  const actor = SYSTEM(tx.orgId ?? 0);
  const phones = await takePhones(tx, ids, true);
  const decisions = phones
    .filter(({ row }) => row.releasedAt === null)
    .map((phone): Decision => ({ phone, changes: ladderStep(phone) }))
    .filter(({ changes }) => changes.length > 0);
  const applied = await applyDecisions(tx, deps.waker, decisions, { actor });
  const done = decisions.map(({ phone }, index) => ({ phone, applied: applied[index]! }));
  await deps.notices.send(tx, lockNotices(done));
  await tellShop(
    tx,
    done
      .filter((one) => one.applied.to >= LOCKED_FROM_LEVEL && one.applied.from < LOCKED_FROM_LEVEL)
      .map((one) => ({ phone: one.phone, kind: 'locked_automatically', data: { level: one.applied.to } })),
  );
  const raised = decisions.filter(({ changes }) => changes.some(({ verdict }) => verdict.rule === 'OVERDUE_STEP'));
  return { raised: raised.length, lowered: decisions.length - raised.length };
}

/** Locks that end by themselves (the test after enrolment). */
async function endTimedLocks(tx: Tx, deps: LockingDeps): Promise<void> {
  const ended = await endedLocks.all(tx, {});
  const phones = await takePhones(tx, [...new Set(ended.map(({ device_id }) => device_id))]);
  const decisions = phones.map((phone): Decision => {
    const own = ended.filter(({ device_id }) => device_id === phone.row.deviceId);
    return { phone, changes: own.map(({ reason }) => freed(phone, reason, 'automatic')) };
  });
  const actor = SYSTEM(tx.orgId ?? 0);
  const applied = await applyDecisions(tx, deps.waker, decisions, { actor });
  await deps.notices.send(tx, lockNotices(decisions.map(({ phone }, index) => ({ phone, applied: applied[index]! }))));
  await releasePaid(tx, deps, actor, decisions);
}

/** Leases that are half over, or speak of another amount than is due today. @returns how many were made anew */
async function renew(tx: Tx, deps: LockingDeps, ids: readonly string[]): Promise<number> {
  const phones = (await takePhones(tx, ids, true)).filter(({ row }) => row.releasedAt === null);
  if (phones.length > 0) await refresh(tx, deps, SYSTEM(tx.orgId ?? 0), phones);
  return phones.length;
}
