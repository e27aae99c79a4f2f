import type {
  AgentCommand,
  CheckinReply,
  CheckinRequest,
  DesiredPolicy,
  EnrolReply,
  EnrolRequest,
  Grade,
  Lease,
} from '@kist/contract/agent';
import type { ProvisioningName } from '@kist/contract/codes';
import type { CommandType, Strength } from '@kist/contract/commands';
import type { KistError } from '@kist/contract/errors';

/** A phone as the command plane names it. */
export interface DeviceTarget {
  orgId: number;
  deviceId: string;
  enrolmentId: string;
  provisioning: ProvisioningName;
}

/**
 * What became of a call to a phone. 'told': it, or the vendor on its behalf, knows there is something. 'later': not now (quota, outage);
 * come back after `afterMs`. 'unreachable': the vendor does not know this phone.
 */
export type Delivery =
  | { outcome: 'told' }
  | { outcome: 'later'; afterMs: number; why: string }
  | { outcome: 'unreachable'; why: string };

/** The last thing a vendor's side knows of a phone; 'unknown' is a legal answer. */
export type Lookup = { revision: number; lockLevel: number } | 'unknown';

/**
 * How one kind of phone is reached. Desired state and orders live in the database; an adapter only carries them, so it may lose, repeat
 * and reorder whatever it likes and the reconciler still gets there. A new kind is a folder here that passes adapter-suite.ts.
 */
export interface Adapter {
  readonly vendor: string;
  readonly provisioning: readonly ProvisioningName[];
  /** Must agree with CAPABILITIES of the contract: the suite compares them. */
  supports(provisioning: ProvisioningName, type: CommandType): Strength;
  /**
   * Makes phones come and ask, or carries everything to a vendor that keeps it for them. Never throws for a phone: outcomes come in the
   * order of the targets. Harmless to repeat.
   */
  send(targets: readonly DeviceTarget[]): Promise<readonly Delivery[]>;
  lookup(target: DeviceTarget): Promise<Lookup>;
}

/** The enrolment that a verified request speaks for. */
export interface ProvenPhone {
  orgId: number;
  enrolmentId: string;
  deviceId: string;
}

/** A report as it was heard: what could not be read of it is not there. */
export type HeardCheckin = Omit<CheckinRequest, 'state'> & {
  state: Omit<CheckinRequest['state'], 'battery'> & { battery: number | null };
};

/** What a phone lacks, as the plane knows it: the lease is not signed yet, that is its vendor's wire. */
export interface Pulled {
  serverTime: string;
  desired: { revision: number; policy: DesiredPolicy } | null;
  commands: AgentCommand[];
  lease: Lease | null;
  next: CheckinReply['next'];
}

/** The key that an enrolment was made with. */
export interface EnrolledKey {
  deviceId: string;
  spki: Buffer;
}
export interface Named {
  orgId: number;
  enrolmentId: string;
}

/** A phone that proved its key and asks to be taken in under a code that a shop made. */
export interface EnrolmentClaim {
  orgId: number;
  spki: Buffer;
  /** How far its key is vouched for. */
  grade: Grade;
  body: EnrolRequest;
  /** What to refuse it with once its code is known to exist: who has none is told nothing. */
  stale: KistError | undefined;
}

/** What the plane offers to those who speak for phones. What they bring is a claim: the plane decides what it is worth. */
export interface PlanePorts {
  /** Takes a phone in, with all that follows, or refuses it. */
  enrolled(claim: EnrolmentClaim): Promise<Omit<EnrolReply, 'server_key_spki' | 'server_key_id'>>;
  /** Notes what a phone says and hands it what it lacks, in one statement. @throws KistError AGENT_UNKNOWN when its enrolment has ended; UNAVAILABLE */
  observe(caller: ProvenPhone, report: HeardCheckin): Promise<Pulled>;
  /** Is there anything the phone was not handed yet? @throws KistError AGENT_UNKNOWN */
  isWaiting(caller: ProvenPhone): Promise<boolean>;
  /** Keys of enrolments that are listened to, in the order of their names; undefined where there is none. */
  keysOf(named: readonly Named[]): Promise<readonly (EnrolledKey | undefined)[]>;
  /** A person says from a phone that its lock is wrong. @throws KistError AGENT_UNKNOWN */
  dispute(caller: ProvenPhone, text: string): Promise<void>;
}

/** 'wake': come and ask. 'changed': what the phone reported differs from before, for whoever watches it. */
export type Signal = 'wake' | 'changed';

/** Hears hints that there is something for a phone. */
export interface Ear {
  /** @returns a function that ends the listening */
  on(kind: Signal, deviceId: string, listener: () => void): () => void;
}

export interface AgentRequest {
  method: string;
  /** Without query: this protocol has none. */
  path: string;
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What phones can ask. http/routes/agent.ts carries it; every answer leaves through `sign`. */
export interface AgentPlane {
  enrol(request: AgentRequest, body: EnrolRequest): Promise<EnrolReply>;
  /**
   * Proves who asks. @param isSuspect is looked up in a lane of its own
   * @throws KistError AGENT_SIGNATURE_INVALID, AGENT_UNKNOWN, STALE_REQUEST (details.server_time: the phone's idea of the time is off by more than five
   * minutes; it takes ours and asks again), AGENT_REPLAYED; RATE_LIMITED when too many suspects ask at once
   */
  identify(request: AgentRequest, isSuspect?: boolean): Promise<ProvenPhone>;
  /** The key of an enrolment that its phone's next one took the place of is told what is given back, see `EarlierKeys`. */
  checkin(caller: ProvenPhone, body: HeardCheckin): Promise<CheckinReply>;
  /** Resolves true at once or as soon as there is something for the phone, false after LIMITS.longPollS or when `signal` aborts. */
  poll(caller: ProvenPhone, signal: AbortSignal): Promise<boolean>;
  dispute(caller: ProvenPhone, text: string): Promise<void>;
  /** Answers every poll now, so that a stopping server need not wait 25 seconds for them. */
  endPolls(): void;
  /** Headers of the answer; `nonce` as the request said it, if it could be read. */
  sign(status: number, body: Buffer, nonce: string): Promise<Record<string, string>>;
  /** The key that phones pin. */
  readonly key: { readonly keyId: string; readonly spki: string };
}
