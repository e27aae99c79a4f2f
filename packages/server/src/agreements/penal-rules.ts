import { z } from 'zod';
import { bps, type Bps, paise, type Paise } from '@kist/contract/money';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './penal-rules-store.ts';

export type PenalRule = store.PenalRuleRow;

/** What an agreement keeps of the rule that was in force when it was signed. */
export interface StampedPenal {
  version: number;
  charge_paise: Paise;
  grace_days: number;
  every_days: number;
  /** All charges of one instalment together, as a share of what is left of it. */
  cap_bps: Bps;
  /** Made by the daily run; otherwise by hand alone. */
  is_daily: boolean;
}

/** Up to ₹10,00,000: nobody types a sum of a paisa too many zeros. */
const sumIn = z
  .int()
  .min(0)
  .max(10_00_000_00)
  .transform((value) => paise(value));

/** What an operator may put in force, within the columns' bounds. */
const penalRuleIn = z.strictObject({
  charge_paise: sumIn,
  grace_days: z.int().min(0).max(365),
  every_days: z.int().min(1).max(365),
  cap_bps: z
    .int()
    .min(0)
    .max(10_000)
    .transform((value) => bps(value)),
  is_daily: z.boolean(),
  waiver_limit_paise: sumIn,
  set_by: z.string().trim().min(1).max(80),
  reason: z.string().trim().min(3).max(500),
});
export type PenalRuleInput = z.input<typeof penalRuleIn>;

/** Every version of an organisation's rule, newest first; none: it never made a charge. */
export const penalRules = (tx: Tx): Promise<PenalRule[]> => store.penalRules.all(tx, {});

/** The rule in force today; undefined while there is none. */
export const penalRuleInForce = (tx: Tx): Promise<PenalRule | undefined> => store.latestPenalRule.first(tx, {});

/**
 * Puts a rule in force for agreements signed from now on, under the next version; those that stand keep theirs.
 * @throws ZodError beyond its bounds
 */
export async function setPenalRule(tx: Tx, actor: AuditActor, given: PenalRuleInput): Promise<PenalRule> {
  const version = ((await penalRuleInForce(tx))?.version ?? 0) + 1;
  const rule = await store.insertPenalRule.one(tx, { version, ...penalRuleIn.parse(given) });
  const { set_at: _at, set_by: _by, reason: _reason, ...terms } = rule;
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action: 'penal_rule_set', data: terms });
  return rule;
}

/** What is stamped on an agreement of this lock policy, whose own cap holds besides; null where no charge can come of it. */
export async function penalToStamp(tx: Tx, policy: LockPolicy): Promise<StampedPenal | null> {
  const rule = await penalRuleInForce(tx);
  if (!rule || rule.charge_paise === 0) return null;
  const { version, charge_paise, grace_days, every_days, is_daily } = rule;
  const cap_bps = bps(Math.min(rule.cap_bps, policy.penalCapBps));
  return { version, charge_paise, grace_days, every_days, cap_bps, is_daily };
}
