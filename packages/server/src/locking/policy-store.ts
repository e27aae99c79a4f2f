import type { LockPolicy } from '@kist/contract/lock-policy';
import { int4, jsonb, nothing, text, timestamptz } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Two changes at once would both be the next version. Held to the end of the transaction. */
export const takePolicies = statement({
  name: 'locking.take_policies',
  gives: { taken: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('locking.policies', $1::integer)) as taken`,
});

/** Every version, the newest first. */
export const policyVersions = statement({
  name: 'locking.policy_versions',
  gives: { version: int4, created_at: timestamptz, policy: jsonb<LockPolicy>() },
  text: `select version, created_at, policy from lock_policies where org_id = $1 order by version desc limit 200`,
});

export const latestPolicy = statement({
  name: 'locking.latest_policy',
  gives: { policy: jsonb<LockPolicy>() },
  text: `select policy from lock_policies where org_id = $1 order by version desc limit 1`,
});

export const insertPolicy = statement({
  name: 'locking.insert_policy',
  takes: { version: int4, preset: text, policy: jsonb<LockPolicy>() },
  text: `
    insert into lock_policies (org_id, version, preset, policy, created_at) values ($1, $version, $preset, $policy, kist_now())
    on conflict do nothing`,
});
