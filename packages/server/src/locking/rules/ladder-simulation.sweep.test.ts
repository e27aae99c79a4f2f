import { POLICY_PRESETS, type LockLevel, type LockPolicy } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayLock, mayStand } from '#test/gate-laws.ts';
import { DAY_MS, dateOf, dayOf, dayOfDate, HOUR_MS, onDay, overdue } from '#test/lock-facts.ts';
import type { GateFacts } from './facts.ts';
import { gate, type Gate } from './gate.ts';
import { noticesDue, type NoticeId } from './notices.ts';

/**
 * Months of one phone's life: instalments fall due, money comes or does not, notices go out and arrive late or never, disputes open, people
 * press lock, the clock jumps either way. What is asserted after each event does not come from the gate.
 */
const eventArb = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: HOUR_MS, max: 2 * DAY_MS }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 5 * DAY_MS, max: 30 * DAY_MS }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('clock'), ms: fc.integer({ min: -20 * DAY_MS, max: 5 * DAY_MS }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver'), ms: fc.integer({ min: 0, max: DAY_MS }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay'), ms: fc.constantFrom(1, 100, 272_700) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('dispute', 'settle', 'hold', 'holiday'), ms: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('press', 'override'), ms: fc.integer({ min: 1, max: 4 }) }),
  },
);
type LifeEvent = { kind: string; ms: number };

interface Life {
  facts: GateFacts;
  unpaid: { dueOn: GateFacts['notices'][number]['dueOn']; unpaidPaise: number }[];
  sent: NoticeId[];
  lostNotices: NoticeId[];
  lastRaisedOnDay: number | null;
}

function begin(policy: LockPolicy): Life {
  const first = dayOfDate('2026-03-10');
  const unpaid = [0, 30, 61, 91].map((days) => ({ dueOn: dateOf(first + days), unpaidPaise: 272_700 }));
  return { facts: overdue(-2, policy), unpaid, sent: [], lostNotices: [], lastRaisedOnDay: null };
}

/** The oldest unpaid instalment, as the ledger would say it. */
const derive = (life: Life): GateFacts => {
  const oldest = life.unpaid.find(({ unpaidPaise }) => unpaidPaise > 0);
  const { agreement } = life.facts;
  return {
    ...life.facts,
    agreement: agreement && {
      ...agreement,
      oldestUnpaidDueOn: oldest?.dueOn ?? null,
      oldestUnpaidPaise: oldest?.unpaidPaise ?? 0,
      state: oldest ? 'active' : 'completed',
    },
  };
};

function happen(life: Life, { kind, ms }: LifeEvent): void {
  const { facts } = life;
  const today = dayOf(facts.nowMs);
  switch (kind) {
    case 'wait':
    case 'clock':
      life.facts = { ...facts, nowMs: facts.nowMs + ms };
      break;
    case 'deliver':
      for (const { no, dueOn } of life.lostNotices.splice(0)) {
        const one = { no, dueOn, deliveredAtMs: facts.nowMs + ms, proof: 'sms' };
        life.facts = { ...life.facts, notices: [...life.facts.notices, one] };
      }
      break;
    case 'pay': {
      const oldest = life.unpaid.find(({ unpaidPaise }) => unpaidPaise > 0);
      if (oldest) oldest.unpaidPaise = Math.max(0, oldest.unpaidPaise - ms);
      break;
    }
    case 'dispute':
      life.facts = { ...facts, disputes: [{ openedAtMs: facts.nowMs, untilMs: null }] };
      break;
    case 'settle':
      life.facts = { ...facts, disputes: [] };
      break;
    case 'hold':
      life.facts = { ...facts, holds: [...facts.holds, { kind: 'medical', untilOn: dateOf(today + ms) }] };
      break;
    case 'holiday':
      life.facts = { ...facts, policy: { ...facts.policy, holidays: [...facts.policy.holidays, dateOf(today + ms)] } };
      break;
  }
}

const request = (facts: GateFacts, event: LifeEvent): GateFacts => {
  const level = event.ms as LockLevel;
  if (event.kind === 'press') return { ...facts, request: { reason: 'EMI_OVERDUE', level, trigger: 'manual' } };
  const noteText = 'agreed with the customer on the phone';
  if (event.kind === 'override')
    return { ...facts, request: { reason: 'ORG_OVERRIDE', level, trigger: 'manual', noteText, hasSecond: true } };
  return { ...facts, request: { reason: 'EMI_OVERDUE', level: 4, trigger: 'automatic' } };
};

/** Puts the verdict into force, as the daily run or the shop's press would. @returns what went wrong. */
function decide(life: Life, asked: GateFacts, suspect: Gate): string | null {
  const verdict = suspect(asked);
  const { currentDebtLevel: before } = asked.device;
  const isRun = asked.request.trigger === 'automatic';
  if (!isRun && !verdict.allowed) return null;
  const level = isRun ? verdict.level : asked.request.level;
  const wrong = judge(asked, before, level, life);
  if (level > before) life.lastRaisedOnDay = dayOf(asked.nowMs);
  const levelSinceMs = level > before ? asked.nowMs : asked.device.levelSinceMs;
  life.facts = { ...life.facts, device: { ...asked.device, currentDebtLevel: level, levelSinceMs } };
  return wrong;
}

function judge(asked: GateFacts, before: LockLevel, level: LockLevel, life: Life): string | null {
  const { agreement, nowMs, policy } = asked;
  const dueDay = agreement?.oldestUnpaidDueOn ? dayOfDate(agreement.oldestUnpaidDueOn) : Infinity;
  const dpd = dayOf(nowMs) - dueDay;
  if (level > 0 && !(dpd >= 1)) return `restricted ${dpd} days past due`;
  if (level > before + 1) return `from ${before} to ${level}`;
  const isOverride = asked.request.reason === 'ORG_OVERRIDE';
  if (!isOverride && level > before && before > 0 && life.lastRaisedOnDay === dayOf(nowMs))
    return 'two raises on one day';
  const asLevel = { ...asked, request: { ...asked.request, level } };
  if (level > before && !mayLock(asLevel)) return `level ${level} is not lawful`;
  if (policy.preset === 'rbi-2026' && level >= 3) {
    const told = [1, 2].map((no) => asked.notices.find((one) => one.no === no && dayOfDate(one.dueOn) === dueDay));
    const days = told.map((one) => (one ? dayOf(nowMs) - dayOf(one.deliveredAtMs) : -1));
    if (dpd < 90 || (days[0] ?? -1) < 28 || (days[1] ?? -1) < 8)
      return `rbi: level ${level} on day ${dpd}, told ${days.join()} days ago`;
  }
  const later = [HOUR_MS, DAY_MS, 60 * DAY_MS].find(
    (ms) => level > 0 && !mayStand({ ...asLevel, nowMs: nowMs + ms }, level),
  );
  return later === undefined ? null : `level ${level} would not stand ${later} ms later`;
}

/** @returns the first thing that went wrong in a life. */
function live(policy: LockPolicy, events: readonly LifeEvent[], suspect: Gate): string | null {
  const life = begin(policy);
  for (const event of events) {
    happen(life, event);
    const facts = derive(life);
    const arrears = {
      state: facts.agreement?.state ?? ('completed' as const),
      unpaid: life.unpaid,
      delivered: facts.notices,
      consentMs: null,
      noticesFromMs: null,
    };
    const due = noticesDue(arrears, facts.policy, dateOf(dayOf(facts.nowMs)), life.sent);
    life.sent.push(...due);
    life.lostNotices.push(...due.filter(({ kind }) => kind === 'notice'));
    const isPerson = event.kind === 'press' || event.kind === 'override';
    const wrong = decide(life, request(facts, event), suspect) ?? (isPerson ? null : settled(life));
    if (wrong) return wrong;
  }
  return null;
}

/** After every run of the gate a phone that owes nothing late is free, whatever came before. */
function settled(life: Life): string | null {
  const facts = derive(life);
  const dueOn = facts.agreement?.oldestUnpaidDueOn;
  const isLate = dueOn && facts.nowMs >= onDay(dayOfDate(dueOn) + 1);
  return !isLate && facts.device.currentDebtLevel > 0 ? 'nothing is late, yet the phone is held' : null;
}

/** `npm run proof` asks for ten thousand. */
const LIVES = Number(process.env['KIST_LIVES'] ?? 300);

const livesArb = fc.tuple(
  fc.constantFrom(POLICY_PRESETS.dealer, POLICY_PRESETS['rbi-2026']),
  fc.array(eventArb, { minLength: 10, maxLength: 90, size: 'max' }),
);

test(
  'in no life is a phone held without a late instalment, early, over a level, or by a clock that moved',
  { timeout: 20_000 + 10 * LIVES },
  () => {
    fc.assert(
      fc.property(livesArb, ([policy, events]) => {
        expect(live(policy, events, gate)).toBeNull();
      }),
      // A life shrinks for minutes; the one that failed is short enough to read.
      { numRuns: LIVES, endOnFailure: true },
    );
  },
);

const drawn = fc.sample(livesArb, { numRuns: 200, seed: 20261120 });

test('these lives reach every level under both policies', () => {
  const seen = new Set<string>();
  const watch: Gate = (facts) => {
    const verdict = gate(facts);
    seen.add(`${facts.policy.preset} ${verdict.level}`);
    return verdict;
  };
  for (const [policy, events] of drawn) live(policy, events, watch);
  expect(seen.size).toBe(10);
});

test.each<[string, Gate]>([
  [
    'takes the two top levels at once',
    (facts) => ({ ...gate(facts), level: gate(facts).level === 3 ? 4 : gate(facts).level }),
  ],
  [
    'never lowers',
    (facts) => ({ ...gate(facts), level: Math.max(gate(facts).level, facts.device.currentDebtLevel) as LockLevel }),
  ],
  ['looks an hour ahead', (facts) => gate({ ...facts, nowMs: facts.nowMs + HOUR_MS })],
  ['forgets when the level was raised', (facts) => gate({ ...facts, device: { ...facts.device, levelSinceMs: 0 } })],
  [
    'lets penalties count as dues',
    (facts) =>
      gate({
        ...facts,
        agreement: facts.agreement && {
          ...facts.agreement,
          state: 'active',
          oldestUnpaidPaise: 1,
          oldestUnpaidDueOn: facts.agreement.oldestUnpaidDueOn ?? dateOf(0),
        },
      }),
  ],
  ['forgets disputes', (facts) => gate({ ...facts, disputes: [] })],
])('a gate that %s is caught by some life', (_bug, suspect) => {
  expect(drawn.some(([policy, events]) => live(policy, events, suspect) !== null)).toBe(true);
});
