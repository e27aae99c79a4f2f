import { type LockPolicy, type LockPreset, POLICY_PRESETS, lockPolicySchema } from '@kist/contract/lock-policy';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { insertPolicy, latestPolicy, takePolicies } from './policy-store.ts';

const DEFAULT_PRESET: LockPreset = 'dealer';

/** The organisation's lock policy of today; the preset `dealer` while it never chose one. Writes nothing. */
export const policyInForce = async (tx: Tx): Promise<LockPolicy> =>
  (await latestPolicy.first(tx, {}))?.policy ?? POLICY_PRESETS[DEFAULT_PRESET];

const insert = (tx: Tx, policy: LockPolicy): Promise<number> =>
  insertPolicy.run(tx, { version: policy.version, preset: policy.preset, policy });

/**
 * The policy to be stamped on a new agreement; agreements of before keep theirs. The first call of an organisation that never chose one records the
 * preset `dealer` as its version 1.
 */
export async function policyFor(tx: Tx): Promise<LockPolicy> {
  const found = await latestPolicy.first(tx, {});
  if (found) return found.policy;
  await insert(tx, POLICY_PRESETS[DEFAULT_PRESET]);
  return policyInForce(tx);
}

/**
 * Puts a policy in force for agreements signed from now on, under the next version number.
 * @throws ZodError when its ladder does not hang together, or `rbi-2026` is harder than the preset
 */
export async function setPolicy(tx: Tx, actor: AuditActor, policy: Omit<LockPolicy, 'version'>): Promise<LockPolicy> {
  await takePolicies.all(tx, {});
  const before = await latestPolicy.first(tx, {});
  const next = lockPolicySchema.parse({ ...policy, version: (before?.policy.version ?? 0) + 1 });
  await insert(tx, next);
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: 'lock_policy_set',
    data: { preset: next.preset, version: next.version },
  });
  return next;
}
