import type { CustomerTraces } from '@kist/contract/privacy';
import { as, bool, date, int2, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** When the ladder rested, and why: what the shop granted, and what the customer's word "I have paid" began (kind `claim`). */
export const holdsKept = statement({
  name: 'locking.holds_kept',
  takes: { agreement_ids: listOf(uuid) },
  gives: {
    kind: text,
    until_on: date,
    due_on: nullable(date),
    note: text,
    created_at: timestamptz,
    lifted_at: nullable(timestamptz),
    lifted_note: text,
  },
  text: `
    select kind, until_on, due_on, note, created_at, lifted_at, lifted_note from holds
    where org_id = $1 and agreement_id = any($agreement_ids) order by created_at desc, hold_id desc`,
});

/** What was said on phones of a customer, without a sum, and what became of it. */
export const phoneClaimsKept = statement({
  name: 'locking.phone_claims_kept',
  takes: { customer_id: uuid },
  gives: {
    agreement_id: uuid,
    said_at: timestamptz,
    state: as<CustomerTraces['phone_claims'][number]['state']>()(text),
    ended_at: nullable(timestamptz),
    reason: nullable(text),
  },
  text: `
    select agreement_id, said_at, state, ended_at, reason from phone_claims
    where org_id = $1 and customer_id = $customer_id order by said_at desc, claim_id desc`,
});

/** What the gate said each time that something was to be taken from these phones. */
export const verdictsKept = statement({
  name: 'locking.verdicts_kept',
  takes: { device_ids: listOf(uuid) },
  gives: { device_id: uuid, allowed: bool, rule: text, decided_at: timestamptz },
  text: `
    select device_id, allowed, rule, decided_at from verdicts
    where org_id = $1 and device_id = any($device_ids) order by decided_at desc, verdict_id desc`,
});

/** What somebody said of these phones, lost or stolen, those that are closed among them. */
export const reportsKept = statement({
  name: 'locking.reports_kept',
  takes: { device_ids: listOf(uuid) },
  gives: {
    device_id: uuid,
    kind: text,
    reported_by: text,
    note: text,
    code_mobile: nullable(text),
    reported_at: timestamptz,
    closed_at: nullable(timestamptz),
    closed_as: nullable(text),
    closed_reason: text,
  },
  text: `
    select device_id, kind, reported_by, note, code_mobile, reported_at, closed_at, closed_as, closed_reason from protection_reports
    where org_id = $1 and device_id = any($device_ids) order by reported_at desc, report_id desc`,
});

/** What holds these phones now. */
export const locksKept = statement({
  name: 'locking.locks_kept',
  takes: { device_ids: listOf(uuid) },
  gives: {
    device_id: uuid,
    cause: text,
    level: int2,
    reason: text,
    level_since: timestamptz,
    ends_at: nullable(timestamptz),
  },
  text: `
    select device_id, cause, level, reason, level_since, ends_at from locks
    where org_id = $1 and device_id = any($device_ids) order by level_since desc, device_id, cause`,
});

/** Single things that were taken from these phones, and when they were given back. */
export const takingsKept = statement({
  name: 'locking.takings_kept',
  takes: { device_ids: listOf(uuid) },
  gives: {
    device_id: uuid,
    taken: text,
    cause: text,
    reason: text,
    taken_at: timestamptz,
    given_back_at: nullable(timestamptz),
  },
  text: `
    select device_id, taken, cause, reason, taken_at, given_back_at from restrictions
    where org_id = $1 and device_id = any($device_ids) order by taken_at desc, device_id, taken`,
});

/** When what was overdue was paid, and when the phone said that it was free again; since when it was locked, where that was wrong. */
export const curesKept = statement({
  name: 'locking.cures_kept',
  takes: { agreement_ids: listOf(uuid) },
  gives: { cured_at: timestamptz, confirmed_at: nullable(timestamptz), held_since: nullable(timestamptz) },
  text: `
    select cured_at, confirmed_at, case when withdrawn_at is null then held_since end as held_since from cures
    where org_id = $1 and agreement_id = any($agreement_ids) order by cured_at desc, cure_id desc`,
});
