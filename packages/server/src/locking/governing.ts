import { NEEDS } from '@kist/contract/access';
import { type IsoDate, addDays } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { PreviewStep } from '@kist/contract/governing';
import { LIMITS } from '@kist/contract/limits';
import {
  type LockPolicy,
  type LockPreset,
  POLICY_PRESETS,
  type PolicyChange,
  lockPolicySchema,
  policyFieldsSchema,
} from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { lookAtPhones, type Phone } from './facts.ts';
import { readOrganisationFacts } from './facts-store.ts';
import { devicesOfAgreements } from './ladder-store.ts';
import { type ArrearsRow, agreementsOfShops, agreementsToTell, readArrears } from './notice-run-store.ts';
import { CHECKS, invariantStates } from './invariants.ts';
import { assertMayGovern } from './policy.ts';
import { policyVersions } from './policy-store.ts';
import { policyInForce, setPolicy } from './policies.ts';
import { type Life, replay } from './rules/replay.ts';

/** Which policy somebody has in mind: a preset, the one in force, either with changes. */
export interface Wanted {
  preset?: LockPreset | undefined;
  change?: PolicyChange | undefined;
}
export interface Chosen {
  policy: LockPolicy;
  is_changed: boolean;
}

/** What always holds and how it stood at the last look, for who answers for the organisation. @throws KistError FORBIDDEN */
export async function invariants(tx: Tx, actor: Actor) {
  assertMayGovern(actor);
  const states = await invariantStates(tx);
  const looks = states.flatMap(({ checked_at: at }) => (at === null ? [] : [Date.parse(at)]));
  return {
    is_in_order: states.every(({ state }) => state === 'holds'),
    last_run_at: looks.length < states.length ? null : new Date(Math.min(...looks)).toISOString(),
    invariants: states.map(({ found, ...state }) => ({
      ...state,
      is_red: state.state !== 'holds',
      proves: CHECKS[state.invariant].proves,
      found: [...found],
    })),
  };
}

/** The policy in force, its versions newest first, and the presets. @throws KistError FORBIDDEN */
export async function lockPolicy(tx: Tx, actor: Actor) {
  assertMayGovern(actor);
  const versions = await policyVersions.all(tx, {});
  return {
    policy: await policyInForce(tx),
    versions: versions.map(({ version, created_at, policy }) => ({ version, at: created_at.toISOString(), policy })),
    presets: POLICY_PRESETS,
  };
}

/** @throws KistError INVALID_INPUT with `details.problems`: the ladder does not hang together, or is harder than its preset allows */
async function wantedPolicy(tx: Tx, { preset, change = {} }: Wanted): Promise<LockPolicy> {
  const inForce = await policyInForce(tx);
  const base = preset === undefined ? inForce : { ...POLICY_PRESETS[preset], holidays: inForce.holidays };
  const read = lockPolicySchema.safeParse({ ...base, ...change, version: inForce.version });
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ message }) => message);
  throw new KistError('INVALID_INPUT', {
    internal: problems.join('; '),
    fields: [{ path: 'change', key: 'field.invalid' }],
    details: { problems },
  });
}

const same = ({ version: _a, ...one }: LockPolicy, { version: _b, ...other }: LockPolicy): boolean =>
  JSON.stringify(policyFieldsSchema.parse({ ...one, version: 1 })) ===
  JSON.stringify(policyFieldsSchema.parse({ ...other, version: 1 }));

/**
 * A preset, or changed numbers, for agreements signed from now on; agreements of before keep theirs. What is in force already is no new version.
 * @throws KistError FORBIDDEN; INVALID_INPUT (harder than the preset allows)
 */
export async function decidePolicy(tx: Tx, actor: Actor, wanted: Wanted): Promise<Chosen> {
  assertMayGovern(actor);
  const policy = await wantedPolicy(tx, wanted);
  const inForce = await policyInForce(tx);
  if (same(policy, inForce)) return { policy: inForce, is_changed: false };
  const { version: _, ...next } = policy;
  return { policy: await setPolicy(tx, actor, next), is_changed: true };
}

/** Agreements of one slice: at most so many phones are judged for 30 days in one call. */
const SLICE = 200;

/**
 * The coming days of one slice of the running agreements, if nothing is paid and every notice arrives (`rules/replay.ts`). Reads only.
 * @param wanted null: each by the policy it was signed under
 * @throws KistError FORBIDDEN; INVALID_INPUT
 */
export async function previewPolicy(
  tx: Tx,
  actor: Actor,
  { wanted, days, after = '' }: { wanted: Wanted | null; days: number; after?: string | undefined },
): Promise<{ steps: PreviewStep[]; agreements: number; next_after: string | null }> {
  assertMayGovern(actor);
  const lastOn = addDays(await today(tx), days - 1);
  // Another policy may remind earlier than the one that was signed.
  const ahead = LIMITS.reminderDaysAhead;
  const found = await agreementsToTell.all(tx, { on: lastOn, ahead, after: after || null, limit: SLICE });
  const ids = found.map(({ agreement_id }) => agreement_id);
  return {
    ...(await stepsOfAll(tx, ids, { lastOn, policy: await policyToTry(tx, wanted), days })),
    next_after: nextAfter(ids),
  };
}

/** A policy that is only tried, with the organisation's holidays. @returns null: each agreement by the one it was signed under. @throws KistError INVALID_INPUT */
export async function policyToTry(tx: Tx, wanted: Wanted | null): Promise<LockPolicy | null> {
  if (!wanted) return null;
  const policy = await wantedPolicy(tx, wanted);
  const { holidays } = await readOrganisationFacts(tx);
  return { ...policy, holidays: [...policy.holidays, ...holidays] };
}

const nextAfter = (ids: readonly string[]): string | null => (ids.length < SLICE ? null : ids.at(-1)!);

async function stepsOfAll(
  tx: Tx,
  ids: readonly string[],
  { lastOn, policy, days }: { lastOn: IsoDate; policy: LockPolicy | null; days: number },
): Promise<{ steps: PreviewStep[]; agreements: number }> {
  const rows = await readArrears(tx, lastOn, ids);
  const phones = await lookAtPhones(tx, await devicesOfAgreements(tx, ids));
  const byAgreement = new Map(phones.map((phone) => [phone.row.agreementId, phone]));
  const steps = await mapInSlices(rows, (row) => stepsOf(row, byAgreement.get(row.agreementId), policy, days));
  return {
    steps: steps.flat().toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0)),
    agreements: rows.length,
  };
}

/** The rules that a shop sells under, and the days of the running year on which nothing rises. @throws KistError FEATURE_NOT_ALLOWED */
export async function lockRules(tx: Tx, actor: Actor) {
  identity.requires(actor, NEEDS.read);
  const policy = await policyInForce(tx);
  const versions = await policyVersions.all(tx, {});
  const year = (await today(tx)).slice(0, 4);
  const { holidays } = await readOrganisationFacts(tx);
  return {
    policy,
    since: versions.find(({ version }) => version === policy.version)?.created_at.toISOString() ?? null,
    holidays: [...new Set([...policy.holidays, ...holidays])].filter((day) => day.startsWith(year)).toSorted(),
  };
}

/**
 * The coming days of one slice of the caller's own customers, each by the policy it was signed under, if nothing is paid and every notice arrives.
 * @throws KistError FEATURE_NOT_ALLOWED
 */
export async function comingSteps(tx: Tx, actor: Actor, { days, after }: { days: number; after?: string | undefined }) {
  identity.requires(actor, NEEDS.read);
  const lastOn = addDays(await today(tx), days - 1);
  const owners = actor.visibleOwnerIds;
  const given = { on: lastOn, ahead: LIMITS.reminderDaysAhead, owners, after: after ?? null, limit: SLICE };
  const found = await agreementsOfShops.all(tx, given);
  const ids = found.map(({ agreement_id }) => agreement_id);
  const whose = new Map(found.map(({ agreement_id, customer_id }) => [agreement_id, customer_id]));
  const names = await customers.namesOf(tx, [...whose.values()]);
  const { steps, agreements } = await stepsOfAll(tx, ids, { lastOn, policy: null, days });
  const named = steps.map((step) => {
    const customer_id = whose.get(step.agreement_id)!;
    return { ...step, customer_id, customer_name: names.get(customer_id) ?? '' };
  });
  return { steps: named, agreements, next_after: nextAfter(ids) };
}

/** An agreement whose phone stands for another agreement by now is none that can be held. */
function stepsOf(row: ArrearsRow, phone: Phone | undefined, policy: LockPolicy | null, days: number): PreviewStep[] {
  if (!phone) return [];
  const { agreementId, agreementNo } = phone.row;
  return replay(lifeOf(row, phone, policy), days).map(({ on, kind, no, level, dueOn }) => ({
    on,
    agreement_id: agreementId ?? row.agreementId,
    agreement_no: agreementNo,
    kind,
    no,
    level,
    due_on: dueOn,
  }));
}

const lifeOf = (row: ArrearsRow, phone: Phone, policy: LockPolicy | null): Life => {
  const facts = phone.facts({ reason: 'EMI_OVERDUE', level: 1, trigger: 'automatic' });
  return {
    facts: policy ? { ...facts, policy } : facts,
    state: 'active',
    unpaid: row.unpaid.map(({ due_on, paise }) => ({ dueOn: due_on, unpaidPaise: paise })),
    sent: (row.sent ?? []).map(({ kind, no, due_on }) => ({ kind, no, dueOn: due_on })),
    isHoldable: phone.row.enrolledAt !== null && phone.row.releasedAt === null,
  };
};

/**
 * Days on which nothing rises. Phones whose lease names a step on one of them get another within the ladder's next round (`leasesToRenew`).
 * @throws KistError FORBIDDEN; INVALID_INPUT (a day of the past, too many days)
 */
export async function addHolidays(tx: Tx, actor: Actor, days: readonly IsoDate[]): Promise<readonly IsoDate[]> {
  assertMayGovern(actor);
  const on = await today(tx);
  const past = days.findIndex((day) => day < on);
  if (past >= 0) throw new KistError('INVALID_INPUT', { fields: [{ path: `days.${past}`, key: 'field.date' }] });
  return changeHolidays(tx, actor, { added: days, removed: [] });
}

/** @throws KistError FORBIDDEN; NOT_FOUND (none of them was a holiday) */
export async function removeHolidays(tx: Tx, actor: Actor, days: readonly IsoDate[]): Promise<readonly IsoDate[]> {
  assertMayGovern(actor);
  const before = await organisations.holidays(tx);
  if (!days.some((day) => before.includes(day))) throw new KistError('NOT_FOUND');
  return changeHolidays(tx, actor, { added: [], removed: days });
}

async function changeHolidays(
  tx: Tx,
  actor: Actor,
  change: { added: readonly IsoDate[]; removed: readonly IsoDate[] },
): Promise<readonly IsoDate[]> {
  const changed = await organisations.changeHolidays(tx, change);
  if (!changed) return organisations.holidays(tx);
  if (changed.length > LIMITS.holidays)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'days', key: 'field.too_much' }] });
  const action = change.added.length > 0 ? 'holidays_added' : 'holidays_removed';
  const data = { days: change.added.length > 0 ? change.added : change.removed };
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data });
  return changed;
}
