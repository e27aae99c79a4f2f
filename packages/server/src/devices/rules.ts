import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { ADVISORY_MAX_LEVEL, NO_SWITCHES } from '@kist/contract/commands';
import { NEXT_CHECKIN, type DesiredPolicy, type EnrolRequest } from '@kist/contract/agent';
import { LOCK_STATUS, PROVISIONING, type ProvisioningName } from '@kist/contract/codes';
import type { LockView } from '@kist/contract/customers';

/** What a phone is that nothing was asked of yet. */
export const FREE_POLICY: DesiredPolicy = {
  lock: { level: 0, cause: null, screen: null },
  toggles: NO_SWITCHES,
  wallpaper_text: null,
  released: false,
};

/** A phone that missed two of its own turns is not online. */
export const ONLINE_WITHIN_S = 2 * (NEXT_CHECKIN.afterS + NEXT_CHECKIN.spreadS);

/** How far above ours a phone's number may be for us to step over it: a backup is some orders behind, a lie can be anything. */
export const MAX_LEAP = 1_000_000;

/**
 * Under which number a phone is handed a document: above the one it says it has where it could be right, else ours. A phone that only says so has a lower
 * one and takes ours; under the number of its lie it would take nothing ever after.
 */
export const revisionToTake = (claimed: number, own: number): number =>
  claimed >= own && claimed - own <= MAX_LEAP ? claimed + 1 : own;

export const isAdvisory = (provisioningType: number): boolean => provisioningType === PROVISIONING.LINKFL;

/** The agent program that each type runs; the other types have no agent. */
const AGENT_OF: Partial<Record<ProvisioningName, EnrolRequest['agent']>> = { DPC: 'DPC', LINKFL: 'LINKFL' };

export interface PhoneIds {
  imei1: string | null;
  imei2: string | null;
  serial: string | null;
}

/**
 * Whether the phone that enrols is the one on the agreement. A device owner reads its IMEI and serial, so one of them must be the
 * contract's and none may contradict it. A linked phone may read neither (Android 10): then the token alone binds it.
 */
export function isSamePhone(
  provisioning: ProvisioningName | undefined,
  contract: PhoneIds,
  phone: Pick<EnrolRequest, 'imei' | 'serial' | 'agent'>,
): boolean {
  if (provisioning === undefined || AGENT_OF[provisioning] !== phone.agent) return false;
  const known = [contract.imei1, contract.imei2].filter((imei) => imei !== null);
  const hasImei = phone.imei.length > 0;
  const imeiFits = phone.imei.some((imei) => known.includes(imei));
  if (hasImei && known.length > 0 && !imeiFits) return false;
  const serialFits = contract.serial !== null && phone.serial === contract.serial;
  if (contract.serial !== null && phone.serial !== '' && !serialFits) return false;
  if (imeiFits || serialFits) return true;
  return provisioning === 'LINKFL' && !hasImei && phone.serial === '';
}

export interface LockFacts {
  desiredLevel: number;
  desiredRevision: number;
  lockChangedAt: Date;
  desiredCause: string | null;
  reportedLevel: number;
  reportedRevision: number;
  levelChangedAt: Date | null;
  reportedAt: Date | null;
  isStrong: boolean;
  /** It speaks for itself, with a key that nobody vouches for or without the digest of what it applied. */
  isUnproven: boolean;
  /** When it last said anything, where that is longer ago than its agreement's policy lets a phone be silent. */
  silentSince: Date | null;
  /** The highest revision that was handed to the phone. */
  toldRevision: number;
}

/**
 * The app's lock status is the phone's own last word; what was ordered since shows as pending, with its age. The cause is never the phone's word: a
 * phone that says locked while we ordered it free shows as just that. An advisory phone that reminds is never reported as locked.
 */
export function lockView(facts: LockFacts): LockView {
  const isHeld = (level: number) => facts.isStrong && level >= LOCKED_FROM_LEVEL;
  const reach = (level: number) => (facts.isStrong ? level : Math.min(level, ADVISORY_MAX_LEVEL));
  const differs = reach(facts.desiredLevel) !== reach(facts.reportedLevel);
  const to =
    isHeld(facts.desiredLevel) === isHeld(facts.reportedLevel)
      ? 'level'
      : isHeld(facts.desiredLevel)
        ? 'locked'
        : 'unlocked';
  return {
    lock_status: isHeld(facts.reportedLevel) ? LOCK_STATUS.locked : LOCK_STATUS.unlocked,
    level: facts.reportedLevel,
    desired_level: facts.desiredLevel,
    pending: differs ? { to, state: pendingState(facts), since: facts.lockChangedAt.toISOString() } : null,
    confirmed_at: (facts.levelChangedAt ?? facts.reportedAt)?.toISOString() ?? null,
    strength: strengthOf(facts),
    silent_since: isHeld(Math.max(facts.desiredLevel, facts.reportedLevel))
      ? (facts.silentSince?.toISOString() ?? null)
      : null,
    cause: facts.desiredLevel > 0 ? facts.desiredCause : null,
  };
}

/** What nobody vouches for, or nobody can hold against the document, may say what it likes: that it holds the phone is never shown as certain. */
const strengthOf = ({ isStrong, isUnproven }: LockFacts): LockView['strength'] =>
  isStrong ? (isUnproven ? 'unproven' : 'enforced') : 'advisory';

/** Handed to the phone or not. That it names the revision makes nothing of it applied, while its level says otherwise. */
const pendingState = ({ desiredRevision, reportedRevision, toldRevision }: LockFacts): 'QUEUED' | 'SENT' =>
  Math.max(reportedRevision, toldRevision) >= desiredRevision ? 'SENT' : 'QUEUED';
