import { type KeyObject, hash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { INT4_MAX } from '@kist/contract/limits';
import type { KeyHolder, Named, PlanePorts, ProvenPhone } from '#server/commands/adapter.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import type { Claim } from './agent-signature.ts';
import { publicKeyFrom, storedKeyFrom } from './server-key.ts';

/** A key and who asks with it. `isKnown`: it was looked up and is a phone's. */
interface FoundKey {
  key: KeyObject;
  caller: ProvenPhone;
  isKnown: boolean;
  /** One for each phone, whichever of its names it asks under: the hash of its key. */
  budget: string;
}
export interface PhoneKeys {
  /**
   * The key that a request is signed with, before that is proved. Named by itself and there in the request it costs no look at the database: what is asked
   * next finds its channel. `isSuspect`: too much that could not be proved came from there; whoever it is is looked up first, for a phone that is right may
   * be among them, and somebody's own key proves nothing.
   * @throws KistError AGENT_UNKNOWN; AGENT_SIGNATURE_INVALID when it is not the key that it names; RATE_LIMITED when more suspects wait than can be looked up soon
   */
  find(claim: Pick<Claim, 'keyid' | 'publicKey'>, isSuspect: boolean): Promise<FoundKey>;
  /** Whether a holder's key is a phone's at all. @throws KistError AGENT_UNKNOWN */
  assertKnown(holder: KeyHolder): Promise<void>;
  /** Whether a name is a phone's, asked of a suspect before anything else of its question is read. @throws KistError RATE_LIMITED as `find` */
  isPhone(keyid: string): boolean | Promise<boolean>;
  /** The key of a name that was looked up of late. */
  kept(keyid: string): KeyObject | undefined;
  /** The name is a phone's from now on. */
  enrolled(keyid: string): void;
}

interface KnownKey {
  caller: ProvenPhone;
  key: KeyObject;
  budget: string;
}

/** Some 1.5 KB each, of phones that ask by an enrolment's name or as suspects. One of an ended enrolment may stay: every statement joins the live enrolment again. */
const KEYS_KEPT = 50_000;
/** Only as it was given: `020.…` names nothing, though a number would be read from it, or one phone would have two names and two limits. */
const KEYID =
  /^([1-9]\d{0,9})\.(?:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]))$/;

/**
 * Lookups of those who gave no reason for doubt; and of all others together, one statement at a time, so that they cost the same however many come. Few
 * wait for others; enough of them do not, for a server that sleeps between statements finds nothing warm, and each question is dearer.
 */
export const LANE = { inFlight: 3, maxWaiting: 20_000 } as const;
export const SUSPECTS_LANE = { inFlight: 1, maxWaiting: 2000, leavesAtOnce: false, gatherMs: 20, enough: 50 } as const;
export const BATCH = { maxItems: 200, leavesAtOnce: true, retriesAlone: true } as const;
const RETRY_AFTER_S = 5;
/** Names that were nobody's a moment ago: who goes on under one costs no look-up. A phone that enrols meanwhile, here or in another process, waits no longer than this. */
const STRANGERS = { kept: 20_000, forMs: 5000 } as const;

interface Lately {
  has(name: string): boolean;
  add(name: string): void;
  delete(name: string): void;
}

/** Names of the last moment, in two halves of its length: nothing has to be searched for what is old, or moved for being asked again. */
function createLately({ kept, forMs }: typeof STRANGERS): Lately {
  let present = new Set<string>();
  let before = new Set<string>();
  let turnsAtMs = 0;
  const turn = (): void => {
    const nowMs = performance.now();
    if (nowMs < turnsAtMs && present.size < kept / 2) return;
    // A half that nobody asked in is as old as the other.
    before = nowMs < turnsAtMs + forMs / 2 ? present : new Set();
    present = new Set();
    turnsAtMs = nowMs + forMs / 2;
  };
  return {
    has(name) {
      turn();
      return present.has(name) || before.has(name);
    },
    add(name) {
      turn();
      present.add(name);
    },
    delete(name) {
      present.delete(name);
      before.delete(name);
    },
  };
}

/** To read a key's bytes costs some 60 µs: those of phones that asked of late are kept, each some 2 KB; one that is not costs just that. */
const READ_KEPT = 20_000;

export function createPhoneKeys(plane: Pick<PlanePorts, 'keysOf'>): PhoneKeys {
  const keys = new BoundedMap<string, KnownKey>(KEYS_KEPT);
  const read = new BoundedMap<string, KeyObject>(READ_KEPT);
  const brought = (keyid: string, publicKey: Buffer): KeyObject => {
    const key = read.get(keyid) ?? broughtKey(publicKey);
    read.set(keyid, key);
    return key;
  };
  const laneOf = (lane: typeof LANE | typeof SUSPECTS_LANE) =>
    microBatch((named: Named[]) => look(plane, named), { ...BATCH, ...lane });
  const lookUp = laneOf(LANE);
  const lookUpSuspect = laneOf(SUSPECTS_LANE);
  const strangers = createLately(STRANGERS);
  const lookForSuspect = sharing(lookUpSuspect, (keyid, known) => {
    if (known) keys.set(keyid, known);
    else strangers.add(keyid);
  });
  return {
    isPhone(keyid) {
      const named = nameIn(keyid);
      if (!named || strangers.has(keyid)) return false;
      return keys.peek(keyid) !== undefined || lookForSuspect(keyid, named);
    },
    kept: (keyid) => keys.peek(keyid)?.key,
    enrolled: (keyid) => strangers.delete(keyid),
    async find({ keyid, publicKey }, isSuspect) {
      const named = namedBy(keyid);
      if (publicKey && 'keySha256' in named) mustBeNamed(named, publicKey);
      const kept = keys.get(keyid);
      if (kept) return { ...kept, isKnown: true };
      if (publicKey && 'keySha256' in named && !isSuspect)
        return { key: brought(keyid, publicKey), caller: named, isKnown: false, budget: named.keySha256 };
      const known = await (isSuspect ? lookUpSuspect(named).catch(notNow) : lookUp(named));
      if (!known) throw new KistError('AGENT_UNKNOWN');
      keys.set(keyid, known);
      return { ...known, isKnown: true };
    },
    async assertKnown(holder) {
      if (!(await lookUp(holder))) throw new KistError('AGENT_UNKNOWN');
    },
  };
}

/** One look for all who ask under a name meanwhile. @returns a function that tells whether it is somebody's, after it was noted whose */
function sharing(
  lookUp: (named: Named) => Promise<KnownKey | undefined>,
  note: (keyid: string, known: KnownKey | undefined) => void,
): (keyid: string, named: Named) => Promise<boolean> {
  const looking = new Map<string, Promise<boolean>>();
  return (keyid, named) => {
    const under = looking.get(keyid);
    if (under) return under;
    const found = lookUp(named).then(
      (known) => {
        looking.delete(keyid);
        note(keyid, known);
        return known !== undefined;
      },
      (error: unknown) => {
        looking.delete(keyid);
        return notNow(error);
      },
    );
    looking.set(keyid, found);
    return found;
  };
}

/** @throws KistError AGENT_UNKNOWN */
function namedBy(keyid: string): Named {
  const named = nameIn(keyid);
  if (!named) throw new KistError('AGENT_UNKNOWN');
  return named;
}

function nameIn(keyid: string): Named | undefined {
  const [, org, enrolmentId, hash] = KEYID.exec(keyid) ?? [];
  const orgId = Number(org);
  if (!org || orgId > INT4_MAX) return undefined;
  return enrolmentId ? { orgId, enrolmentId } : { orgId, keySha256: Buffer.from(hash!, 'base64url').toString('hex') };
}

const hashOf = (spki: Buffer): string => hash('sha256', spki, 'hex');

/** Also of a key that is remembered: another one beside its name is never passed over. @throws KistError AGENT_SIGNATURE_INVALID */
function mustBeNamed({ keySha256 }: KeyHolder, publicKey: Buffer): void {
  if (hashOf(publicKey) !== keySha256) throw notItsKey();
}

/** @throws KistError AGENT_SIGNATURE_INVALID */
function broughtKey(publicKey: Buffer): KeyObject {
  const key = publicKeyFrom(publicKey);
  if (!key) throw notItsKey();
  return key;
}

const notItsKey = (): KistError => new KistError('AGENT_SIGNATURE_INVALID', { internal: 'not the key that it names' });

async function look(plane: Pick<PlanePorts, 'keysOf'>, named: readonly Named[]): Promise<(KnownKey | undefined)[]> {
  const found = await plane.keysOf(named);
  return found.map((one, at) => {
    const key = one && storedKeyFrom(one.spki);
    if (!key) return undefined;
    const name = named[at]!;
    // Whose a key is may change, what an enrolment is does not.
    const caller = 'keySha256' in name ? name : { ...name, deviceId: one.deviceId };
    return { caller, key, budget: hashOf(one.spki) };
  });
}

/** A full lane is no fault of ours that somebody must look into. */
export function notNow(error: unknown): never {
  if (error instanceof KistError && error.code === 'UNAVAILABLE')
    throw new KistError('RATE_LIMITED', { retryAfterS: RETRY_AFTER_S });
  throw error;
}
