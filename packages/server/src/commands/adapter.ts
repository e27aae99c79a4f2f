import type {
  Ack,
  AgentCommand,
  CheckinReply,
  CheckinRequest,
  DesiredPolicy,
  EnrolReply,
  EnrolRequest,
  Grade,
  Lease,
  LockCause,
} from '@kist/contract/agent';
import type { ProvisioningName } from '@kist/contract/codes';
import type { Vendor } from '@kist/contract/capabilities';
import type { KistError } from '@kist/contract/errors';

/** One way to one phone: what a vendor's word is about. A phone has one of a vendor; one of them is in charge of what it is held to. */
export interface Channel {
  orgId: number;
  deviceId: string;
  enrolmentId: string;
}

/** A channel with something to be carried to its phone. */
export interface Delivery extends Channel {
  /** How the vendor names the phone; null for our own agent, which comes by itself. */
  handle: string | null;
  provisioning: ProvisioningName;
  /** The whole of what the phone shall be, under its revision. Only where the adapter carries (`carries`) and the channel is in charge. */
  desired: { revision: number; policy: DesiredPolicy } | null;
  /** Open orders of a moment, oldest first; each is known by its id, however often it comes. */
  orders: readonly AgentCommand[];
  /** What the vendor was last given, and its own name for that; `tries`: how often what is carried now was taken for it, this time too. */
  before: { revision: number | null; operation: string | null; tries: number };
}

/**
 * What became of a delivery. 'told': the phone, or the vendor on its behalf, knows there is something; `operation`: the vendor's name for it, `level`: the
 * lock level that this document comes to there; `answers`: to its orders, where the vendor has them at once. 'later': not now (quota, outage); with `isTrouble` false its turn has not come, which
 * makes no later pause longer; `isAccount`: the vendor refuses the organisation's account, so nothing of it passes until a person puts that right. 'refused': never so; its orders fail with `code`, and what gives back is tried on all the same. 'gone': the vendor
 * knows no such phone: the channel ends and the shop is told.
 */
export type Outcome =
  | { outcome: 'told'; operation?: string; level?: number; answers?: Ack[] }
  | { outcome: 'later'; afterMs: number; why: string; isTrouble?: false; isAccount?: true }
  | { outcome: 'refused'; code: string; why: string }
  | { outcome: 'gone'; why: string };

/** Of what was not begun, because something was given back meanwhile: it goes on after that. */
export const NOT_BEGUN: Outcome = { outcome: 'later', afterMs: 0, why: 'TURN_OVER', isTrouble: false };

/** Whether something given back has come that nobody has in hand: it waits for the call that is under way, and for no other. */
export type IsUnlockWaiting = () => Promise<boolean>;

/**
 * What somebody says of a phone, whoever carries it. A claim: the plane decides what it is worth. What it does not name stays as it was; nothing is
 * overwritten by silence.
 */
export interface Observation {
  channel: ProvenPhone;
  /** Orders what is said of one phone; a lower one than the last is late and moves nothing. Of an agent its boots and time since; of a vendor 0 and the moment of receipt. */
  moment: { boots: number; ms: number };
  revision?: number | undefined;
  /**
   * SHA-256, in hex, of the document that is applied (`kist_digest`); '' for what can be none, null from an agent that says none. A vendor that knows a
   * version and no document does not name it: its word on revision and level stands alone.
   */
  documentDigest?: string | null | undefined;
  level?: number | undefined;
  cause?: LockCause | null | undefined;
  toggles?: DesiredPolicy['toggles'] | undefined;
  leaseSeq?: number | undefined;
  /** Highest number of an order that the phone has stored. */
  highestSeq?: number | undefined;
  wallClock?: string | undefined;
  battery?: number | null | undefined;
  sims?: readonly object[] | undefined;
  agentVersion?: string | undefined;
  location?: { latitude: number; longitude: number; accuracy_m: number; at: string } | undefined;
  pushToken?: string | null | undefined;
  acks?: CheckinRequest['acks'];
  events?: CheckinRequest['events'];
}

/** What is needed to bring a phone under a vendor. */
export interface OfferRequest {
  orgId: number;
  deviceId: string;
  imei: string | null;
  serial: string | null;
}
/** 'reserved': the vendor knows the phone as `handle`, and says so once it is switched on. */
export type Offer =
  | { offer: 'reserved'; handle: string }
  | { offer: 'later'; afterMs: number; why: string }
  | { offer: 'refused'; code: string; why: string };

/** A page that a vendor calls: raw bytes, for signatures are over bytes. */
export interface InboundRoute {
  method: 'POST' | 'PUT' | 'GET';
  path: string;
  handle(request: {
    body: Buffer;
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }): Promise<{ status: number; body?: object }>;
}

/**
 * How one vendor's phones are reached. Desired state and orders live in the database; an adapter only carries them, so it may lose, repeat
 * and reorder whatever it likes and the reconciler still gets there. A new vendor is a folder here that passes adapter-suite.ts, a row of
 * VENDORS in the contract, by which what it carries is judged, and one line where it is registered.
 */
export interface Adapter {
  readonly vendor: Vendor;
  /** Whether deliveries need the document and the orders: the vendor keeps them for the phone. Else the phone comes and asks us, and `deliver` only lets it know: at once, and nothing is refused or put off. */
  readonly carries: boolean;
  /** Deliveries in one call of `deliver`. */
  readonly batchSize: number;
  /**
   * Deliveries of an organisation a minute, and how many at once after a rest; absent: as many as there are. What is given back goes first. `perDay`: changes
   * that the vendor takes in a day (UTC), of which locks leave `keptForUnlocks` alone: none that was made in the morning waits for midnight to go.
   */
  readonly budget?: { perMinute: number; burst: number; perDay?: number; keptForUnlocks?: number };
  /** What the customer scans or opens, or what is reserved at the vendor. Harmless to repeat. Absent: its phones bring a code that we made. */
  offer?(request: OfferRequest): Promise<Offer>;
  /**
   * Of one organisation. Never throws for a phone: outcomes come in the order given. Harmless to repeat. What takes a call for each phone asks
   * `isUnlockWaiting` before each, and from then on answers NOT_BEGUN.
   */
  deliver(batch: readonly Delivery[], isUnlockWaiting?: IsUnlockWaiting): Promise<readonly Outcome[]>;
  /** Lets a phone go at the vendor for good. */
  release(delivery: Delivery): Promise<Outcome>;
  /** The last thing the vendor knows; 'unknown' is a legal answer. */
  lookup(delivery: Delivery): Promise<Observation | 'unknown'>;
  readonly routes?: readonly InboundRoute[];
}

/** A channel that a vendor speaks of, and what the vendor was last given for it. */
export interface KnownChannel extends Channel {
  operation: string | null;
  revision: number | null;
  level: number | null;
  /** Whether we let the phone go for good. */
  isLetGo: boolean;
}

/** What the plane offers to adapters of vendors that keep phones for us. */
export interface VendorPorts {
  channel(orgId: number, vendor: string, handle: string): Promise<KnownChannel | undefined>;
  /** A phone that was reserved was switched on: its channel begins, with all that follows. Repeated, it is the channel that began. @throws KistError AGENT_UNKNOWN when nobody reserved it */
  begun(orgId: number, vendor: string, handle: string): Promise<KnownChannel>;
  observe(observation: Observation): Promise<unknown>;
  /** The vendor took a delivery and could not carry it out: it is carried again. */
  again(channel: Channel, later: { afterMs: number; why: string }): Promise<void>;
  /** What the vendor says of the organisation's account: why it refuses it, or null when it took something from it. */
  account(orgId: number, vendor: string, refusedFor: string | null): Promise<void>;
  /** The vendor knows the phone no more. */
  ended(channel: Channel, why: string): Promise<void>;
  /** The product's present. */
  nowMs(): Promise<number>;
}

/** Whoever proved that a key is theirs; whose phone's it is nobody asked. What they ask next finds the channel by the key, in its own statement. */
export interface KeyHolder {
  orgId: number;
  /** SHA-256 of the SubjectPublicKeyInfo, in hex. */
  keySha256: string;
}
/** Whom a verified request speaks for: the channel of the enrolment that it names, or the holder of the key that it names. */
export type ProvenPhone = Channel | KeyHolder;

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
  enrolmentId: string;
  spki: Buffer;
}
export type Named = Pick<Channel, 'orgId' | 'enrolmentId'> | KeyHolder;

/** Whether there is something for this phone. */
export interface Waiting {
  isWaiting: boolean;
  deviceId: string;
}

/** A phone that proved its key and asks to be taken in under a code that a shop made. */
export interface EnrolmentClaim {
  orgId: number;
  vendor: Vendor;
  spki: Buffer;
  /** How far its key is vouched for: asked once its code is known, for certificates that anybody makes up are dear to prove. */
  grade: () => Grade;
  body: EnrolRequest;
  /** What to refuse it with once its code is known to exist: who has none is told nothing. */
  stale: KistError | undefined;
}

/** The name that an enrolment is signed under (`tokenName`), in the organisation that it says. */
export interface CodeName {
  orgId: number;
  name: string;
}

/** What the plane offers to those who speak for phones. What they bring is a claim: the plane decides what it is worth. */
export interface PlanePorts {
  /** Takes a phone in, with all that follows, or refuses it. */
  enrolled(
    claim: EnrolmentClaim,
  ): Promise<Omit<EnrolReply, 'keyid' | 'server_key_spki' | 'server_key_id'> & { enrolmentId: string }>;
  /** Whether a code may begin so, in the order of the names. One that is refused here is nobody's. */
  areCodes(names: readonly CodeName[]): Promise<readonly boolean[]>;
  /** Notes what is said of a phone and hands out what it lacks, in one statement. @throws KistError AGENT_UNKNOWN when its enrolment has ended; UNAVAILABLE */
  observe(observation: Observation): Promise<Pulled>;
  /** Is there anything the phone was not handed yet? @throws KistError AGENT_UNKNOWN */
  isWaiting(caller: ProvenPhone): Promise<Waiting>;
  /** Keys of enrolments that are listened to, in the order of their names; undefined where there is none. */
  keysOf(named: readonly Named[]): Promise<readonly (EnrolledKey | undefined)[]>;
  /** A person says from a phone that its lock is wrong. @throws KistError AGENT_UNKNOWN */
  dispute(caller: ProvenPhone, text: string): Promise<void>;
}

/** 'wake': come and ask. 'changed': the phone or what is asked of it differs from before, for whoever watches it. 'queued': the dispatcher has something. */
export type Signal = 'wake' | 'changed' | 'queued';

/** Hears hints that there is something for a phone. */
export interface Ear {
  /** @returns a function that ends the listening */
  on(kind: Signal, deviceId: string, listener: () => void): () => void;
  /** Whether what other processes say is not heard now: who waits for it looks for himself meanwhile. */
  isDeaf(): boolean;
}

/** A question of which the body was not read yet. */
export interface AgentHeaders {
  method: string;
  /** Without query: this protocol has none. */
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface AgentRequest extends AgentHeaders {
  body: Buffer;
}

/** What phones can ask. http/routes/agent.ts carries it; every answer leaves through `sign`. */
export interface AgentPlane {
  enrol(request: AgentRequest, body: EnrolRequest): Promise<EnrolReply>;
  /**
   * Proves who asks. `isKnown`: its key was looked up; else what it asks next may say AGENT_UNKNOWN, and until then it is nobody's. `budget`: on whose account
   * what it asks is counted, one for each phone, whichever of its names it asks under.
   * @param isSuspect is looked up, in a lane of its own
   * @throws KistError AGENT_SIGNATURE_INVALID, AGENT_UNKNOWN, STALE_REQUEST (details.server_time: the phone's idea of the time is off by more than five
   * minutes; it takes ours and asks again), AGENT_REPLAYED; RATE_LIMITED when too many suspects ask at once
   */
  identify(
    request: AgentRequest,
    isSuspect?: boolean,
  ): Promise<{ caller: ProvenPhone; isKnown: boolean; budget: string }>;
  /** Whether a phone has this name, or had it before its newer one: asked of a suspect, in a lane of its own, before anything else of its question is read. @throws KistError RATE_LIMITED */
  isPhone(keyid: string): boolean | Promise<boolean>;
  /** Whether an enrolment's name (see `tokenName`) may be a code's; asked of a suspect as `isPhone` is. @throws KistError RATE_LIMITED */
  isCode(name: string): boolean | Promise<boolean>;
  /** Whether a suspect's question in a phone's name (see `isPhone`) was signed by its key. True also where the key is not at hand: `identify` judges then. */
  isSigned(keyid: string, question: AgentHeaders): boolean;
  /** The key of an enrolment that its phone's next one took the place of is told what is given back, see `EarlierKeys`. */
  checkin(caller: ProvenPhone, body: HeardCheckin): Promise<CheckinReply>;
  /** Resolves true at once or as soon as there is something for the phone, false after LIMITS.longPollS or when `signal` aborts. */
  poll(caller: ProvenPhone, signal: AbortSignal): Promise<boolean>;
  dispute(caller: ProvenPhone, text: string): Promise<void>;
  /** Answers every poll now, so that a stopping server need not wait 25 seconds for them. */
  endPolls(): void;
  /** Headers of the answer; `nonce` as the request said it, if it could be read. */
  sign(status: number, body: string, nonce: string): Promise<Record<string, string>>;
  /** The key that phones pin. */
  readonly key: { readonly keyId: string; readonly spki: string };
}
