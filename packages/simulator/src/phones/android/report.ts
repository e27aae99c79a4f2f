import { AGENT_PROTO } from '@kist/contract/agent';
import type { CheckinRequest } from '@kist/contract/agent';
import { REPORT_LIMITS } from '@kist/contract/limits';
import { policyDigest } from './keys.ts';
import { enforcedLevel, enforcedToggles, lockCause } from './desired.ts';
import { AGENT_VERSION } from './state.ts';
import type { Agent, Phone } from './state.ts';

/** What a phone says of itself at a contact: what it is, not what it was told to be. */
export function reportOf(phone: Phone, agent: Agent): CheckinRequest {
  const level = enforcedLevel(agent);
  return {
    proto: AGENT_PROTO,
    boot_count: phone.bootCount,
    elapsed_ms: Math.floor(phone.elapsedMs),
    wall_clock: new Date(phone.wallMs).toISOString(),
    highest_seq: agent.highestSeq,
    acks: agent.acks.slice(0, REPORT_LIMITS.acks),
    events: agent.events.slice(0, REPORT_LIMITS.events),
    state: {
      revision: agent.revision,
      policy_digest: policyDigest(agent.policy),
      lock_level: level,
      lock_cause: level === 0 ? null : lockCause(agent),
      lease_seq: agent.lease?.seq ?? 0,
      toggles: enforcedToggles(agent, phone.hardware.agent),
      sims: phone.sims,
      battery: phone.batteryPct,
      agent_version: AGENT_VERSION,
    },
    push_token: null,
  };
}

/** Tests and the lab can make a phone lie: the server must not believe it. */
export type Lie = 'wrong_revision' | 'stale_acks' | 'replay' | 'forged_signature';
export const LIES: readonly Lie[] = ['wrong_revision', 'stale_acks', 'replay', 'forged_signature'];

/** A report with a lie in it: a revision never given, or words on orders that were settled long ago or never given. */
export function lyingReport(report: CheckinRequest, agent: Agent, lie: Lie, newId: () => string): CheckinRequest {
  if (lie === 'wrong_revision') {
    return { ...report, state: { ...report.state, revision: report.state.revision + 1000, lock_level: 0 } };
  }
  if (lie !== 'stale_acks') return report;
  const invented = { id: newId(), seq: agent.highestSeq + 7, status: 'applied' as const };
  const acks = [...agent.done.slice(-8), invented].slice(0, REPORT_LIMITS.acks);
  return { ...report, acks };
}
