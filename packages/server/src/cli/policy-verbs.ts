import { isoDate } from '@kist/contract/dates';
import type { PreviewStep } from '@kist/contract/governing';
import { LIMITS, LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import {
  LOCK_PRESETS,
  type LockPolicy,
  type LockPreset,
  POLICY_PRESETS,
  type PolicyChange,
  policyChangeSchema,
} from '@kist/contract/lock-policy';
import { SYSTEM } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import { UsageError } from './command.ts';
import { jsonOf } from './named-file.ts';
import { type Desk, type Given, type Outcome, type Verbs, nounOf } from './verbs.ts';
import { complaint } from './words.ts';

/** @throws UsageError */
function presetOf(text: string | undefined): LockPreset {
  const preset = LOCK_PRESETS.find((one) => one === text);
  if (!preset) throw new UsageError(`a preset is one of: ${LOCK_PRESETS.join(', ')}`);
  return preset;
}

type Wanted = Parameters<typeof locking.decidePolicy>[2];

/** @throws UsageError naming every place that is wrong */
function changeOf(file: string): PolicyChange {
  const read = policyChangeSchema.safeParse(jsonOf(file));
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `- ${complaint(issue)}`);
  throw new UsageError(`This cannot be used:\n${problems.join('\n')}`);
}

/** A policy as a person reads it. */
function said({
  preset,
  version,
  notices,
  steps,
  minDwellDays,
  automaticHours,
  silentAfterDays = LIMITS.silentAfterDays,
}: LockPolicy): string[] {
  const { fromHour, toHour } = automaticHours;
  return [
    `${preset}, version ${version}`,
    ...notices.map(
      ({ no, fromDpd, minDaysToPay, afterNotice }) =>
        `  notice ${no}: from day ${fromDpd} past due${afterNotice ? `, after notice ${afterNotice}` : ''}, ${minDaysToPay} days to pay`,
    ),
    ...steps.map(
      ({ level, fromDpd, needsNotices }) =>
        `  level ${level}: from day ${fromDpd} past due${needsNotices.length > 0 ? `, after notice ${needsNotices.join(', ')}` : ''}`,
    ),
    `  ${minDwellDays} days between two levels; by itself from ${fromHour}:00 to ${toHour}:00 only`,
    `  a held phone that says nothing is shown as silent after ${silentAfterDays} days`,
  ];
}

async function show(desk: Desk, { orgId, isSet }: Given): Promise<Outcome> {
  const data = await desk.database.read(orgId, (tx) => locking.lockPolicy(tx, SYSTEM(orgId)));
  const earlier = data.versions.map(
    ({ version, at, policy }) => `  ${at.slice(0, 10)}  version ${version}  ${policy.preset}`,
  );
  return { data, lines: [...said(data.policy), ...(isSet('versions') ? ['', ...earlier] : [])] };
}

/** What was typed of a policy; null: nothing was. @throws UsageError */
function wantedOf(given: Given): Wanted | null {
  const file = given.text('file');
  const preset = given.text('preset');
  if (file === undefined && preset === undefined) return null;
  return {
    preset: preset === undefined ? undefined : presetOf(preset),
    change: file === undefined ? undefined : changeOf(file),
  };
}

async function set(desk: Desk, given: Given): Promise<Outcome> {
  const { orgId } = given;
  const wanted = wantedOf(given);
  if (!wanted) throw new UsageError('--preset, --file or both say what it shall be (kist policy set --help)');
  const data = await desk.database.transaction(orgId, (tx) => locking.decidePolicy(tx, SYSTEM(orgId), wanted));
  const word = data.is_changed ? 'For agreements signed from now on:' : 'It is so already; nothing was changed.';
  return { data, lines: [word, ...said(data.policy)] };
}

const lineOf = ({ on, agreement_no, agreement_id, kind, no, level }: PreviewStep): string =>
  `${on}  ${agreement_no ?? agreement_id}  ${kind === 'unlock' ? 'unlock' : `${kind} ${no ?? level}`}`;

/** @throws UsageError */
function daysOf(given: Given, most: number): number {
  const asked = given.text('days') ?? String(most);
  const days = /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  if (days < 1 || days > most) throw new UsageError(`--days is a number from 1 to ${most}`);
  return days;
}

type Tried = Awaited<ReturnType<typeof locking.previewPolicy>>;

/** All agreements, a slice a transaction, so that nothing waits for it. */
async function inSlices(
  desk: Desk,
  { orgId }: Given,
  slice: (tx: Tx, after: string | undefined) => Promise<Tried>,
): Promise<{ agreements: number; steps: PreviewStep[] }> {
  const steps: PreviewStep[] = [];
  let agreements = 0;
  let after: string | undefined;
  do {
    const part = await desk.database.read(orgId, (tx) => slice(tx, after));
    steps.push(...part.steps);
    agreements += part.agreements;
    after = part.next_after ?? undefined;
  } while (after !== undefined);
  return { agreements, steps: steps.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0)) };
}

async function preview(desk: Desk, given: Given): Promise<Outcome> {
  const days = daysOf(given, LIMITS.policyPreviewDays);
  const wanted = wantedOf(given);
  const data = await inSlices(desk, given, (tx, after) =>
    locking.previewPolicy(tx, SYSTEM(given.orgId), { wanted, days, after }),
  );
  const summary = `${data.agreements} agreements have something due within ${days} days; if nothing is paid, ${data.steps.length} things happen:`;
  return { data, lines: [summary, ...data.steps.map(lineOf)] };
}

/** One line a day: what was told, and to which level so many went. */
function daysTold(steps: readonly PreviewStep[]): string[] {
  const days = new Map<string, Map<string, number>>();
  for (const { on, kind, level } of steps) {
    const day = days.get(on) ?? new Map<string, number>();
    const what = kind === 'level' ? `level ${level}` : kind;
    days.set(on, day.set(what, (day.get(what) ?? 0) + 1));
  }
  return [...days].map(([on, day]) => `  ${on}  ${[...day].map(([what, times]) => `${what}: ${times}`).join(', ')}`);
}

async function replay(desk: Desk, given: Given): Promise<Outcome> {
  const days = daysOf(given, LIMITS.policyReplayDays);
  const wanted = wantedOf(given);
  const data = await inSlices(desk, given, (tx, after) =>
    locking.replayPolicy(tx, SYSTEM(given.orgId), { wanted, days, after }),
  );
  const held = new Set(
    data.steps.flatMap(({ agreement_id, level }) => ((level ?? 0) >= LOCKED_FROM_LEVEL ? [agreement_id] : [])),
  );
  const summary = `${data.agreements} agreements had something due in the last ${days} days. As the payments came in, ${held.size} phones would have been locked at some time:`;
  return { data, lines: [summary, ...daysTold(data.steps)] };
}

const FILE_SAYS = 'a file of JSON with what is to be another, in the words of show --json ("-": standard input)';

const policyVerbs: Verbs = {
  show: {
    says: 'the lock policy of agreements signed from now on',
    takes: ['ORG'],
    options: { versions: { type: 'boolean' } },
    teaches: { versions: 'every version there was' },
    example: 'kist policy show 20 --versions',
    run: show,
  },
  list: {
    says: 'the presets that can be chosen',
    takes: [],
    example: 'kist policy list',
    run: async () => ({ data: POLICY_PRESETS, lines: LOCK_PRESETS.flatMap((name) => said(POLICY_PRESETS[name])) }),
  },
  set: {
    says: 'a preset, or numbers of the policy, for agreements signed from now on; those of before keep theirs, and what its preset does not allow is refused',
    takes: ['ORG'],
    options: { preset: { type: 'string' }, file: { type: 'string' } },
    teaches: { preset: 'which one; without it the policy stays under the preset that it has', file: FILE_SAYS },
    example: 'kist policy set 20 --preset rbi-2026 --file milder.json',
    run: set,
  },
  preview: {
    says: 'what the next days bring to running agreements if nothing is paid; changes nothing',
    takes: ['ORG'],
    options: { preset: { type: 'string' }, file: { type: 'string' }, days: { type: 'string' } },
    teaches: {
      preset: 'as if every agreement were signed under it; without it and --file, each as it was signed',
      file: FILE_SAYS,
      days: `how many, at most ${LIMITS.policyPreviewDays}`,
    },
    example: 'kist policy preview 20 --preset rbi-2026 --days 14',
    run: preview,
  },
  replay: {
    says: 'what the last days would have brought, day by day, with the payments as they came in, every notice delivered, nobody disputing and no time given; changes nothing',
    takes: ['ORG'],
    options: { preset: { type: 'string' }, file: { type: 'string' }, days: { type: 'string' } },
    teaches: {
      preset: 'as if every agreement were signed under it; without it and --file, each as it was signed',
      file: FILE_SAYS,
      days: `how many, at most ${LIMITS.policyReplayDays}`,
    },
    example: 'kist policy replay 20 --preset rbi-2026',
    run: replay,
  },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** @throws UsageError */
export function dayOf(text: string | undefined) {
  if (!DAY.test(text ?? '')) throw new UsageError('a day is written YYYY-MM-DD');
  try {
    return isoDate(text!);
  } catch {
    throw new UsageError(`${text} is no day of the calendar`);
  }
}
const listed = (days: readonly string[]): Outcome => ({
  data: { days },
  lines: days.length > 0 ? days.map((day) => `  ${day}`) : ['No holidays.'],
});

const holidayVerbs: Verbs = {
  list: {
    says: 'the days on which no phone is locked by itself or by override',
    takes: ['ORG'],
    example: 'kist holiday list 20',
    run: async (desk, { orgId }) => listed(await desk.database.read(orgId, organisations.holidays)),
  },
  add: {
    says: 'one more of them',
    takes: ['ORG', 'DAY'],
    example: 'kist holiday add 20 2027-01-26',
    run: async (desk, { orgId, words }) => {
      const days = [dayOf(words['DAY'])];
      return listed(await desk.database.transaction(orgId, (tx) => locking.addHolidays(tx, SYSTEM(orgId), days)));
    },
  },
  remove: {
    says: 'a day like others again',
    takes: ['ORG', 'DAY'],
    example: 'kist holiday remove 20 2027-01-26',
    run: async (desk, { orgId, words }) => {
      const days = [dayOf(words['DAY'])];
      return listed(await desk.database.transaction(orgId, (tx) => locking.removeHolidays(tx, SYSTEM(orgId), days)));
    },
  },
};

export const policyCommands = {
  ...nounOf('policy', 'the lock policy of an organisation, and what it would do', policyVerbs),
  ...nounOf('holiday', 'days on which nothing rises by itself or by override', holidayVerbs),
};
