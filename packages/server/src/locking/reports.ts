import type { LockCause } from '@kist/contract/agent';
import { type IsoDate, addDays, businessDate, daysBetween } from '@kist/contract/dates';
import { LOCK_LEVELS, type LockLevel, levelSchema } from '@kist/contract/lock-policy';
import { forget } from '#server/devices/devices.ts';
import type { DeviceChange } from '#server/devices/changes.ts';
import { SYSTEM } from '#server/identity/actor.ts';
import type { Tx } from '#server/platform/database.ts';
import { type Change, applyDecisions } from './apply.ts';
import { changeTo, fallen } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { openFromPhone } from './disputes.ts';
import { renewLeases } from './dues.ts';
import { type Phone, levelOf, lookAtPhones, takePhones } from './facts.ts';
import { atInstant, withDebtLevel } from './rules/facts.ts';
import { gate } from './rules/gate.ts';
import { oldestUnpaidAt } from './ladder-store.ts';
import { confirmCures } from './store.ts';
import { lockNotices, tellShop } from './tell.ts';

type PhoneEvent = NonNullable<DeviceChange['events']>[number];

/**
 * A phone has enrolled, for the first time or again after it was erased: it gets its lease and whatever level its agreement stands at. Lock state belongs
 * to the phone and the agreement, so erasing frees nobody; what no longer stands falls in the same moment.
 */
export async function enrolled(tx: Tx, deps: LockingDeps, deviceId: string): Promise<void> {
  const [phone] = await takePhones(tx, [deviceId]);
  if (!phone) return;
  const changes = fallen(phone);
  if (changes.length > 0) await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor: SYSTEM(tx.orgId ?? 0) });
  else await renewLeases(tx, [phone]);
}

/** What phones told us, drawn in the transaction that also takes it off the list; the order of the changes does not matter. */
export async function reported(tx: Tx, deps: LockingDeps, changes: readonly DeviceChange[]): Promise<void> {
  for (const change of changes) {
    const { deviceId, at } = change;
    if (change.settled || change.level?.to === 0) await settled(tx, deviceId, at);
    for (const command of change.commands ?? []) {
      if (command.type !== 'emi_alert' || command.state === 'FAILED') continue;
      await deps.notices.shownOnPhone(tx, { commandId: command.id, isSeen: command.state === 'VERIFIED', at });
    }
    await heardAll(tx, deps, deviceId, change.events ?? []);
    if (change.sims) await tellOf(tx, deviceId, 'sim_changed', { cards: change.sims.to.length });
  }
}

/** The phone is what it shall be: every cure that waited for it ends, and one that was let go for good has gone. */
async function settled(tx: Tx, deviceId: string, at: Date): Promise<void> {
  await confirmCures(tx, deviceId, at);
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone?.row.releasedAt && phone.row.reportedLevel === 0) await forget(tx, SYSTEM(tx.orgId ?? 0), deviceId);
}

async function tellOf(tx: Tx, deviceId: string, kind: string, data: Record<string, string | number>): Promise<void> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone) await tellShop(tx, [{ phone, kind, data }]);
}

/** What a phone out of reach lived through comes in one report: first what it showed, since its steps rest on that; then the steps; disputes last. */
async function heardAll(tx: Tx, deps: LockingDeps, deviceId: string, events: readonly PhoneEvent[]): Promise<void> {
  if (events.length === 0) return;
  const [before] = await lookAtPhones(tx, [deviceId]);
  if (!before) return;
  for (const { id, kind, at, data } of events)
    if (kind === 'notice_shown' || kind === 'reminder_shown')
      await shown(tx, deps, deviceId, { id, at: new Date(at), kind, data });
  const steps = events.filter(({ kind }) => kind === 'lease_step');
  if (steps.length > 0) await leaseSteps(tx, deps, deviceId, steps, before.row.leaseSeq);
  for (const { kind, data } of events) {
    if (kind === 'payment_claimed') await tellShop(tx, [{ phone: before, kind, data: {} }]);
    if (kind !== 'dispute') continue;
    const text = typeof data['text'] === 'string' ? data['text'].slice(0, 500) : '';
    await openFromPhone(tx, deps, { deviceId, text });
  }
}

/**
 * The phone showed a notice or a reminder by its lease. A notice is about the instalment that was the oldest unpaid one at that moment, not about the
 * one that is now: an old notice never serves a new debt.
 */
async function shown(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  event: { id: string; at: Date; kind: 'notice_shown' | 'reminder_shown'; data: Record<string, unknown> },
): Promise<void> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone?.row.agreementId) return;
  const on = businessDate(event.at.getTime());
  const due = await oldestUnpaidAt(tx, phone.row.agreementId, on);
  if (!due) return;
  const known =
    event.kind === 'notice_shown' ? noticeNo(phone, event.data) : reminderNo(phone, event.data, due.dueOn, on);
  if (known === null) return;
  await deps.notices.shownByLease(tx, {
    agreementId: phone.row.agreementId,
    kind: event.kind === 'notice_shown' ? 'notice' : 'reminder',
    no: known,
    dueOn: due.dueOn,
    amountPaise: due.leftPaise,
    at: event.at,
    eventId: event.id,
  });
}

const noticeNo = ({ policy }: Phone, { no }: Record<string, unknown>): number | null =>
  policy.notices.find((notice) => notice.no === no)?.no ?? null;

/** Reminders are numbered from the earliest on, as the daily run numbers them; one for another day than the due date's is none of this instalment. */
function reminderNo({ policy }: Phone, { key }: Record<string, unknown>, dueOn: IsoDate, on: IsoDate): number | null {
  const offset = Number(/^D(-?\d{1,2})$/.exec(typeof key === 'string' ? key : '')?.[1] ?? Number.NaN);
  const offsets = policy.reminderOffsetDays.toSorted((a, b) => a - b);
  const index = offsets.indexOf(offset);
  return index >= 0 && daysBetween(addDays(dueOn, offset), on) <= 1 ? index + 1 : null;
}

/**
 * The phone took steps of its ladder by itself. Each is judged as of its own moment; what the gate allows becomes the level in force, with the moment
 * at which it really began. A phone that went further is put back to the lawful level at once; when it did so under the lease it holds now, nothing that
 * happened since can explain it, and the shop is alarmed.
 */
async function leaseSteps(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  steps: readonly PhoneEvent[],
  leaseSeq: number,
): Promise<void> {
  const [phone] = await takePhones(tx, [deviceId]);
  if (!phone || phone.row.releasedAt) return;
  const held = levelOf(phone.row, 'debt');
  const asked = phone.facts({ reason: 'EMI_OVERDUE', level: LOCK_LEVELS.reminder, trigger: 'lease' });
  let level: LockLevel = held;
  let sinceMs = asked.device.levelSinceMs;
  let raise: Change | null = null;
  let refusedStep: { level: number; rule: string } | null = null;
  for (const step of steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const parsed = levelSchema.safeParse(step.data['level']);
    if (!parsed.success || parsed.data <= level) continue;
    const atMs = Math.min(Date.parse(step.at), phone.nowMs);
    const facts = {
      ...atInstant(withDebtLevel(asked, level, sinceMs), atMs),
      request: { ...asked.request, level: parsed.data },
    };
    const verdict = gate(facts);
    if (!verdict.allowed) {
      refusedStep = { level: parsed.data, rule: verdict.rule };
      break;
    }
    level = parsed.data;
    sinceMs = atMs;
    raise = { cause: 'debt', reason: 'EMI_OVERDUE', level, verdict, facts, sinceMs: atMs };
  }
  const down = fallen(phone);
  const isStanding = down.every(({ cause }) => cause !== ('debt' satisfies LockCause));
  const changes: Change[] = raise && isStanding ? [raise] : down;
  if (refusedStep && changes.length === 0) changes.push(changeTo(asked, held));
  if (changes.length === 0) return;
  const actor = SYSTEM(tx.orgId ?? 0);
  const [applied] = await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor });
  if (applied) await deps.notices.send(tx, lockNotices([{ phone, applied }]));
  const isUnderThisLease = steps.some(({ data }) => data['lease_seq'] === leaseSeq);
  if (refusedStep && isUnderThisLease) await tellShop(tx, [{ phone, kind: 'lock_beyond_lease', data: refusedStep }]);
}
