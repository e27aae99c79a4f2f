import { z } from 'zod';
import type { LockCause } from './agent.ts';
import { dateSchema } from './fields.ts';
import { HOLD_KINDS } from './hold-kinds.ts';
import { NEVER_BLOCKED, TOO_LITTLE, type NeverBlocked } from './lock-bounds.ts';
import { AUTOMATIC_HOURS, INT4_MAX, LIMITS, LOCKED_FROM_LEVEL } from './limits.ts';

/** What a phone of an agreement looks like, from untouched to held. A policy maps days past due to a level. */
export const LOCK_LEVELS = { free: 0, reminder: 1, wallpaper: 2, apps: 3, kiosk: 4 } as const;
export type LockLevel = (typeof LOCK_LEVELS)[keyof typeof LOCK_LEVELS];
export const levelSchema = z.literal([0, 1, 2, 3, 4]);

/**
 * Why a lock is asked for, and what that asks of the evidence. `basis` keeps the two worlds apart: a debt reason is judged by the ledger and
 * the notices only, a protection reason by its own record only, so neither can ever serve as the other.
 */
export const LOCK_REASONS = {
  EMI_OVERDUE: { basis: 'debt', cause: 'debt' },
  ORG_OVERRIDE: { basis: 'debt', cause: 'override' },
  THEFT_REPORTED: { basis: 'protection', cause: 'theft' },
  CUSTOMER_REQUEST: { basis: 'protection', cause: 'customer_request' },
  ENROLMENT_TEST: { basis: 'protection', cause: 'enrolment_test' },
} as const satisfies Record<string, { basis: 'debt' | 'protection'; cause: LockCause }>;
export type LockReason = keyof typeof LOCK_REASONS;
/**
 * What an order to many may lock for. Every other reason is one phone's: a theft and a loss are its owner's word, an override is two people's about this
 * customer, and a try-out, which needs no debt, is the only one that an agreement has.
 */
export const MANY_LOCK_REASONS: readonly LockReason[] = ['EMI_OVERDUE'];
/** Why a phone is held for money. */
export const DEBT_REASONS = (Object.keys(LOCK_REASONS) as LockReason[]).filter(
  (reason) => LOCK_REASONS[reason].basis === 'debt',
);
export const lockReasonSchema = z.enum(Object.keys(LOCK_REASONS) as [LockReason, ...LockReason[]]);

/** The one try-out of the lock that an agreement has lasts no longer. */
export const ENROLMENT_TEST_MINUTES = 15;

/** Who acts: the daily run, a person, or the phone by itself under its signed lease. */
export const lockTriggerSchema = z.enum(['automatic', 'manual', 'lease']);
export type LockTrigger = z.infer<typeof lockTriggerSchema>;

type AboveFloor<T extends readonly string[]> = Extract<T[number], NeverBlocked> extends never ? unknown : never;
/** A list of restrictions that names anything of NEVER_BLOCKED does not compile. */
export const aboveFloor = <const T extends readonly string[]>(names: T & AboveFloor<T>): T => names;

/**
 * Everything a lock for money can do to a phone. It has no word for anything in NEVER_BLOCKED, and restrictionSetSchema is strict: a debt
 * lock that takes the internet away can be neither written (type) nor parsed (schema). The camera stays: UPI codes are scanned with it.
 */
export const DEBT_RESTRICTIONS = aboveFloor([
  'reminder_on_screen',
  'wallpaper_fixed',
  'daily_notice',
  'leisure_apps_paused',
  'new_apps_off',
  'kiosk',
]);
export type DebtRestriction = (typeof DEBT_RESTRICTIONS)[number];

/** A phone held for its owner is also shown as lost and can be found; the floor is the same. */
export const PROTECTION_RESTRICTIONS = aboveFloor([...DEBT_RESTRICTIONS, 'lost_screen', 'locating']);

const floorSchema = z.tuple([
  z.literal(NEVER_BLOCKED[0]),
  z.literal(NEVER_BLOCKED[1]),
  z.literal(NEVER_BLOCKED[2]),
  z.literal(NEVER_BLOCKED[3]),
  z.literal(NEVER_BLOCKED[4]),
  z.literal(NEVER_BLOCKED[5]),
]) satisfies z.ZodType<[...typeof NEVER_BLOCKED]>;

/** What a lock does to a phone, and the floor beside it: `stays_on` is always the whole of NEVER_BLOCKED. */
export const restrictionSetSchema = z.discriminatedUnion('basis', [
  z.strictObject({
    basis: z.literal('debt'),
    level: levelSchema,
    restrictions: z.array(z.enum(DEBT_RESTRICTIONS)),
    stays_on: floorSchema,
  }),
  z.strictObject({
    basis: z.literal('protection'),
    level: levelSchema,
    restrictions: z.array(z.enum(PROTECTION_RESTRICTIONS)),
    stays_on: floorSchema,
  }),
]);
export type RestrictionSet = z.infer<typeof restrictionSetSchema>;

const AT_LEVEL: Record<LockLevel, readonly DebtRestriction[]> = {
  0: [],
  1: ['reminder_on_screen'],
  2: ['reminder_on_screen', 'wallpaper_fixed', 'daily_notice'],
  3: ['reminder_on_screen', 'wallpaper_fixed', 'daily_notice', 'leisure_apps_paused', 'new_apps_off'],
  4: [...DEBT_RESTRICTIONS],
};
/** @returns what a level takes away for this reason, and what stays on. @internal its law is tested, and no phone is told it yet */
export function restrictionsFor(level: LockLevel, reason: LockReason): RestrictionSet {
  const stays_on: RestrictionSet['stays_on'] = [...NEVER_BLOCKED];
  const restrictions = [...AT_LEVEL[level]];
  if (LOCK_REASONS[reason].basis === 'debt') return { basis: 'debt', level, restrictions, stays_on };
  return level === 0
    ? { basis: 'protection', level, restrictions, stays_on }
    : { basis: 'protection', level, restrictions: [...restrictions, 'lost_screen', 'locating'], stays_on };
}

const days = (max: number) => z.int().min(0).max(max);
/** Step of the ladder: a level, the first day past due on which it may be taken, and the notices whose days must have passed. */
export const levelStepSchema = z.strictObject({
  level: z.literal([1, 2, 3, 4]),
  fromDpd: z.int().min(1).max(3650),
  needsNotices: z.array(z.int().min(1).max(9)).max(9),
});
export type LevelStep = z.infer<typeof levelStepSchema>;

/**
 * Notice `no` may be given from `fromDpd` days past due and, with `afterNotice`, only after that notice's own days are over. The day of
 * delivery does not count: delivered on the 1st with 7 days to pay, the 8th is wholly the customer's and a lock is possible from the 9th.
 */
export const policyNoticeSchema = z.strictObject({
  no: z.int().min(1).max(9),
  fromDpd: z.int().min(1).max(3650),
  minDaysToPay: days(365),
  afterNotice: z.int().min(1).max(9).optional(),
});
export type PolicyNotice = z.infer<typeof policyNoticeSchema>;

export const LOCK_PRESETS = ['dealer', 'rbi-2026'] as const;
export type LockPreset = (typeof LOCK_PRESETS)[number];

/** The fields of a policy alone: one that stands may be of before a bound that `lockPolicySchema` holds a new one to. */
export const policyFieldsSchema = z.strictObject({
  preset: z.enum(LOCK_PRESETS),
  /** Counts an organisation's changes; the version in force at signing is stamped on the agreement. */
  version: z.int().min(1).max(INT4_MAX),
  /** Days from the due date, ≤ 0: -3 is three days before. */
  reminderOffsetDays: z.array(z.int().min(-LIMITS.reminderDaysAhead).max(0)).max(10),
  notices: z.array(policyNoticeSchema).max(9),
  steps: z.array(levelStepSchema).max(4),
  /** Whole calendar days between two raises. */
  minDwellDays: z.int().min(1).max(90),
  /** Automatic and lease locks happen from this hour up to, not including, that hour, Asia/Kolkata; the rest of the day is quiet. */
  automaticHours: z.strictObject({ fromHour: z.int().min(0).max(23), toHour: z.int().min(1).max(24) }),
  /** Days on which no phone is locked by itself. */
  holidays: z.array(dateSchema).max(400),
  overrideAllowed: z.boolean(),
  loanMustFinanceThisPhone: z.boolean(),
  /** Always: no money locks a phone without the customer's consent. */
  consentRequired: z.literal(true),
  /** Whether it takes the code that the customer got on their own number besides the signature (`dealer` may say false; left out: it does). */
  consentCodeRequired: z.boolean().optional(),
  /** Overdue EMI below the greater of both is too little for more than a reminder; left out: TOO_LITTLE. */
  tooLittle: z.strictObject({ paise: z.int().min(0).max(10_000_000), bpsOfEmi: z.int().min(0).max(10_000) }).optional(),
  /** Whether a debt may switch the camera off, at level 4 (`dealer` only; left out: it may not). UPI codes are scanned with it. */
  cameraLockAllowed: z.boolean().optional(),
  /** Most penal charge on one instalment, in basis points of that instalment. */
  penalCapBps: z.int().min(0).max(10_000),
  /** From the payment that clears the dues to the phone's own word that it is free. */
  cureWithinMinutes: z.int().min(0).max(1440),
  compensationPaisePerHour: z.int().min(0).max(10_000_000),
  /** A held phone that says nothing for so long is shown as silent; left out: LIMITS.silentAfterDays. */
  silentAfterDays: z.int().min(1).max(LIMITS.silentAfterDaysMost).optional(),
  /** From the phone's first enrolment under its agreement: so long the lock may be tried out, once, for ENROLMENT_TEST_MINUTES. */
  enrolmentTestHours: z.int().min(0).max(24),
});
export type LockPolicy = z.infer<typeof policyFieldsSchema>;

/** Whether what is signed under it is signed under the regulator's rules. */
export const isRegulated = ({ preset }: { preset: LockPreset }): boolean => preset === 'rbi-2026';

/** What may be changed of a policy: the preset is chosen, the version counts, the holidays are the organisation's. What is left out stays. */
export const policyChangeSchema = policyFieldsSchema.omit({ preset: true, version: true, holidays: true }).partial();
export type PolicyChange = z.infer<typeof policyChangeSchema>;

/** The sentences are for the administrator's command line; they name the field and the bound. */
function policyProblems(policy: LockPolicy): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const numbers = new Set(policy.notices.map((notice) => notice.no));
  check(numbers.size === policy.notices.length, 'notices: each number once');
  for (const notice of policy.notices) {
    const after = notice.afterNotice;
    check(
      after === undefined || (after < notice.no && numbers.has(after)),
      `notice ${notice.no}: follows an earlier one`,
    );
  }
  policy.steps.forEach((step, index) => {
    const below = policy.steps[index - 1]?.needsNotices ?? [];
    const keepsAll = below.every((no) => step.needsNotices.includes(no));
    check(keepsAll, `level ${step.level}: needs all notices of the level below it`);
    check(step.level === index + 1, 'steps: levels 1, 2, 3, 4 in order, none left out');
    check(
      step.fromDpd >= (policy.steps[index - 1]?.fromDpd ?? 0),
      `level ${step.level}: not before the level below it`,
    );
    check(
      step.needsNotices.every((no) => numbers.has(no)),
      `level ${step.level}: needs a notice that is not there`,
    );
    check(step.level < LOCKED_FROM_LEVEL || step.needsNotices.length > 0, `level ${step.level}: needs a notice`);
  });
  check(policy.automaticHours.fromHour < policy.automaticHours.toHour, 'automaticHours: from before to');
  if (isRegulated(policy)) problems.push(...regulatedProblems(policy));
  return problems;
}

/** A regulated lender may be kinder than the Reserve Bank's draft of 20 May 2026, never harder. */
function regulatedProblems(policy: LockPolicy): string[] {
  const preset = POLICY_PRESETS['rbi-2026'];
  const { automaticHours: hours, reminderOffsetDays: reminders } = preset;
  const [first, second] = [1, 2].map((no) => policy.notices.find((notice) => notice.no === no));
  const restricting = policy.steps.filter((step) => step.level >= LOCKED_FROM_LEVEL);
  const floor: [boolean, string][] = [
    [first !== undefined && first.fromDpd >= 60 && first.minDaysToPay >= 21, 'notice 1: from 60 days, 21 days to pay'],
    [second?.afterNotice === 1 && second.minDaysToPay >= 7, 'notice 2: after notice 1, 7 days to pay'],
    [restricting.every((step) => step.fromDpd >= 90), 'restriction from 90 days past due'],
    [
      restricting.every((step) => [1, 2].every((no) => step.needsNotices.includes(no))),
      'restriction needs both notices',
    ],
    [policy.loanMustFinanceThisPhone && policy.consentRequired, 'this phone only, clause accepted'],
    [
      (policy.tooLittle ?? TOO_LITTLE).paise >= TOO_LITTLE.paise &&
        (policy.tooLittle ?? TOO_LITTLE).bpsOfEmi >= TOO_LITTLE.bpsOfEmi,
      'no restriction for less than ₹100 or a tenth of one EMI',
    ],
    [
      policy.steps.every(({ level, fromDpd, needsNotices }) => {
        const own = preset.steps.find((step) => step.level === level);
        return (
          own === undefined || (fromDpd >= own.fromDpd && own.needsNotices.every((no) => needsNotices.includes(no)))
        );
      }),
      `levels ${preset.steps.map(({ fromDpd }) => fromDpd).join(', ')} days past due or later, on all their notices`,
    ],
    [policy.minDwellDays >= preset.minDwellDays, `${preset.minDwellDays} days between two raises`],
    [
      policy.automaticHours.fromHour >= hours.fromHour && policy.automaticHours.toHour <= hours.toHour,
      `automatic hours within ${hours.fromHour} to ${hours.toHour}`,
    ],
    [policy.penalCapBps <= preset.penalCapBps, `late fees of at most ${preset.penalCapBps / 100} % of an instalment`],
    [reminders.every((day) => policy.reminderOffsetDays.includes(day)), `reminders on days ${reminders.join(', ')}`],
    [policy.consentCodeRequired !== false, 'a code from the customer’s own number'],
    [!policy.overrideAllowed, 'no override'],
    [policy.cameraLockAllowed !== true, 'the camera stays on'],
    [
      policy.cureWithinMinutes <= 60 && policy.compensationPaisePerHour >= 25_000,
      'free within 60 minutes, ₹250 for each hour',
    ],
  ];
  return floor.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/** A whole lock policy; parsing also proves that its ladder hangs together and, for `rbi-2026`, that it is not harder than the preset. */
export const lockPolicySchema = policyFieldsSchema.superRefine((policy, context) => {
  for (const problem of policyProblems(policy)) context.addIssue({ code: 'custom', message: problem });
});

/**
 * `dealer`: a shop's own credit; every number may be changed. `rbi-2026`: loans of regulated lenders, from the Reserve Bank of India's draft
 * of 20 May 2026 (proposed from 1 October 2026). Levels 1 and 2 only remind; levels 3 and 4 restrict.
 * With prompt delivery rbi-2026 runs: notice 1 on day 60, notice 2 on day 82, level 3 on day 90, level 4 on day 97.
 */
export const POLICY_PRESETS: Record<LockPreset, LockPolicy> = {
  dealer: {
    preset: 'dealer',
    version: 1,
    reminderOffsetDays: [-3, -1, 0],
    notices: [{ no: 1, fromDpd: 1, minDaysToPay: 1 }],
    steps: [
      { level: 1, fromDpd: 1, needsNotices: [] },
      { level: 2, fromDpd: 2, needsNotices: [] },
      { level: 3, fromDpd: 3, needsNotices: [1] },
      { level: 4, fromDpd: 7, needsNotices: [1] },
    ],
    minDwellDays: 1,
    automaticHours: AUTOMATIC_HOURS,
    holidays: [],
    overrideAllowed: true,
    loanMustFinanceThisPhone: true,
    consentRequired: true,
    penalCapBps: 500,
    cureWithinMinutes: 60,
    compensationPaisePerHour: 0,
    enrolmentTestHours: 24,
  },
  'rbi-2026': {
    preset: 'rbi-2026',
    version: 1,
    reminderOffsetDays: [-3, -1, 0],
    notices: [
      { no: 1, fromDpd: 60, minDaysToPay: 21 },
      { no: 2, fromDpd: 60, minDaysToPay: 7, afterNotice: 1 },
    ],
    steps: [
      { level: 1, fromDpd: 60, needsNotices: [] },
      { level: 2, fromDpd: 82, needsNotices: [1] },
      { level: 3, fromDpd: 90, needsNotices: [1, 2] },
      { level: 4, fromDpd: 97, needsNotices: [1, 2] },
    ],
    minDwellDays: 7,
    automaticHours: AUTOMATIC_HOURS,
    holidays: [],
    overrideAllowed: false,
    loanMustFinanceThisPhone: true,
    consentRequired: true,
    penalCapBps: 200,
    cureWithinMinutes: 60,
    compensationPaisePerHour: 25_000,
    enrolmentTestHours: 24,
  },
};

/**
 * Every rule of the gate, in the order in which a refusal names them: what concerns the right to lock at all first, the calendar last.
 * `clears`: 'time' passes by itself at a known moment, 'fact' only when something is recorded, paid, delivered or closed,
 * 'allows' is what an allowed lock stands on. The sentence a person reads is `rules.<CODE>` of the locale, filled with `params`.
 */
export const RULES = {
  NO_AGREEMENT: { clears: 'fact', params: [] },
  AGREEMENT_CLOSED: { clears: 'fact', params: ['state'] },
  NOT_THIS_PHONE: { clears: 'fact', params: [] },
  TRIGGER_NOT_ALLOWED: { clears: 'fact', params: ['reason', 'trigger'] },
  OVERRIDE_OFF: { clears: 'fact', params: ['preset'] },
  OVERRIDE_NEEDS_TEXT: { clears: 'fact', params: ['min_length'] },
  VENDOR_POLICY: { clears: 'fact', params: ['provisioning_type'] },
  THEFT_NOT_REPORTED: { clears: 'fact', params: [] },
  REQUEST_NOT_RECORDED: { clears: 'fact', params: [] },
  NOT_ENROLLED: { clears: 'fact', params: [] },
  TEST_WINDOW_OVER: { clears: 'fact', params: ['hours', 'ended_at'] },
  TEST_USED: { clears: 'fact', params: ['used_at'] },
  TEST_OVERDUE: { clears: 'fact', params: ['due_on'] },
  CONSENT_MISSING: { clears: 'fact', params: [] },
  NOT_OVERDUE: { clears: 'time', params: ['due_on'] },
  TOO_LITTLE: { clears: 'fact', params: ['overdue_paise', 'least_paise'] },
  LEVEL_NOT_IN_POLICY: { clears: 'fact', params: ['level'] },
  RESTRICTION_NOT_IN_POLICY: { clears: 'fact', params: ['restriction', 'reason'] },
  DISPUTE_OPEN: { clears: 'fact', params: ['opened_at'] },
  DISPUTE_ANSWERED: { clears: 'time', params: ['until_on'] },
  HOLD_ACTIVE: { clears: 'time', params: ['kind', 'until_on'] },
  BELOW_DPD: { clears: 'time', params: ['level', 'dpd', 'from_dpd', 'from_on'] },
  NOTICE_NOT_DELIVERED: { clears: 'fact', params: ['level', 'notice_no'] },
  NOTICE_PERIOD: { clears: 'time', params: ['level', 'notice_no', 'delivered_on', 'pay_by_on'] },
  LEVEL_STEP: { clears: 'fact', params: ['level', 'current_level', 'next_level'] },
  LEVEL_DWELL: { clears: 'time', params: ['current_level', 'since_on', 'dwell_days', 'until_on'] },
  HOLIDAY: { clears: 'time', params: ['on', 'until_on'] },
  QUIET_HOURS: { clears: 'time', params: ['from_hour', 'to_hour'] },
  OVERRIDE_NEEDS_SECOND: { clears: 'fact', params: [] },
  UNLOCK_ALWAYS: { clears: 'allows', params: [] },
  LEVEL_KEPT: { clears: 'allows', params: ['level', 'dpd'] },
  OVERDUE_STEP: { clears: 'allows', params: ['level', 'dpd'] },
  OVERRIDE_TEXT: { clears: 'allows', params: ['level', 'dpd'] },
  THEFT_REPORT: { clears: 'allows', params: ['level'] },
  OWNER_REQUEST: { clears: 'allows', params: ['level'] },
  TEST_WINDOW: { clears: 'allows', params: ['level', 'ends_at'] },
} as const satisfies Record<string, { clears: 'time' | 'fact' | 'allows'; params: readonly string[] }>;
export type RuleCode = keyof typeof RULES;
export const RULE_CODES = Object.keys(RULES) as [RuleCode, ...RuleCode[]];
export const ruleSchema = z.enum(RULE_CODES);

const paramsSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type RuleParams = z.infer<typeof paramsSchema>;

const at = z.iso.datetime();
/**
 * The gate's answer, stored with every lock and sent with every refusal (`details.verdict`).
 * - `level`: the highest level this reason may hold the phone at now; the automatic run sets exactly that.
 * - `failing`: every rule that refuses now, each with the first moment it passes by itself (null: something must be recorded first).
 * - `next`: the next raise (the missing step when refused, the step after when allowed) and its first lawful moment, all other facts as they
 *   are. Notices in `assumes_notices` are not delivered yet: the moment holds if each is delivered as early as the policy lets it be.
 * - `reached_at`: when the requested level itself could be in force if every step below it is taken at its first moment, same assumption.
 */
export const verdictSchema = z.strictObject({
  allowed: z.boolean(),
  reason: lockReasonSchema,
  trigger: lockTriggerSchema,
  requested_level: levelSchema,
  level: levelSchema,
  rule: ruleSchema,
  explain: paramsSchema,
  failing: z.array(z.strictObject({ rule: ruleSchema, at: at.nullable(), params: paramsSchema })),
  holds: z.array(z.strictObject({ kind: z.enum(['dispute', ...HOLD_KINDS]), until_on: z.iso.date().nullable() })),
  next: z.strictObject({ level: levelSchema, at: at.nullable(), assumes_notices: z.array(z.int()) }).nullable(),
  reached_at: at.nullable(),
  /** A protection lock that ends by itself (ENROLMENT_TEST). */
  expires_at: at.nullable(),
  days_past_due: z.int().min(0),
  policy: z.strictObject({ preset: z.enum(LOCK_PRESETS), version: z.int() }),
  decided_at: at,
});
export type Verdict = z.infer<typeof verdictSchema>;
