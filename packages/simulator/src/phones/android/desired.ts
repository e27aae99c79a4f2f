import { ADVISORY_MAX_LEVEL, ofSwitches, strengthOf } from '@kist/contract/commands';
import type { CheckinReply, DesiredPolicy, Lease } from '@kist/contract/agent';
import type { Effect } from './events.ts';
import { effectiveLevel, heldLevel, standingBanners } from './lease.ts';
import type { Agent, AgentKind, PassedStep } from './state.ts';

type Changed = { agent: Agent; effects: Effect[] };

/** @returns the level this phone really enforces; what goes into its report. */
export const enforcedLevel = (agent: Agent): number =>
  agent.strength === 'advisory' ? Math.min(effectiveLevel(agent), ADVISORY_MAX_LEVEL) : effectiveLevel(agent);

/** @returns the cause in force, null when free. */
export function lockCause(agent: Agent): DesiredPolicy['lock']['cause'] {
  if (effectiveLevel(agent) === 0) return null;
  return agent.leaseLevel > heldLevel(agent) ? 'debt' : agent.policy.lock.cause;
}

/** @returns the switches as this phone really set them; a type that cannot do one reports it off. */
export function enforcedToggles({ policy }: Agent, kind: AgentKind): DesiredPolicy['toggles'] {
  return ofSwitches((name) => !policy.released && policy.toggles[name] && strengthOf(kind, name) !== 'no');
}

/** Ladder steps whose time lies behind `nowMs`: a newer word of the server has answered them. */
function stepsAnswered(lease: Lease | null, passed: PassedStep[], nowMs: number): PassedStep[] {
  if (!lease) return [];
  const next = [...passed];
  for (const step of lease.ladder.slice(passed.length)) {
    if (Date.parse(step.at) > nowMs) break;
    next.push({ level: step.level, atMs: null });
  }
  return next;
}

/**
 * The whole desired state; a revision at or below ours changes nothing. The newest word wins: steps that the lease took before are void,
 * because an unlock must never wait for a new lease. Later steps of the lease stay.
 */
export function applyDesired(agent: Agent, desired: NonNullable<CheckinReply['desired']>, nowMs: number): Changed {
  if (desired.revision <= agent.revision) {
    const detail = { reason: 'older_revision', revision: desired.revision, have: agent.revision };
    return { agent, effects: desired.revision < agent.revision ? [{ kind: 'changed', what: 'refused', detail }] : [] };
  }
  const { revision, policy } = desired;
  const next: Agent = {
    ...agent,
    revision,
    policy,
    isLockOver: policy.lock.until !== undefined && Date.parse(policy.lock.until) <= nowMs,
    leaseLevel: 0,
    passed: stepsAnswered(agent.lease, agent.passed, nowMs),
  };
  next.banners = standingBanners(next);
  if (policy.released) Object.assign(next, { lease: null, passed: [], banners: [], dispute: null, claimRest: null });
  if (effectiveLevel(next) === 0)
    Object.assign(next, {
      banners: [],
      claimedPaidAtMs: null,
      claimToldAtMs: null,
      dispute: next.dispute?.isSent ? null : next.dispute,
    });
  return {
    agent: next,
    effects: [
      { kind: 'changed', what: 'revision', detail: { revision, level: policy.lock.level } },
      { kind: 'contact' },
    ],
  };
}

/** What the holder said that the server had before it was asked: only then is a new lease its answer. */
export interface Known {
  isDisputeKnown: boolean;
  isClaimKnown: boolean;
}

/** A verified lease for this very phone; one with a lower or the same seq changes nothing. */
export function applyLease(agent: Agent, lease: Lease, { isDisputeKnown, isClaimKnown }: Known): Changed {
  const haveSeq = agent.lease?.seq ?? 0;
  const isOurs = lease.device_id === agent.deviceId;
  if (!isOurs || lease.seq <= haveSeq) {
    if (isOurs && lease.seq === haveSeq) return { agent, effects: [] };
    const reason = isOurs ? 'older_lease' : 'other_device';
    const detail = { reason, seq: lease.seq, have: haveSeq };
    return { agent, effects: [{ kind: 'changed', what: 'refused', detail }] };
  }
  if (agent.policy.released) return { agent, effects: [] };
  // A lease that allows nothing is a dispute being heard: it stays known as sent.
  const dispute = isDisputeKnown && lease.ladder.length > 0 ? null : agent.dispute;
  const claimRest = isClaimKnown ? null : (agent.claimRest ?? null);
  const next: Agent = { ...agent, lease, leaseLevel: 0, passed: [], dispute, claimRest };
  const banners = standingBanners(next).filter(
    ({ kind, key }) => kind === 'notice' && lease.notices.some(({ no }) => String(no) === key),
  );
  return {
    agent: { ...next, banners },
    effects: [{ kind: 'changed', what: 'lease', detail: { seq: lease.seq, valid_until: lease.valid_until } }],
  };
}
