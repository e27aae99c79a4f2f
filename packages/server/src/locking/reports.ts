import type { LockCause } from '@kist/contract/agent';
import { type IsoDate, addDays, businessDate, daysBetween } from '@kist/contract/dates';
import { LOCK_LEVELS, levelSchema } from '@kist/contract/lock-policy';
import * as agreements from '#server/agreements/agreements.ts';
import { sendAgain } from '#server/devices/desired.ts';
import * as devices from '#server/devices/devices.ts';
import type { DeviceChange } from '#server/devices/changes.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { type Change, applyDecisions } from './apply.ts';
import { phoneRestEndMs, restForClaim } from './claims.ts';
import { changeTo, noLongerStanding } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { openFromPhone } from './disputes.ts';
import { factsChanged, renewLeases } from './dues.ts';
import { type Phone, levelOf, lookAtPhones, takePhones } from './facts.ts';
import { type DeliveredNotice, type GateFacts, atInstant, withDebtLevel } from './rules/facts.ts';
import { gate } from './rules/gate.ts';
import { consentAtMs, delayFrom } from './rules/delay.ts';
import { noticeTime } from './rules/notice-times.ts';
import { oldestUnpaidAt } from './ladder-store.ts';
import { keepPhoneClaim } from './phone-claims.ts';
import { confirmCures } from './store.ts';
import { lockNotices, tellShop, tellShopOnce } from './tell.ts';

type PhoneEvent = NonNullable<DeviceChange['events']>[number];

/**
 * A phone has enrolled, for the first time or again after it was erased: it gets its lease and whatever level its agreement stands at. Lock state belongs
 * to the phone and the agreement, so erasing frees nobody; what no longer stands falls in the same moment. One that took the place of a live enrolment may
 * be another phone that answers for this one from now on: the shop hears of it at once.
 */
export async function enrolled(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  replacedLevel: number | null,
): Promise<void> {
  const [phone] = await takePhones(tx, [deviceId]);
  if (!phone) return;
  if (replacedLevel !== null)
    await tellShop(tx, [{ phone, kind: 'phone_enrolled_again', data: { level: replacedLevel } }]);
  const changes = noLongerStanding(phone);
  if (changes.length > 0) await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor: SYSTEM(tx.orgId ?? 0) });
  else await renewLeases(tx, [phone]);
}

/** What phones told us, drawn in the transaction that also takes it off the list; the order of the changes does not matter. */
export async function reported(tx: Tx, deps: LockingDeps, changes: readonly DeviceChange[]): Promise<void> {
  for (const change of changes) {
    const { deviceId, at } = change;
    if (change.settled) await confirmCures(tx, deviceId, { at, revision: change.settled.revision });
    if (change.gone) await gone(tx, deviceId);
    for (const command of change.commands ?? []) {
      if (command.type !== 'emi_alert' || command.state === 'FAILED') continue;
      if (await wasExchanged(tx, deviceId)) continue;
      await deps.notices.shownOnPhone(tx, { commandId: command.id, isSeen: command.state === 'VERIFIED', at });
    }
    await heardAll(tx, deps, deviceId, at, change.events ?? []);
    if (change.sims) await tellOf(tx, deviceId, 'sim_changed', { cards: change.sims.to.length });
    if (change.unfit) await unfit(tx, deps, deviceId, change.unfit);
  }
}

/** Another phone came in the place of this one: what it tells late is nothing of the agreement's any more. */
const isExchanged = ({ row }: Phone): boolean =>
  row.agreementDeviceId !== null && row.agreementDeviceId !== row.deviceId;
const wasExchanged = async (tx: Tx, deviceId: string): Promise<boolean> =>
  (await lookAtPhones(tx, [deviceId])).some(isExchanged);

/** A phone that was let go for good has gone: it asks no more. */
async function gone(tx: Tx, deviceId: string): Promise<void> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone?.row.releasedAt && phone.row.reportedLevel === 0) await devices.forget(tx, SYSTEM(tx.orgId ?? 0), deviceId);
}

/** Polls in a row that a phone may not fit before the shop hears of it, and for how many it is told again once it has read: a phone may have been free at first. */
const UNFIT_TOLD = { from: 3, to: 32 } as const;

/**
 * A phone that says it has the wanted revision and is on another level, has other switches or another document, is sent the same under a new one: it would
 * else stay so for ever. Not when something was decided meanwhile, for that is new already.
 */
async function unfit(
  tx: Tx,
  { waker }: LockingDeps,
  deviceId: string,
  { polls, desired, level, isFree }: NonNullable<DeviceChange['unfit']>,
): Promise<void> {
  const [phone] = await takePhones(tx, [deviceId]);
  if (!phone) return;
  // Nobody is kept waiting by a phone that is free and says a wrong digest: it is shown as unproven and healed, and is no matter for the bell.
  if (polls >= UNFIT_TOLD.from && polls <= UNFIT_TOLD.to && !isFree)
    await tellShopOnce(tx, { phone, kind: 'phone_does_not_follow', data: { level, wanted: phone.row.desiredLevel } });
  if (phone.row.revision !== desired) return;
  await sendAgain(tx, deviceId);
  waker.wake(tx, [deviceId]);
}

async function tellOf(tx: Tx, deviceId: string, kind: string, data: Record<string, string | number>): Promise<void> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone && !isExchanged(phone)) await tellShopOnce(tx, { phone, kind, data });
}

/** A vendor knows the phone no more: nothing that is asked of it reaches it, unless another channel took charge. The shop hears of it, and the phone counts as uninstalled. */
export async function phoneGone(tx: Tx, deps: Pick<LockingDeps, 'onGone'>, deviceId: string): Promise<void> {
  await tellOf(tx, deviceId, 'phone_gone', {});
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone && (await devices.liveChannels(tx, deviceId)) === 0) await uninstalled(tx, deps, phone);
}

/**
 * The agent said that it goes. Its key is listened to all the same, for what is given back: a word must leave nobody locked, whoever said it. One that the phone
 * told before it was set up anew is of a set-up that is over, and one beside another channel leaves the phone in that one's charge.
 */
async function agentRemoved(tx: Tx, deps: Pick<LockingDeps, 'onGone'>, phone: Phone, receivedAt: Date): Promise<void> {
  const { deviceId, enrolledAt } = phone.row;
  if (!enrolledAt || receivedAt < enrolledAt || (await devices.liveChannels(tx, deviceId)) > 1) return;
  await tellOf(tx, deviceId, 'phone_gone', {});
  await uninstalled(tx, deps, phone);
}

/** One that was let go goes as it was asked to, and one in whose place another came is nobody's any more. */
async function uninstalled(tx: Tx, { onGone }: Pick<LockingDeps, 'onGone'>, phone: Phone): Promise<void> {
  const { customerId, releasedAt } = phone.row;
  if (customerId === null || releasedAt !== null || isExchanged(phone)) return;
  await onGone(tx, SYSTEM(tx.orgId ?? 0), { customer_id: customerId });
}

/** A phone that bears this one's number is being set up for somebody else. */
export const phoneElsewhere = (tx: Tx, deviceId: string): Promise<void> => tellOf(tx, deviceId, 'phone_elsewhere', {});

/**
 * What a phone out of reach lived through comes in one report: first what it showed, since its steps rest on that; then the steps that it took while nothing
 * its holder said stopped it, then what was said, and last the steps against that, which meet a ladder that rests.
 */
async function heardAll(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  receivedAt: Date,
  events: readonly PhoneEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const [before] = await lookAtPhones(tx, [deviceId]);
  if (!before || isExchanged(before)) return;
  const claimed: DeliveredNotice[] = [];
  for (const { id, kind, at, data } of events) {
    if (kind !== 'notice_shown' && kind !== 'reminder_shown') continue;
    const notice = await shown(tx, deps, deviceId, { id, saidAt: new Date(at), receivedAt, kind, data });
    if (notice) claimed.push(notice);
  }
  const { leaseSeq } = before.row;
  const [first, later] = stepsAround(events, receivedAt);
  await leaseSteps(tx, deps, deviceId, { steps: first, claimed, receivedAt }, leaseSeq);
  const rested: boolean[] = [];
  for (const { kind, at, data } of events) {
    if (kind === 'payment_claimed')
      rested.push(await claimedByPhone(tx, deps, before, { saidAt: new Date(at), receivedAt }));
    if (kind === 'agent_removed') await agentRemoved(tx, deps, before, receivedAt);
    if (kind !== 'dispute') continue;
    const text = typeof data['text'] === 'string' ? data['text'].slice(0, 500) : '';
    await openFromPhone(tx, deps, { deviceId, text, at: new Date(at) });
  }
  // The phone takes no step until a lease comes that knows of it: there is a new one also where the ladder does not rest for it.
  if (rested.length > 0 && !rested.includes(true)) await factsChanged(tx, deps, [deviceId]);
  await leaseSteps(tx, deps, deviceId, { steps: later, claimed, receivedAt }, leaseSeq);
}

/**
 * The steps that a phone took while nothing that its holder said stopped them, and those that it took against that: after a complaint, or while the phone waits
 * since it was first said to be paid. By the phone's own moments, of which none is later than the report; what has one and the same stands in the order in
 * which it was told.
 */
function stepsAround(events: readonly PhoneEvent[], receivedAt: Date): [PhoneEvent[], PhoneEvent[]] {
  const atMs = ({ at }: PhoneEvent) => earlier(new Date(at), receivedAt).getTime();
  const inTime = events.toSorted((a, b) => atMs(a) - atMs(b));
  const first = (said: string) => inTime.findIndex(({ kind }) => kind === said);
  const [disputed, claimed] = [first('dispute'), first('payment_claimed')];
  const goesOnMs = claimed < 0 ? 0 : phoneRestEndMs(atMs(inTime[claimed]!));
  const isStopped = (step: PhoneEvent, nth: number) =>
    (disputed >= 0 && nth > disputed) || (claimed >= 0 && nth > claimed && atMs(step) < goesOnMs);
  const [free, stopped]: [PhoneEvent[], PhoneEvent[]] = [[], []];
  for (const [nth, one] of inTime.entries())
    if (one.kind === 'lease_step') (isStopped(one, nth) ? stopped : free).push(one);
  return [free, stopped];
}

/**
 * The button on the phone names no amount: the shop hears of it, it waits for an answer, and the ladder rests as for a claim that does.
 * @returns whether the phone has a new lease for it
 */
async function claimedByPhone(
  tx: Tx,
  deps: LockingDeps,
  phone: Phone,
  said: { saidAt: Date; receivedAt: Date },
): Promise<boolean> {
  await tellShopOnce(tx, { phone, kind: 'payment_claimed', data: {} });
  const agreement = await agreements.ofDevice(tx, { device_id: phone.row.deviceId });
  if (!agreement) return false;
  await keepPhoneClaim(tx, agreement, said);
  return restForClaim(tx, deps, SYSTEM(tx.orgId ?? 0), agreement);
}

/**
 * The phone showed a notice or a reminder by its lease. A notice is about the instalment that was the oldest unpaid one at the moment the phone names,
 * not about the one that is now: an old notice never serves a new debt. Its days run from the moment we received the word: a phone whose clock stands
 * 20 days back would else have a lock come early. One that the phone dates before it may be given (which no lease had it show) is not taken at all.
 * A reminder has no legal effect and keeps the phone's own moment.
 * @returns the notice as the phone tells it; null for anything else
 */
async function shown(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  event: {
    id: string;
    saidAt: Date;
    receivedAt: Date;
    kind: 'notice_shown' | 'reminder_shown';
    data: Record<string, unknown>;
  },
): Promise<DeliveredNotice | null> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone?.row.agreementId) return null;
  const on = businessDate(event.saidAt.getTime());
  const due = await oldestUnpaidAt(tx, phone.row.agreementId, on);
  if (!due) return null;
  const isNotice = event.kind === 'notice_shown';
  const notice = isNotice ? noticeSaid(phone, event, due.dueOn) : null;
  const known = isNotice ? (notice?.no ?? null) : reminderNo(phone, event.data, due.dueOn, on);
  if (known === null) return null;
  await deps.notices.shownByLease(tx, {
    agreementId: phone.row.agreementId,
    kind: isNotice ? 'notice' : 'reminder',
    no: known,
    dueOn: due.dueOn,
    amountPaise: due.leftPaise,
    at: isNotice ? event.receivedAt : earlier(event.saidAt, event.receivedAt),
    saidAt: event.saidAt,
    countsFrom: notice?.countsFrom ?? null,
    eventId: event.id,
  });
  return isNotice ? { no: known, dueOn: due.dueOn, deliveredAtMs: event.saidAt.getTime(), proof: 'said' } : null;
}

/** What a phone dates after we heard of it happened when we heard of it. */
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

/**
 * Which notice a phone can have shown at the moment it names. A lease holds a notice from the day it may be given on, and not before the days of the one
 * that it follows are over: what is told of an earlier moment was shown by no lease, and a claim that counts for nothing must not stand as a delivery.
 */
function noticeSaid(
  phone: Phone,
  { saidAt, data }: { saidAt: Date; data: Record<string, unknown> },
  dueOn: IsoDate,
): { no: number; countsFrom: Date } | null {
  const { notices, agreement, consents } = phone.facts({
    reason: 'EMI_OVERDUE',
    level: LOCK_LEVELS.reminder,
    trigger: 'lease',
  });
  const delay = delayFrom(dueOn, consentAtMs(consents), agreement?.noticesFromMs ?? null);
  const { no, lease_seq: seq } = data;
  const time = typeof no === 'number' ? noticeTime(phone.policy, delay, notices, no) : undefined;
  if (!time || time.earliestMs === null || saidAt.getTime() < time.earliestMs) return null;
  if (typeof seq === 'number' && seq > phone.row.leaseSeq) return null;
  return { no: time.notice.no, countsFrom: new Date(time.earliestMs) };
}

/** Reminders are numbered from the earliest on, as the daily run numbers them; one for another day than the due date's is none of this instalment. */
function reminderNo({ policy }: Phone, { key }: Record<string, unknown>, dueOn: IsoDate, on: IsoDate): number | null {
  const offset = Number(/^D(-?\d{1,2})$/.exec(typeof key === 'string' ? key : '')?.[1] ?? Number.NaN);
  const offsets = policy.reminderOffsetDays.toSorted((a, b) => a - b);
  const index = offsets.indexOf(offset);
  return index >= 0 && daysBetween(addDays(dueOn, offset), on) <= 1 ? index + 1 : null;
}

/** The steps of one report, and what the phone says it showed before them. */
interface Climb {
  steps: readonly PhoneEvent[];
  claimed: readonly DeliveredNotice[];
  receivedAt: Date;
}

/** Steps that a phone dates before its enrolment all stand at that moment: then the lower one came first. */
const inOrder = (a: PhoneEvent, b: PhoneEvent): number =>
  Date.parse(a.at) - Date.parse(b.at) || Number(a.data['level']) - Number(b.data['level']);

/**
 * Follows the steps for as long as the gate allows each as of the moment the phone names, which is never later than now.
 * @param asked facts with the level held before them
 * @param sinceMs from when a step counts for the next one
 */
function follow(asked: GateFacts, steps: readonly PhoneEvent[], sinceMs: (atMs: number) => number) {
  let { currentDebtLevel: level, levelSinceMs } = asked.device;
  let raise: Change | null = null;
  for (const step of steps.toSorted(inOrder)) {
    const parsed = levelSchema.safeParse(step.data['level']);
    if (!parsed.success || parsed.data <= level) continue;
    const atMs = Math.min(Date.parse(step.at), asked.nowMs);
    const facts = {
      ...atInstant(withDebtLevel(asked, level, levelSinceMs), atMs),
      request: { ...asked.request, level: parsed.data },
    };
    const verdict = gate(facts);
    if (!verdict.allowed) return { raise, refused: { level: parsed.data, rule: verdict.rule } };
    level = parsed.data;
    levelSinceMs = sinceMs(atMs);
    raise = { cause: 'debt', reason: 'EMI_OVERDUE', level, verdict, facts, sinceMs: levelSinceMs };
  }
  return { raise, refused: null };
}

/**
 * The phone took steps of its ladder by itself. Each is judged as of its own moment, which can only be stricter than now, on notices as of the moments we
 * know them from; what the gate allows becomes the level in force and counts from the moment we heard of it, so no clock but ours brings the next one
 * nearer. A phone that went further is put back to the lawful level at once; when that was under the lease it holds now and its own account does not
 * explain it either, the shop is alarmed.
 */
async function leaseSteps(
  tx: Tx,
  deps: LockingDeps,
  deviceId: string,
  { steps, claimed, receivedAt }: Climb,
  leaseSeq: number,
): Promise<void> {
  if (steps.length === 0) return;
  const [phone] = await takePhones(tx, [deviceId]);
  if (!phone || phone.row.releasedAt) return;
  const asked = phone.facts({ reason: 'EMI_OVERDUE', level: LOCK_LEVELS.reminder, trigger: 'lease' });
  const { raise, refused } = follow(asked, steps, () => receivedAt.getTime());
  const down = noLongerStanding(phone);
  const isStanding = down.every(({ cause }) => cause !== ('debt' satisfies LockCause));
  const changes: Change[] = raise && isStanding ? [...down, raise] : down;
  if (refused && changes.length === 0) changes.push(changeTo(asked, levelOf(phone.row, 'debt')));
  if (changes.length === 0) return;
  const actor = SYSTEM(tx.orgId ?? 0);
  const [applied] = await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor });
  if (applied) await deps.notices.send(tx, lockNotices([{ phone, applied }]));
  const told = follow({ ...asked, notices: [...asked.notices, ...claimed] }, steps, (atMs) => atMs);
  const isUnderThisLease = steps.some(({ data }) => data['lease_seq'] === leaseSeq);
  if (told.refused && isUnderThisLease)
    await tellShopOnce(tx, { phone, kind: 'lock_beyond_lease', data: told.refused });
}
