import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { LockCause } from '@kist/contract/agent';
import { SWITCHES, type SwitchCommand, givingBack } from '@kist/contract/commands';
import type { LockLevel, LockReason, Verdict } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import { type NewCommand, createMany } from '#server/commands/commands.ts';
import { setDesiredMany } from '#server/devices/desired.ts';
import type { Waker } from '#server/commands/wake.ts';
import { type Actor, SYSTEM_USER_ID } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { claimsAfter, desiredLock } from './desired-lock.ts';
import { type Phone, heldBy, levelOf, takenBy } from './facts.ts';
import type { TakenRow } from './facts-store.ts';
import { leaseTerms } from './lease-terms.ts';
import type { GateFacts } from './rules/facts.ts';
import { leastLevel, stillStands } from './rules/taking.ts';
import { type VerdictInsert, insertTest, insertVerdicts, upsertLocks } from './store.ts';
import { switchChange } from './switches.ts';
import { endRestrictions } from './taking-store.ts';

/** What becomes of one cause, and the gate's verdict it stands on. */
export interface Change {
  cause: LockCause;
  reason: LockReason;
  level: LockLevel;
  verdict: Verdict;
  facts: GateFacts;
  /** When the level was really taken (the phone by its lease); now when left out. */
  sinceMs?: number;
}

export interface Decision {
  phone: Phone;
  changes: readonly Change[];
}

export interface How {
  actor: Actor;
  /** What the order is called in the history; left out: a lock or an unlock when the phone crosses that line, else none. */
  command?: 'lock' | 'unlock';
  note?: string | undefined;
  batchId?: string | undefined;
}

export interface Applied {
  deviceId: string;
  revision: number;
  /** Null when the phone stays on its side of the line between reminding and locking. */
  commandId: string | null;
  from: LockLevel;
  to: LockLevel;
}

/**
 * Carries out what was decided about phones that this transaction has taken (`takePhones`): the lock of each cause, the desired state composed of all
 * causes, a lease that fits it, the order, the verdict with its facts and the audit line. A handful of statements, whether for one phone or 100,000.
 * @returns one entry for each decision, in the order given
 */
export async function applyDecisions(
  tx: Tx,
  waker: Waker,
  decisions: readonly Decision[],
  how: How,
): Promise<Applied[]> {
  if (decisions.length === 0) return [];
  const planned = await mapInSlices(decisions, plan, 'ahead');
  const revisions = await setDesiredMany(
    tx,
    planned.map(({ phone, lock, lease, switches }) => ({ deviceId: phone.row.deviceId, lock, lease, ...switches })),
  );
  const commandIds = await order(tx, planned, revisions, how);
  await giveBack(tx, planned, revisions, how);
  const written = await mapInSlices(planned, (one, index) =>
    rowsOf(one, revisions[index]!, commandIds.get(one.phone.row.deviceId) ?? null, how),
  );
  const locks = written.flatMap((one) => one.locks);
  await upsertLocks(tx, locks);
  // One phone at a time, by whoever tries its lock out.
  for (const { cause, level, agreement_id, device_id } of locks)
    if (cause === 'enrolment_test' && level > 0 && agreement_id !== null)
      await insertTest.run(tx, { agreement_id, device_id });
  await insertVerdicts(
    tx,
    written.flatMap((one) => one.verdicts),
  );
  await appendLines(
    tx,
    how.actor,
    'lock_level_decided',
    written.map((one) => one.line),
  );
  waker.wake(
    tx,
    planned.map(({ phone }) => phone.row.deviceId),
  );
  return planned.map(({ phone, lock }, index) => ({
    deviceId: phone.row.deviceId,
    revision: revisions[index]!,
    commandId: commandIds.get(phone.row.deviceId) ?? null,
    from: phone.row.desiredLevel,
    to: lock.level as LockLevel,
  }));
}

/** @returns the order of each phone that gets one */
async function order(
  tx: Tx,
  planned: readonly Planned[],
  revisions: readonly number[],
  how: How,
): Promise<Map<string, string>> {
  const orders = await mapInSlices(planned, (one, index) => orderOf(one, revisions[index]!, how));
  const wanted = orders.filter((one) => one !== null);
  const ids = await createMany(tx, wanted);
  return new Map(ids.map((id, index) => [wanted[index]!.deviceId, id]));
}

/** What is kept of one decision: a lock and a verdict for each cause, one audit line. */
function rowsOf({ phone, changes, lock, back }: Planned, revision: number, commandId: string | null, how: How) {
  const { deviceId, agreementId } = phone.row;
  const kept = changes.map((change) => ({ change, verdictId: newId() }));
  const data = {
    causes: kept.map(({ change, verdictId }) => ({
      cause: change.cause,
      from: levelOf(phone.row, change.cause),
      to: change.level,
      reason: change.reason,
      trigger: change.verdict.trigger,
      rule: change.verdict.rule,
      verdict_id: verdictId,
    })),
    level: lock.level,
    revision,
    agreement_id: agreementId,
    command_id: commandId,
    ...(back.length > 0 && { given_back: back.map(({ taken }) => taken) }),
    ...(how.batchId && { batch_id: how.batchId }),
  };
  return {
    locks: kept.map(({ change, verdictId }) => ({
      device_id: deviceId,
      cause: change.cause,
      level: change.level,
      agreement_id: agreementId,
      reason: change.reason,
      verdict_id: verdictId,
      level_since: change.sinceMs === undefined ? null : new Date(change.sinceMs).toISOString(),
      ends_at: change.level > 0 ? change.verdict.expires_at : null,
    })),
    verdicts: kept.map(({ change, verdictId }) => verdictRow(verdictId, phone, change, revision, commandId)),
    line: { id: deviceId, data },
  };
}

type Planned = ReturnType<typeof plan>;

function plan({ phone, changes }: Decision) {
  const lock = desiredLock(
    phone.row,
    claimsAfter(
      phone.row,
      changes.map((change) => ({ ...change, endsAt: change.verdict.expires_at })),
    ),
  );
  const debt = changes.find(({ cause }) => cause === 'debt');
  const held = heldBy(phone.row, 'debt');
  const standing =
    debt && debt.level !== (held?.level ?? 0)
      ? { level: debt.level, sinceMs: debt.sinceMs ?? phone.nowMs }
      : { level: held?.level ?? 0, sinceMs: held ? Date.parse(held.level_since) : null };
  const back = givenBack(phone, changes);
  const kept = (phone.row.restrictions ?? []).filter((one) => !back.includes(one));
  const switches = switchChange(phone.row, kept);
  return { phone, changes, lock, lease: leaseTerms(phone, standing, lock.screen), switches, back };
}

/** What was taken besides the level goes back when its cause is lifted, falls below the level that may take it, or no longer carries it. */
function givenBack(phone: Phone, changes: readonly Change[]): TakenRow[] {
  return changes.flatMap((change) =>
    takenBy(phone.row, change.cause).filter(({ taken }) => {
      if (change.level === 0) return true;
      const isFall = change.level < levelOf(phone.row, change.cause);
      const least = leastLevel(phone.policy, taken, change.reason) ?? Infinity;
      return (isFall && change.level < least) || !stillStands(change.facts, taken);
    }),
  );
}

/** Ends what goes back, with an order for each that the phone and its history know it by. */
async function giveBack(tx: Tx, planned: readonly Planned[], revisions: readonly number[], how: How): Promise<void> {
  const rows = planned.flatMap(({ phone, back }) =>
    back.map(({ taken, cause }) => ({ device_id: phone.row.deviceId, taken, cause })),
  );
  await endRestrictions(tx, rows);
  for (const taken of SWITCHES) {
    const orders = planned.flatMap(({ phone, changes, back }, index): NewCommand[] =>
      back.some((one) => one.taken === taken)
        ? [
            {
              deviceId: phone.row.deviceId,
              type: givingBack(taken),
              revision: revisions[index]!,
              reason: changes[0]!.reason,
              requestedBy: requestedBy(how.actor),
            },
          ]
        : [],
    );
    if (orders.length > 0) await createMany(tx, orders);
  }
}

/** Null: the server itself. */
const requestedBy = ({ userId }: Actor): string | null => (userId === SYSTEM_USER_ID ? null : userId);

/** Below the line a phone only reminds: that is a state, not an order. */
function orderOf({ phone, changes, lock }: Planned, revision: number, how: How): NewCommand | null {
  const was = phone.row.desiredLevel;
  const crossing =
    lock.level >= LOCKED_FROM_LEVEL ? 'lock' : was >= LOCKED_FROM_LEVEL || lock.level === 0 ? 'unlock' : null;
  const isMoved =
    lock.level !== was && (lock.level >= LOCKED_FROM_LEVEL || was >= LOCKED_FROM_LEVEL || lock.level === 0);
  const type = how.command ?? (isMoved ? crossing : null);
  const first = changes[0];
  if (!type || !first) return null;
  return {
    deviceId: phone.row.deviceId,
    type,
    revision,
    args: { level: lock.level },
    reason: first.reason,
    ...(how.note === undefined ? {} : { note: how.note }),
    requestedBy: requestedBy(how.actor),
    verdict: brief(first.verdict),
    ...(how.batchId === undefined ? {} : { batchId: how.batchId }),
  };
}

/** What the history shows; the whole verdict stands in `verdicts`. */
export const brief = ({ allowed, rule, explain, requested_level, days_past_due }: Verdict) => ({
  allowed,
  rule,
  explain,
  requested_level,
  days_past_due,
});

/** The facts as the gate was given them, the policy by its name: its text is stamped on the agreement and never changes. */
export function verdictRow(
  verdictId: string,
  { row }: Phone,
  { verdict, facts }: Pick<Change, 'verdict' | 'facts'>,
  revision: number | null,
  commandId: string | null,
): VerdictInsert {
  const { preset, version, holidays } = facts.policy;
  return {
    verdict_id: verdictId,
    device_id: row.deviceId,
    agreement_id: row.agreementId,
    command_id: commandId,
    revision,
    allowed: verdict.allowed,
    rule: verdict.rule,
    facts: { ...facts, policy: { preset, version, holidays } },
    verdict,
  };
}

/** Keeps refused requests (a lock, if not said otherwise): the order in the phone's history with the rule, the verdict with its facts, the audit line. Changes no phone. */
export async function recordRefusals(
  tx: Tx,
  refusals: readonly { phone: Phone; reason: LockReason; verdict: Verdict; facts: GateFacts; type?: SwitchCommand }[],
  how: Omit<How, 'command'>,
): Promise<void> {
  if (refusals.length === 0) return;
  const ids = await createMany(
    tx,
    refusals.map(({ phone, reason, verdict, type = 'lock' as const }) => ({
      deviceId: phone.row.deviceId,
      type,
      args: type === 'lock' ? { level: verdict.requested_level } : {},
      reason,
      ...(how.note === undefined ? {} : { note: how.note }),
      requestedBy: requestedBy(how.actor),
      verdict: brief(verdict),
      state: 'REFUSED' as const,
      ...(how.batchId === undefined ? {} : { batchId: how.batchId }),
    })),
  );
  const rows = refusals.map((refusal, index) => verdictRow(newId(), refusal.phone, refusal, null, ids[index]!));
  await insertVerdicts(tx, rows);
  const lines = rows.map(({ device_id: id, verdict_id, rule, command_id }, index) => ({
    id,
    data: { verdict_id, rule, command_id, reason: refusals[index]!.reason },
  }));
  await appendLines(tx, how.actor, 'lock_refused', lines);
}

/** Lines in one statement: hashing 100,000 in one would come near the time a statement may take. */
const LINES = 5000;

async function appendLines(
  tx: Tx,
  actor: Actor,
  action: string,
  lines: readonly { id: string; data: Record<string, unknown> }[],
): Promise<void> {
  for (let at = 0; at < lines.length; at += LINES) {
    const chunk = lines.slice(at, at + LINES);
    await audit.appendMany(
      tx,
      'device',
      chunk.map(({ id }) => id),
      actor,
      action,
      chunk.map(({ data }) => data),
    );
  }
}
