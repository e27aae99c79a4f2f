import { isoDate, type IsoDate } from '@kist/contract/dates';
import { POLICY_PRESETS, type LockLevel, type LockPolicy, type LockReason } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import type { GateFacts } from '#server/locking/rules/facts.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The calendar of the tests, reckoned apart from the product's: days since 1970 in India. */
export const dayOf = (ms: number): number => Math.floor((ms + 19_800_000) / DAY_MS);
export const dayOfDate = (on: string): number => Date.parse(on) / DAY_MS;
export const dateOf = (day: number): IsoDate => isoDate(new Date(day * DAY_MS).toISOString().slice(0, 10));
/** The instant `intoMs` into that day in India. */
export const onDay = (day: number, intoMs = 0): number => day * DAY_MS - 19_800_000 + intoMs;

/** The clause accepted with everything that it needs. */
export const consented = (atMs: number): GateFacts['consents'][number] => ({
  textVersion: '1',
  hash: 'a1b2',
  acceptedAtMs: atMs,
});

/** ₹2,727 due on 10 March 2026, unpaid; a free DPC phone, 11:00 on the day `dpd` past due; the clause accepted, nothing else told. */
export function overdue(dpd: number, policy: LockPolicy = POLICY_PRESETS.dealer, hour = 11): GateFacts {
  const dueDay = dayOfDate('2026-03-10');
  return {
    request: { reason: 'EMI_OVERDUE', level: 1, trigger: 'automatic' },
    agreement: {
      agreementId: 'agreement-1',
      deviceId: 'device-1',
      state: 'active',
      financedImeis: ['490154203237518'],
      financedSerial: 'R58N',
      oldestUnpaidDueOn: dateOf(dueDay),
      oldestUnpaidPaise: 272_700,
      laterUnpaid: [],
      emiPaise: 272_700,
      noticesFromMs: null,
    },
    device: {
      deviceId: 'device-1',
      imeis: ['490154203237518', '356938035643809'],
      serial: 'R58N',
      provisioning: 'DPC',
      enrolledAtMs: onDay(dueDay - 30),
      test: { firstEnrolledAtMs: onDay(dueDay - 30), startedAtMs: null, isOn: false },
      currentDebtLevel: 0,
      levelSinceMs: null,
    },
    policy,
    notices: [],
    disputes: [],
    holds: [],
    consents: [consented(onDay(dueDay - 30))],
    evidence: { theftReport: null, customerRequest: null },
    vendorApproval: null,
    nowMs: onDay(dueDay + dpd, hour * HOUR_MS),
  };
}

/** @returns facts with a request for `level` on a phone that is one level below since `sinceDpd`. */
export function climbing(facts: GateFacts, level: LockLevel, sinceDpd: number): GateFacts {
  const dueDay = dayOfDate(facts.agreement?.oldestUnpaidDueOn ?? '2026-03-10');
  const below = ([0, 0, 1, 2, 3] as const)[level];
  return {
    ...facts,
    request: { ...facts.request, level },
    device: { ...facts.device, currentDebtLevel: below, levelSinceMs: onDay(dueDay + sinceDpd, 11 * HOUR_MS) },
  };
}

/** @returns facts with notice `no` about the oldest instalment delivered on a day past due. */
export function told(facts: GateFacts, no: number, onDpd: number, hour = 12): GateFacts {
  const dueOn = facts.agreement?.oldestUnpaidDueOn ?? dateOf(0);
  const deliveredAtMs = onDay(dayOfDate(dueOn) + onDpd, hour * HOUR_MS);
  return { ...facts, notices: [...facts.notices, { no, dueOn, deliveredAtMs, proof: 'sms:42' }] };
}

const levelArb = fc.constantFrom<LockLevel>(0, 1, 2, 3, 4);
const rarely = <T>(usual: T, unusual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: unusual });

/** Edges of the day, of the automatic hours, and any other moment. */
const intoDayArb = fc.oneof(
  fc.constantFrom(0, 1, 10 * HOUR_MS - 1, 10 * HOUR_MS, 14 * HOUR_MS, 18 * HOUR_MS - 1, 18 * HOUR_MS, DAY_MS - 1),
  fc.integer({ min: 0, max: DAY_MS - 1 }),
);

/** Policies of a shop's own making, beside the presets. */
const ownPolicyArb: fc.Arbitrary<LockPolicy> = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 3 }),
    fc.nat(2),
  )
  .map(([first, gaps, minDaysToPay]) => {
    const froms = gaps.reduce<number[]>((all, gap) => [...all, (all.at(-1) ?? first) + gap], [first]);
    return {
      ...POLICY_PRESETS.dealer,
      notices: [
        { no: 1, fromDpd: first, minDaysToPay },
        { no: 2, fromDpd: first, minDaysToPay: 1, afterNotice: 1 },
      ],
      // Some shops never go to the kiosk.
      steps: ([1, 2, 3, 4] as const).slice(0, froms.length).map((level) => ({
        level,
        fromDpd: froms[level - 1] ?? first,
        needsNotices: level < 3 ? [] : level === 3 ? [1] : [1, 2],
      })),
      automaticHours: { fromHour: 9, toHour: 21 },
    };
  });

const policyArb: fc.Arbitrary<LockPolicy> = fc.oneof(
  fc.constant(POLICY_PRESETS.dealer),
  fc.constant(POLICY_PRESETS['rbi-2026']),
  ownPolicyArb,
);

const DUE_DAY = dayOfDate('2026-03-10');
const LATEST: Record<LockPolicy['preset'], number> = { dealer: 14, 'rbi-2026': 112 };

/** Deliveries around the days on which they begin to count, some of them stale, unproved or early. */
function noticesArb(policy: LockPolicy, dueDay: number): fc.Arbitrary<GateFacts['notices']> {
  const one = policy.notices.map(({ no, fromDpd }) => {
    const chained = no === 2 ? (policy.notices[0]?.minDaysToPay ?? 0) + 1 : 0;
    return fc.record({
      no: fc.constant(no),
      dueOn: rarely(dateOf(dueDay), fc.constantFrom(dateOf(dueDay - 30), dateOf(dueDay + 30))),
      deliveredAtMs: fc
        .tuple(fc.integer({ min: -1, max: 5 }), intoDayArb)
        .map(([late, into]) => onDay(dueDay + fromDpd + chained + late, into)),
      proof: rarely('sms:42', fc.constant('')),
    });
  });
  return fc
    .tuple(...one.map((notice) => fc.array(notice, { maxLength: 2 })), ...one)
    .chain((all) => fc.subarray(all.flat()));
}

/** Any day of the delay, and more often the days on which something changes. */
const dpdArbs = (policy: LockPolicy): fc.Arbitrary<number>[] => [
  fc.integer({ min: -4, max: LATEST[policy.preset] }),
  ...policy.steps.map(({ fromDpd }) => fc.integer({ min: fromDpd - 1, max: fromDpd + 3 })),
];

/** Any facts, most of them of a phone that might well be locked. */
export const factsArb: fc.Arbitrary<GateFacts> = fc
  .tuple(policyArb, fc.integer({ min: DUE_DAY - 40, max: DUE_DAY + 40 }))
  .chain(([preset, dueDay]) => {
    const nowArb = fc.tuple(fc.oneof(...dpdArbs(preset)), intoDayArb).map(([dpd, into]) => onDay(dueDay + dpd, into));
    return fc.tuple(
      fc.constant(preset),
      fc.constant(dueDay),
      nowArb,
      levelArb,
      fc.tuple(fc.integer({ min: -12, max: 1 }), intoDayArb),
      noticesArb(preset, dueDay),
      fc.array(fc.integer({ min: -3, max: 4 }), { maxLength: 2 }),
      oddityArb,
    );
  })
  .map(([preset, dueDay, nowMs, current, [since, into], notices, holidays, oddity]) => {
    const base = overdue(0);
    const nowDay = dayOf(nowMs);
    const device = { ...base.device, currentDebtLevel: current, levelSinceMs: onDay(nowDay + since, into) };
    const above = ([1, 2, 3, 4, 4] as const)[current];
    const agreement = { ...base.agreement, oldestUnpaidDueOn: dateOf(dueDay) } as NonNullable<GateFacts['agreement']>;
    const request = {
      reason: oddity.reason,
      level: oddity.level ?? above,
      trigger: oddity.trigger,
      noteText: oddity.noteText,
      hasSecond: oddity.hasSecond,
    };
    const firstNotice = dueDay + (preset.notices[0]?.fromDpd ?? 0);
    const reversedAt = ({ reversedIn }: typeof oddity) =>
      reversedIn === null ? null : onDay(firstNotice + reversedIn);
    const { agreement: agreementOdd, device: deviceOdd } = oddity;
    return {
      ...base,
      request,
      agreement:
        agreementOdd === null
          ? null
          : { ...agreement, ...testedIn(oddity, nowDay), noticesFromMs: reversedAt(oddity), ...agreementOdd },
      device: {
        ...device,
        enrolledAtMs: oddity.enrolledAgoMs === null ? null : nowMs - oddity.enrolledAgoMs,
        test: testAt(nowMs, oddity.enrolledAgoMs, oddity.test),
        ...deviceOdd,
      },
      policy: {
        ...preset,
        holidays: holidays.map((day) => dateOf(nowDay + day)),
        overrideAllowed: oddity.overrideAllowed,
      },
      notices,
      disputes: oddity.disputes.map((agoMs) => ({ openedAtMs: nowMs - 9 * DAY_MS, untilMs: agoMs && nowMs - agoMs })),
      holds: oddity.holdDays.map((day) => ({ kind: 'medical' as const, untilOn: dateOf(nowDay + day) })),
      consents:
        oddity.consentAgoMs === null ? [] : [{ ...consented(nowMs - oddity.consentAgoMs), ...oddity.consent(nowMs) }],
      evidence: oddity.evidence,
      vendorApproval:
        oddity.approvedAgoMs === null ? null : { reference: 'letter', recordedAtMs: nowMs - oddity.approvedAgoMs },
      nowMs,
    };
  });

interface TestOddity {
  enrolledBeforeMs: number;
  startedAgoMs: number | null;
  isOn: boolean;
  dueInDays: number | null;
}
/** The phone may have enrolled long before it enrolled again. */
const testAt = (nowMs: number, enrolledAgoMs: number | null, odd: TestOddity): GateFacts['device']['test'] => ({
  firstEnrolledAtMs: enrolledAgoMs === null ? null : nowMs - enrolledAgoMs - odd.enrolledBeforeMs,
  startedAtMs: odd.startedAgoMs === null ? null : nowMs - odd.startedAgoMs,
  isOn: odd.startedAgoMs !== null && odd.isOn,
});
/** A phone to be tried out is mostly a new one, with its first instalment today or later. */
const testedIn = ({ reason, test: { dueInDays } }: { reason: string; test: TestOddity }, nowDay: number) =>
  reason === 'ENROLMENT_TEST' && dueInDays !== null ? { oldestUnpaidDueOn: dateOf(nowDay + dueInDays) } : {};
const testArb: fc.Arbitrary<TestOddity> = fc.record({
  enrolledBeforeMs: fc.constantFrom(0, 0, 0, DAY_MS),
  startedAgoMs: fc.constantFrom(null, null, null, 0, HOUR_MS / 4 - 1, HOUR_MS / 4, DAY_MS),
  isOn: fc.boolean(),
  dueInDays: fc.constantFrom(null, -1, 0, 20, 20),
});
const agoArb = fc.constantFrom(null, -HOUR_MS, 0, DAY_MS);
const recordArb = <T extends object>(record: T) => fc.constantFrom<T | null>(null, record);
const oddityArb = fc.record({
  reason: fc.oneof(
    { weight: 6, arbitrary: fc.constant('EMI_OVERDUE' as const) },
    // Fewer of them are lawful than of the others.
    { weight: 5, arbitrary: fc.constant('ORG_OVERRIDE' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('THEFT_REPORTED', 'CUSTOMER_REQUEST', 'ENROLMENT_TEST', 'ENROLMENT_TEST'),
    },
  ),
  level: rarely<LockLevel | null>(null, levelArb),
  trigger: fc.constantFrom('automatic', 'manual', 'manual', 'manual', 'lease'),
  noteText: fc.oneof(
    fc.constantFrom<string | undefined>(undefined, '', 'because I say so', '   spaces, and spaces   '),
    { weight: 2, arbitrary: fc.constant('the owner agreed in writing on 3 March') },
  ),
  overrideAllowed: rarely(true, fc.constant(false)),
  agreement: rarely<Partial<NonNullable<GateFacts['agreement']>> | null>(
    {},
    fc.constantFrom(
      null,
      { oldestUnpaidDueOn: null },
      { oldestUnpaidPaise: 0 },
      { oldestUnpaidPaise: 9_900, laterUnpaid: [{ dueOn: dateOf(DUE_DAY + 3), paise: 17_369 }] },
      { oldestUnpaidPaise: 9_900, laterUnpaid: [{ dueOn: dateOf(DUE_DAY + 3), paise: 17_370 }] },
      { emiPaise: 99_00, oldestUnpaidPaise: 9_999 },
      { emiPaise: 99_00, oldestUnpaidPaise: 10_000 },
      { state: 'completed' as const },
      { deviceId: 'device-2' },
    ),
  ),
  device: rarely<Partial<GateFacts['device']>>(
    {},
    fc.constantFrom(
      { provisioning: 'AMAPI' as const },
      { imeis: ['356938035643809'], serial: 'OTHER' },
      { imeis: ['356938035643809'], serial: null },
      { imeis: [], serial: 'R58N' },
      { levelSinceMs: null },
    ),
  ),
  enrolledAgoMs: fc.constantFrom(null, -HOUR_MS, 0, 0, HOUR_MS, HOUR_MS, DAY_MS - 1, DAY_MS, 30 * DAY_MS),
  test: testArb,
  consentAgoMs: fc.oneof(
    { weight: 8, arbitrary: fc.constant(130 * DAY_MS) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 100 }).map((days) => days * DAY_MS) },
    { weight: 1, arbitrary: agoArb },
  ),
  reversedIn: rarely<number | null>(null, fc.integer({ min: -1, max: 5 })),
  consent: rarely<(nowMs: number) => Partial<GateFacts['consents'][number]>>(
    () => ({}),
    fc.constantFrom(
      (nowMs: number) => ({ acceptedAtMs: nowMs + 1 }),
      (nowMs: number) => ({ acceptedAtMs: nowMs - 2 * DAY_MS }),
      () => ({ hash: '' }),
    ),
  ),
  hasSecond: rarely<boolean | undefined>(true, fc.constantFrom(false, undefined)),
  approvedAgoMs: agoArb,
  disputes: rarely<(number | null)[]>(
    [],
    fc.array(fc.constantFrom(null, -DAY_MS, -1, 0, 1, DAY_MS), { minLength: 1, maxLength: 2 }),
  ),
  holdDays: rarely<number[]>([], fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 2 })),
  evidence: fc.record({
    theftReport: fc.oneof(
      recordArb({ deviceId: 'device-1', reportedBy: 'customer' as const, reportedAtMs: 0 }),
      recordArb({ deviceId: 'device-1', reportedBy: 'customer' as const, reportedAtMs: onDay(DUE_DAY) }),
      recordArb({ deviceId: 'device-1', reportedBy: 'customer_code' as const, reportedAtMs: 0 }),
      recordArb({ deviceId: 'device-1', reportedBy: 'shop' as const, reportedAtMs: 0 }),
      recordArb({ deviceId: 'device-2', reportedBy: 'customer' as const, reportedAtMs: 0 }),
    ),
    customerRequest: fc.oneof(
      recordArb({ deviceId: 'device-1', requestedBy: 'customer' as const, requestedAtMs: onDay(DUE_DAY) }),
      recordArb({ deviceId: 'device-1', requestedBy: 'shop' as const, requestedAtMs: 0 }),
    ),
  }),
});

/** A person asks, for whom the second one has said yes. */
export const asking = (facts: GateFacts, reason: LockReason, level: LockLevel, noteText?: string): GateFacts => ({
  ...facts,
  request: { ...facts.request, reason, level, trigger: 'manual', noteText, hasSecond: true },
});
