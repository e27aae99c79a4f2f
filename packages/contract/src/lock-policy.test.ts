import { describe, expect, test } from 'vitest';
import { NEVER_BLOCKED } from './lock-bounds.ts';
import {
  aboveFloor,
  DEBT_RESTRICTIONS,
  LOCK_PRESETS,
  lockPolicySchema,
  POLICY_PRESETS,
  PROTECTION_RESTRICTIONS,
  restrictionsFor,
  restrictionSetSchema,
  type LockPolicy,
  type RestrictionSet,
} from './lock-policy.ts';

describe('the never-blocked floor', () => {
  test('no restriction of any lock names a thing that must stay on', () => {
    const floor: readonly string[] = NEVER_BLOCKED;
    expect([...DEBT_RESTRICTIONS, ...PROTECTION_RESTRICTIONS].filter((name) => floor.includes(name))).toEqual([]);
  });

  test('a list of restrictions that names the floor does not compile', () => {
    // @ts-expect-error 'internet' is never blocked
    expect(aboveFloor(['kiosk', 'internet'])).toContain('internet');
    // @ts-expect-error a debt lock has no word for it
    const set: RestrictionSet = { basis: 'debt', level: 4, restrictions: ['internet'], stays_on: [...NEVER_BLOCKED] };
    expect(restrictionSetSchema.safeParse(set).success).toBe(false);
  });

  test.each(NEVER_BLOCKED)('a debt lock that blocks %s is not a restriction set', (name) => {
    const lock = restrictionsFor(4, 'EMI_OVERDUE');
    expect(restrictionSetSchema.safeParse(lock).success).toBe(true);
    expect(restrictionSetSchema.safeParse({ ...lock, restrictions: [name] }).success).toBe(false);
    expect(restrictionSetSchema.safeParse({ ...lock, [name]: 'blocked' }).success).toBe(false);
    const rest = lock.stays_on.filter((one) => one !== name);
    expect(restrictionSetSchema.safeParse({ ...lock, stays_on: rest }).success).toBe(false);
  });

  test('a debt lock never locates or shows a phone as lost', () => {
    const lock = restrictionsFor(4, 'EMI_OVERDUE');
    expect(restrictionSetSchema.safeParse({ ...lock, restrictions: ['locating'] }).success).toBe(false);
    expect(restrictionsFor(4, 'THEFT_REPORTED').restrictions).toContain('locating');
  });

  test('each level takes away what the one below takes, and more; level 0 takes nothing', () => {
    const taken = ([0, 1, 2, 3, 4] as const).map((level) => restrictionsFor(level, 'EMI_OVERDUE').restrictions);
    expect(taken[0]).toEqual([]);
    for (let level = 1; level <= 4; level++) {
      expect(taken[level]).toEqual(expect.arrayContaining(taken[level - 1] ?? []));
      expect(taken[level]?.length).toBeGreaterThan(taken[level - 1]?.length ?? 0);
    }
  });
});

describe('lock policies', () => {
  test.each(LOCK_PRESETS)('the preset %s is a valid policy', (preset) => {
    expect(lockPolicySchema.parse(POLICY_PRESETS[preset])).toEqual(POLICY_PRESETS[preset]);
  });

  const { dealer, 'rbi-2026': rbi } = POLICY_PRESETS;
  const step = (policy: LockPolicy, level: number, change: object): LockPolicy => ({
    ...policy,
    steps: policy.steps.map((one) => (one.level === level ? { ...one, ...change } : one)),
  });
  const notice = (policy: LockPolicy, no: number, change: object): LockPolicy => ({
    ...policy,
    notices: policy.notices.map((one) => (one.no === no ? { ...one, ...change } : one)),
  });

  const twoNotices = { ...dealer, notices: [...dealer.notices, { no: 2, fromDpd: 2, minDaysToPay: 1 }] };

  test.each<[string, LockPolicy]>([
    ['leaves a level out', { ...dealer, steps: dealer.steps.filter(({ level }) => level !== 2) }],
    ['has a level before the one below it', step(dealer, 4, { fromDpd: 2 })],
    ['restricts on the due day', step(dealer, 1, { fromDpd: 0 })],
    ['restricts without a notice', step(dealer, 3, { needsNotices: [] })],
    ['needs a notice that it never gives', step(dealer, 3, { needsNotices: [2] })],
    ['forgets a notice on the way up', step(step(twoNotices, 3, { needsNotices: [1, 2] }), 4, { needsNotices: [2] })],
    ['gives a notice that follows itself', notice(dealer, 1, { afterNotice: 1 })],
    ['gives a notice twice', { ...dealer, notices: [...dealer.notices, ...dealer.notices] }],
    ['has no automatic hours', { ...dealer, automaticHours: { fromHour: 18, toHour: 10 } }],
    ['lets two levels fall on one day', { ...dealer, minDwellDays: 0 }],
    ['needs no code from the customer', { ...rbi, consentCodeRequired: false }],
    ['needs no clause', { ...dealer, consentRequired: false as true }],
  ])('a policy that %s is refused', (_what, policy) => {
    expect(lockPolicySchema.safeParse(policy).success).toBe(false);
  });

  test.each<[string, LockPolicy]>([
    ['gives notice 1 before day 60', notice(rbi, 1, { fromDpd: 59 })],
    ['gives 20 days to pay', notice(rbi, 1, { minDaysToPay: 20 })],
    ['gives both notices at once', notice(rbi, 2, { afterNotice: undefined })],
    ['gives 6 days after notice 2', notice(rbi, 2, { minDaysToPay: 6 })],
    ['has one notice', { ...rbi, notices: rbi.notices.slice(0, 1), steps: rbi.steps.slice(0, 2) }],
    ['restricts on day 89', step(rbi, 3, { fromDpd: 89 })],
    ['restricts after one notice', step(step(rbi, 3, { needsNotices: [1] }), 4, { needsNotices: [1] })],
    ['locks another phone of the borrower', { ...rbi, loanMustFinanceThisPhone: false }],
    ['locks for ₹99', { ...rbi, tooLittle: { paise: 99_00, bpsOfEmi: 1000 } }],
    ['locks for 9 % of one EMI', { ...rbi, tooLittle: { paise: 100_00, bpsOfEmi: 900 } }],
    ['has an override', { ...rbi, overrideAllowed: true }],
    ['frees after 61 minutes', { ...rbi, cureWithinMinutes: 61 }],
    ['dims the screen before day 82', step(rbi, 2, { fromDpd: 81 })],
    ['dims the screen without a notice', step(rbi, 2, { needsNotices: [] })],
    ['reminds on the screen before day 60', step(rbi, 1, { fromDpd: 59 })],
    ['comes to the kiosk before day 97', step(rbi, 4, { fromDpd: 96 })],
    ['raises after 6 days', { ...rbi, minDwellDays: 6 }],
    [
      'raises an hour earlier',
      { ...rbi, automaticHours: { ...rbi.automaticHours, fromHour: rbi.automaticHours.fromHour - 1 } },
    ],
    [
      'raises an hour later',
      { ...rbi, automaticHours: { ...rbi.automaticHours, toHour: rbi.automaticHours.toHour + 1 } },
    ],
    ['charges late fees above 2 %', { ...rbi, penalCapBps: 201 }],
    ['leaves a reminder out', { ...rbi, reminderOffsetDays: rbi.reminderOffsetDays.slice(1) }],
    ['owes ₹249.99 an hour', { ...rbi, compensationPaisePerHour: 24_999 }],
  ])('a regulated policy that %s is refused', (_what, policy) => {
    expect(lockPolicySchema.safeParse(policy).success).toBe(false);
  });

  test('a regulated lender may be kinder', () => {
    const kinder = step(notice(rbi, 1, { minDaysToPay: 30 }), 4, { fromDpd: 120 });
    expect(
      lockPolicySchema.safeParse({ ...kinder, compensationPaisePerHour: 50_000, minDwellDays: 8, penalCapBps: 100 })
        .success,
    ).toBe(true);
  });
});
