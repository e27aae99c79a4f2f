import { DAY_MS, type IsoDate, businessDate } from '@kist/contract/dates';
import type { LockLevel } from '@kist/contract/lock-policy';
import { HOUR_MS, dayStartMs, spreadInWindowMs } from './calendar.ts';
import { consentAtMs } from './delay.ts';
import { type GateFacts, atInstant, withDebtLevel } from './facts.ts';
import { type Gate, gate } from './gate.ts';
import { spreadMs } from './lease-ladder.ts';
import { type Arrears, type NoticeId, noticesDue } from './notices.ts';

/** One agreement as it stands: `facts` of now (what they ask is left aside), what is or will be unpaid in the days looked at, what was said about it. */
export interface Life {
  facts: GateFacts;
  state: Arrears['state'];
  unpaid: Arrears['unpaid'];
  sent: readonly NoticeId[];
  /** The phone is set up under this agreement and not released: it can be held. */
  isHoldable: boolean;
}

/** `no` of a message, `level` of a step of the ladder; the other is null. `unlock`: everything for money is off. */
export type ReplayedStep =
  | { on: IsoDate; kind: 'reminder' | 'notice'; no: number; level: null; dueOn: IsoDate }
  | { on: IsoDate; kind: 'level' | 'unlock'; no: null; level: LockLevel; dueOn: IsoDate | null };

const askedAt = (facts: GateFacts, nowMs: number, level: LockLevel): GateFacts => ({
  ...atInstant(facts, nowMs),
  request: { reason: 'EMI_OVERDUE', level, trigger: 'automatic' },
});

/**
 * What the daily run would do to one agreement on each of the coming days if nothing is paid, every notice arrives when it is sent, and disputes and holds
 * stay as they are: the worst that can happen. Pure: nothing is written or sent.
 * @param days today among them
 */
export function createReplay(judge: Gate): (life: Life, days: number) => ReplayedStep[] {
  return (life, days) => {
    const day = { ...life, sent: [...life.sent] };
    const steps: ReplayedStep[] = [];
    const todayMs = dayStartMs(life.facts.nowMs);
    for (let at = 0; at < days; at++) {
      const startMs = at === 0 ? life.facts.nowMs : todayMs + at * DAY_MS;
      if (life.isHoldable) fall(judge, day, startMs, steps);
      tell(day, startMs, steps);
      if (life.isHoldable) rise(judge, day, startMs, steps);
    }
    return steps;
  };
}

/** A life while it is gone through, day by day. */
export type Day = Life & { sent: NoticeId[] };

/** What the rules let stand no more goes down at once, at any hour. */
export function fall(judge: Gate, day: Day, nowMs: number, steps: ReplayedStep[]): void {
  const held = day.facts.device.currentDebtLevel;
  if (held === 0) return;
  const { level } = judge(askedAt(day.facts, nowMs, held));
  if (level >= held) return;
  put(day, level, nowMs, steps);
}

/** What is to be said that day; a notice arrives when it is sent. */
export function tell(day: Day, startMs: number, steps: ReplayedStep[]): void {
  const { policy, notices: delivered } = day.facts;
  const on = businessDate(startMs);
  const openMs = Math.max(startMs, dayStartMs(startMs) + policy.automaticHours.fromHour * HOUR_MS);
  const { agreement, consents } = day.facts;
  const about = { consentMs: consentAtMs(consents), noticesFromMs: agreement?.noticesFromMs ?? null };
  const due = noticesDue({ state: day.state, unpaid: day.unpaid, delivered, ...about }, policy, on, day.sent);
  for (const { kind, no, dueOn } of due) {
    day.sent.push({ kind, no, dueOn });
    steps.push({ on, kind, no, level: null, dueOn });
    if (kind !== 'notice') continue;
    const arrived = { no, dueOn, deliveredAtMs: openMs, proof: 'assumed' };
    day.facts = { ...day.facts, notices: [...day.facts.notices, arrived] };
  }
}

/** One level, at the phone's own moment of the day. */
export function rise(judge: Gate, day: Day, startMs: number, steps: ReplayedStep[]): void {
  const { device, policy } = day.facts;
  if (device.currentDebtLevel === 4) return;
  const next = (device.currentDebtLevel + 1) as LockLevel;
  const turnMs = spreadInWindowMs(startMs, policy.automaticHours, spreadMs(device.deviceId));
  if (judge(askedAt(day.facts, turnMs, next)).allowed) put(day, next, turnMs, steps);
}

function put(day: Day, level: LockLevel, atMs: number, steps: ReplayedStep[]): void {
  const { agreement, device } = day.facts;
  const isRaise = level > device.currentDebtLevel;
  const sinceMs = level === 0 ? null : isRaise ? atMs : device.levelSinceMs;
  day.facts = withDebtLevel(day.facts, level, sinceMs);
  const on = businessDate(atMs);
  const dueOn = agreement?.oldestUnpaidDueOn ?? null;
  steps.push({ on, kind: level === 0 ? 'unlock' : 'level', no: null, level, dueOn });
}

/** By the rules of the house. */
export const replay = createReplay(gate);
