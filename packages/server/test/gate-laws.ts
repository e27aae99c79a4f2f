import type { LockLevel, Verdict } from '@kist/contract/lock-policy';
import { DAY_MS, HOUR_MS, dayOf, dayOfDate } from './lock-facts.ts';
import { atInstant, atLevel, withDebtLevel, type GateFacts } from '#server/locking/rules/facts.ts';
import type { Gate } from '#server/locking/rules/gate.ts';
import { assumingNotices } from '#server/locking/rules/notice-times.ts';

/**
 * What must hold of every gate, written apart from the gate's own rules: whole days counted as numbers, one plain question after the other.
 * A law returns what is wrong, or null. planted-bugs.test.ts proves that each kind of broken gate breaks one.
 */
export type Law = (facts: GateFacts, gate: Gate) => string | null;

const isDebt = ({ reason }: GateFacts['request']) => reason === 'EMI_OVERDUE' || reason === 'ORG_OVERRIDE';
const dueDayOf = ({ agreement }: GateFacts): number | null =>
  agreement?.oldestUnpaidDueOn && agreement.oldestUnpaidPaise > 0 ? dayOfDate(agreement.oldestUnpaidDueOn) : null;

/** The moment of the first consent that counts. */
function consentDay({ consents }: GateFacts): number | null {
  const days = consents.filter((one) => one.textVersion !== '' && one.hash !== '').map((one) => one.acceptedAtMs);
  return days.length === 0 ? null : Math.min(...days);
}

/** Days count from the later of the due date and the consent. */
const countedFrom = (facts: GateFacts, dueDay: number): number => {
  const consentMs = consentDay(facts);
  return consentMs === null ? dueDay : Math.max(dueDay, dayOf(consentMs));
};

/** A tenth of one EMI and ₹100 at least have to be late for more than a reminder. */
function isEnough({ agreement, nowMs }: GateFacts): boolean {
  if (!agreement?.oldestUnpaidDueOn) return false;
  const unpaid = [{ dueOn: agreement.oldestUnpaidDueOn, paise: agreement.oldestUnpaidPaise }, ...agreement.laterUnpaid];
  const late = unpaid.filter(({ dueOn }) => dayOfDate(dueOn) < dayOf(nowMs));
  const paise = late.reduce((sum, one) => sum + one.paise, 0);
  return paise >= 10_000 && paise * 10 >= agreement.emiPaise;
}

/** The day from which notice `no` no longer protects; null while it was not lawfully delivered. */
function protectedUntilDay(
  facts: GateFacts,
  no: number,
  dueDay: number,
): { deliveredAtMs: number; freeDay: number } | null {
  const notice = facts.policy.notices.find((one) => one.no === no);
  if (!notice) return null;
  let firstDay = countedFrom(facts, dueDay) + notice.fromDpd;
  if (notice.afterNotice !== undefined) {
    const before = protectedUntilDay(facts, notice.afterNotice, dueDay);
    if (!before) return null;
    firstDay = Math.max(firstDay, before.freeDay);
  }
  const lawful = facts.notices
    .filter(
      (one) =>
        one.no === no && one.proof !== '' && dayOfDate(one.dueOn) === dueDay && dayOf(one.deliveredAtMs) >= firstDay,
    )
    .filter((one) => one.deliveredAtMs >= (facts.agreement?.noticesFromMs ?? 0))
    .map((one) => one.deliveredAtMs);
  if (lawful.length === 0) return null;
  const deliveredAtMs = Math.min(...lawful);
  return { deliveredAtMs, freeDay: dayOf(deliveredAtMs) + notice.minDaysToPay + 1 };
}

/** The phone that the agreement is about. */
function isSoldPhone({ agreement, device }: GateFacts): boolean {
  if (agreement?.deviceId !== device.deviceId) return false;
  const sold = [...agreement.financedImeis, agreement.financedSerial];
  return [...device.imeis, device.serial].some((name) => name !== null && sold.includes(name));
}

/** May a phone be on this level for a debt at all, at this moment? */
export function mayStand(facts: GateFacts, level: LockLevel): boolean {
  const { agreement, device, policy, nowMs } = facts;
  const dueDay = dueDayOf(facts);
  const step = policy.steps[level - 1];
  if (!agreement || dueDay === null || !step || agreement.state !== 'active') return false;
  if (!isSoldPhone(facts)) return false;
  const consentMs = consentDay(facts);
  if (consentMs === null || consentMs > nowMs) return false;
  if (level > 1 && !isEnough(facts)) return false;
  const approvedAtMs = facts.vendorApproval?.recordedAtMs ?? Infinity;
  if (device.provisioning === 'AMAPI' && approvedAtMs > nowMs) return false;
  const today = dayOf(nowMs);
  const fromDay = countedFrom(facts, dueDay);
  if (today <= fromDay) return false;
  // Somebody's written decision stands in for the days, for nothing else.
  if (facts.request.reason === 'ORG_OVERRIDE' ? !policy.overrideAllowed : today < fromDay + step.fromDpd) return false;
  return step.needsNotices.every((no) => {
    const told = protectedUntilDay(facts, no, dueDay);
    return told !== null && told.deliveredAtMs <= nowMs && today >= told.freeDay;
  });
}

function mayRaise(facts: GateFacts, level: LockLevel): boolean {
  const { request, device, policy, nowMs } = facts;
  const today = dayOf(nowMs);
  if (level > device.currentDebtLevel + 1) return false;
  if (facts.holds.some((hold) => dayOfDate(hold.untilOn) >= today)) return false;
  if (device.currentDebtLevel > 0 && request.reason !== 'ORG_OVERRIDE') {
    if (device.levelSinceMs === null || today < dayOf(device.levelSinceMs) + policy.minDwellDays) return false;
  }
  if (facts.disputes.some(({ untilMs }) => untilMs === null || untilMs > nowMs)) return false;
  const isHoliday = policy.holidays.some((on) => dayOfDate(on) === today);
  if (request.reason === 'ORG_OVERRIDE')
    return (
      request.trigger === 'manual' &&
      request.hasSecond === true &&
      (request.noteText ?? '').trim().length >= 20 &&
      !isHoliday
    );
  if (request.trigger === 'manual') return true;
  const hour = Math.floor(((((nowMs + 19_800_000) % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS);
  const { fromHour, toHour } = policy.automaticHours;
  return hour >= fromHour && hour < toHour && !isHoliday;
}

function mayProtect(facts: GateFacts): boolean {
  const { request, evidence, device, agreement, disputes, policy, nowMs } = facts;
  const dueDay = dueDayOf(facts);
  if (request.trigger === 'lease') return false;
  const { theftReport, customerRequest } = evidence;
  switch (request.reason) {
    case 'THEFT_REPORTED':
      return (
        theftReport !== null &&
        theftReport.reportedBy !== 'shop' &&
        theftReport.deviceId === device.deviceId &&
        theftReport.reportedAtMs <= nowMs
      );
    case 'CUSTOMER_REQUEST':
      return (
        customerRequest !== null && customerRequest.requestedBy === 'customer' && customerRequest.requestedAtMs <= nowMs
      );
    case 'ENROLMENT_TEST': {
      const { firstEnrolledAtMs, startedAtMs, isOn } = device.test;
      if (device.enrolledAtMs === null || device.enrolledAtMs > nowMs) return false;
      if (agreement?.state !== 'active' || !isSoldPhone(facts)) return false;
      if (disputes.some(({ untilMs }) => untilMs === null || untilMs > nowMs)) return false;
      if (dueDay !== null && dayOf(nowMs) > dueDay) return false;
      if (startedAtMs !== null) return isOn && nowMs < startedAtMs + HOUR_MS / 4;
      return firstEnrolledAtMs === null || nowMs - firstEnrolledAtMs < policy.enrolmentTestHours * HOUR_MS;
    }
    default:
      return false;
  }
}

/** The whole answer: a lock is allowed exactly when this says so. */
export function mayLock(facts: GateFacts): boolean {
  const { level } = facts.request;
  if (level === 0) return true;
  if (!isDebt(facts.request)) return mayProtect(facts);
  return mayStand(facts, level) && (level <= facts.device.currentDebtLevel || mayRaise(facts, level));
}

const same = (a: Verdict, b: Verdict): boolean =>
  a.allowed === b.allowed && a.level === b.level && JSON.stringify(a.failing) === JSON.stringify(b.failing);

export const LAWS = {
  'a lock is allowed exactly when the law allows it': (facts, gate) => {
    const verdict = gate(facts);
    return verdict.allowed === mayLock(facts) ? null : `gate says ${verdict.allowed} (${verdict.rule})`;
  },
  'the level of the verdict is the highest the phone may be on': (facts, gate) => {
    const { level } = gate(facts);
    if (!isDebt(facts.request)) return level === (mayLock(facts) ? facts.request.level : 0) ? null : `level ${level}`;
    const may = ([1, 2, 3, 4] as const).filter((one) => mayLock(atLevel(facts, one)));
    return level === Math.max(0, ...may) ? null : `level ${level}, but ${may.join(' ')} may be`;
  },
  'no phone without a late instalment is restricted for a debt': (facts, gate) => {
    const { agreement, nowMs } = facts;
    const paid = { ...facts, agreement: agreement && { ...agreement, oldestUnpaidPaise: 0 } };
    const none = { ...facts, agreement: agreement && { ...agreement, oldestUnpaidDueOn: null } };
    const dueDay = dueDayOf(facts) ?? dayOf(nowMs);
    const notYet = atInstant(facts, Math.min(nowMs, (dueDay + 1) * DAY_MS - 19_800_001));
    const wrong = [paid, none, notYet].find((free) => {
      const verdict = gate(free);
      return isDebt(free.request) && (verdict.level > 0 || (verdict.allowed && free.request.level > 0));
    });
    return wrong ? 'restricted' : null;
  },
  'a refusal names moments that are first moments': (facts, gate) => {
    for (const { rule, at } of gate(facts).failing) {
      const refuses = (ms: number) => gate(atInstant(facts, ms)).failing.some((one) => one.rule === rule);
      if (at === null) continue;
      const atMs = Date.parse(at);
      if (atMs <= facts.nowMs || refuses(atMs) || !refuses(atMs - 1)) return `${rule} at ${at}`;
    }
    return null;
  },
  'the next raise is possible at its moment and not a millisecond before': (facts, gate) => {
    const { next, allowed } = gate(facts);
    if (!next) return null;
    const { level } = facts.request;
    const sinceMs = level > facts.device.currentDebtLevel ? facts.nowMs : facts.device.levelSinceMs;
    const from = allowed ? withDebtLevel(facts, level, sinceMs) : facts;
    const assuming = assumingNotices(from, next.level);
    if (assuming.assumed.join() !== next.assumes_notices.join()) return 'other notices assumed';
    const mayAt = (ms: number) => mayLock(atInstant(atLevel(assuming.facts, next.level), ms));
    if (next.at === null) {
      return [0, 1, 20, 200].some((days) => mayAt(facts.nowMs + days * DAY_MS)) ? 'never, yet possible' : null;
    }
    const atMs = Date.parse(next.at);
    if (atMs < facts.nowMs || !mayAt(atMs)) return `not allowed at ${next.at}`;
    return atMs > facts.nowMs && mayAt(atMs - 1) ? `already before ${next.at}` : null;
  },
  'a debt and a protection lock never serve as one another': (facts, gate) => {
    const { request, evidence } = facts;
    const word = { deviceId: 'device-1', reportedBy: 'customer' as const, reportedAtMs: 0 };
    const reported = {
      theftReport: word,
      customerRequest: { ...word, requestedBy: 'customer' as const, requestedAtMs: 0 },
    };
    const others = isDebt(request)
      ? [
          { ...facts, evidence: reported },
          { ...facts, evidence: { theftReport: null, customerRequest: null } },
        ]
      : [
          // A test is refused in a dispute and to whoever is late; that no debt and no dispute makes one possible, `mayLock` says.
          ...(request.reason === 'ENROLMENT_TEST'
            ? [withDebtLevel({ ...facts, notices: [] }, 3, 0)]
            : [
                withDebtLevel({ ...facts, notices: [], disputes: [{ openedAtMs: 0, untilMs: null }] }, 3, 0),
                {
                  ...facts,
                  agreement: facts.agreement && { ...facts.agreement, oldestUnpaidPaise: 1, oldestUnpaidDueOn: null },
                },
              ]),
          {
            ...facts,
            consents: [],
            holds: [{ kind: 'medical' as const, untilOn: facts.notices[0]?.dueOn ?? '2999-01-01' }],
          } as GateFacts,
        ];
    const verdict = gate(facts);
    if (request.reason === 'THEFT_REPORTED' && verdict.allowed && request.level > 0 && evidence.theftReport === null)
      return 'no report';
    return others.some((other) => !same(gate(other), verdict)) ? 'the other world changed the verdict' : null;
  },
  'what stands at one moment stands at every later one, so a clock set back can only delay': (facts, gate) => {
    if (facts.request.reason !== 'EMI_OVERDUE') return null;
    const { level } = gate(facts);
    const later = [1, HOUR_MS, DAY_MS, 40 * DAY_MS].find((ms) => {
      const onLevel = withDebtLevel(atInstant(facts, facts.nowMs + ms), level, facts.nowMs);
      return level > 0 && !gate(atLevel(onLevel, level)).allowed;
    });
    return later === undefined ? null : `level ${level} no longer stands ${later} ms later`;
  },
  'more days past due never lower the level, fewer never raise it': (facts, gate) => {
    if (facts.request.reason !== 'EMI_OVERDUE' || !facts.agreement?.oldestUnpaidDueOn) return null;
    const top = withDebtLevel(facts, 4, 0);
    const levels = [0, 1, 2, 7, 30].map((days) => gate(atInstant(top, facts.nowMs + days * DAY_MS)).level);
    return levels.every((level, index) => level >= (levels[index - 1] ?? 0)) ? null : levels.join();
  },
  'a phone without an agreement is told so': (facts, gate) => {
    const { request } = facts;
    if (!isDebt(request) || request.level === 0) return null;
    const { rule } = gate({ ...facts, agreement: null });
    return rule === 'NO_AGREEMENT' ? null : rule;
  },
  'an unlock is always allowed': (facts, gate) => {
    const verdict = gate(atLevel(facts, 0));
    return verdict.allowed && verdict.rule === 'UNLOCK_ALWAYS' ? null : verdict.rule;
  },
} as const satisfies Record<string, Law>;
