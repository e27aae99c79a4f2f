import type { LeaseTerms, LockScreen } from '@kist/contract/agent';
import { DAY_MS, instantOf } from '@kist/contract/dates';
import type { LockLevel } from '@kist/contract/lock-policy';
import type { Phone } from './facts.ts';
import { withDebtLevel } from './rules/facts.ts';
import { leasePlan } from './rules/lease-ladder.ts';
import { lockScreen } from './screen.ts';

/** A phone out of reach acts on its lease this long; one in reach has a newer one long before (the daily run renews at half time). */
export const LEASE_DAYS = 60;
/** After the last step nothing more is to come, but the phone must still be able to take it when switched on late. */
export const AFTER_LAST_STEP_DAYS = 14;

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * What the phone may do alone from now on, for the debt only. It gives the phone no step that the gate would refuse at that moment with the facts of
 * now; a phone of no active agreement gets a lease that allows nothing.
 * @param standing the debt level the phone is put on in this transaction, and since when
 * @param shown the screen that the phone is to show now: made of the same row, so one for the debt is the lease's too
 */
export function leaseTerms(
  phone: Phone,
  standing: { level: LockLevel; sinceMs: number | null },
  shown: LockScreen | null = null,
): LeaseTerms {
  const { row, nowMs } = phone;
  const isLive = row.state === 'active' && row.releasedAt === null && row.oldestDueOn !== null;
  const facts = withDebtLevel(
    phone.facts({ reason: 'EMI_OVERDUE', level: 1, trigger: 'lease' }),
    standing.level,
    standing.sinceMs,
  );
  const plan = isLive ? leasePlan(facts) : { notices: [], steps: [] };
  const lastStepMs = plan.steps.at(-1)?.atMs ?? nowMs;
  return {
    valid_until: iso(Math.max(nowMs + LEASE_DAYS * DAY_MS, lastStepMs + AFTER_LAST_STEP_DAYS * DAY_MS)),
    reminders: isLive ? remindersOf(phone) : [],
    notices: plan.notices.slice(0, 4).map(({ no, atMs, deliveredAtMs }) => ({
      no,
      at: iso(atMs),
      delivered_at: deliveredAtMs === null ? null : iso(deliveredAtMs),
    })),
    ladder: plan.steps.map((step) => ({
      at: iso(step.atMs),
      level: step.level,
      notice_no: step.noticeNo,
      notice_days: step.noticeDays,
    })),
    screen: isLive ? (shown?.reason === 'EMI_OVERDUE' ? shown : lockScreen(row, 'EMI_OVERDUE')) : null,
    ...(isLive && row.phoneClaim?.answer && { claim_answer: row.phoneClaim.answer }),
  };
}

/** Reminders of the instalment that is due next, at the opening of the automatic hours; those of the past are the server's. */
function remindersOf({ row, policy, nowMs }: Phone): LeaseTerms['reminders'] {
  if (row.oldestDueOn === null) return [];
  const opensOnDueDayMs = instantOf(row.oldestDueOn, policy.automaticHours.fromHour * 60);
  return policy.reminderOffsetDays
    .toSorted((a, b) => a - b)
    .map((offset) => ({ offset, atMs: opensOnDueDayMs + offset * DAY_MS }))
    .filter(({ atMs }) => atMs > nowMs)
    .map(({ offset, atMs }) => ({ at: iso(atMs), key: reminderKey(offset) }));
}

/** `D-3`, `D0`: what the phone's own text for a reminder is found by. */
const reminderKey = (offsetDays: number): string => `D${offsetDays}`;
