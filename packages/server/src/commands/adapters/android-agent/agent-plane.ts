import { setMaxListeners } from 'node:events';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AgentPlane, Ear, HeardCheckin, Observation, PlanePorts, ProvenPhone } from '#server/commands/adapter.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Database } from '#server/platform/database.ts';
import { type AgentClock, createAgentClock } from './agent-clock.ts';
import type { Attests } from './attestation.ts';
import { type Claim, isSignedQuestion, readClaim, signReply, verifyOnce } from './agent-signature.ts';
import { createCodeNames } from './code-names.ts';
import { enrol } from './enrol.ts';
import { signLease } from './lease.ts';
import { type PhoneKeys, createPhoneKeys } from './phone-keys.ts';
import type { ServerKey } from './server-key.ts';

export interface AgentPlaneOptions {
  /** The product's time is asked there. */
  db: Pick<Database, 'devicePool'>;
  key: ServerKey;
  ear: Ear;
  plane: PlanePorts;
  attests: Attests;
}

/** What stops a careless replay early. Correctness does not rest on it: reports are ordered, events and orders known by id. */
const NONCES_KEPT = 200_000;

export function createAgentPlane({ db, key, ear, plane, attests }: AgentPlaneOptions): AgentPlane {
  const clock = createAgentClock(db);
  const unheard = createUnheard(ear);
  const stopping = new AbortController();
  // One listener for each phone that waits here.
  setMaxListeners(0, stopping.signal);
  const keys = createPhoneKeys(plane);
  const codes = createCodeNames(plane);
  return {
    key,
    checkin: async (caller, body) => {
      const { serverTime, lease, ...pulled } = await plane.observe(toObservation(caller, body));
      return { server_time: serverTime, ...pulled, lease: lease && signLease(key, lease) };
    },
    enrol: async (request, body) => {
      const claim = readClaim(request);
      const moment = { stale: await staleness(clock, claim), nowMs: await clock.nowMs() };
      const enrolled = await enrol({ plane, codes, key, attests }, claim, body, moment);
      keys.enrolled(enrolled.keyid);
      return enrolled;
    },
    isPhone: (keyid) => keys.isPhone(keyid),
    isCode: (name) => codes.isOfSuspect(name),
    isSigned: (keyid, question) => {
      const key = keys.kept(keyid);
      return !key || isSignedQuestion(question, key);
    },
    identify: createIdentify(keys, clock),
    poll: createPoll({ ear, plane, unheard, stopping: stopping.signal }),
    dispute: (caller, text) => plane.dispute(caller, text),
    endPolls: () => {
      unheard.stop();
      stopping.abort();
    },
    sign: async (status, body, nonce) => signReply(key, status, body, nonce, await clock.nowMs()),
  };
}

/** A check-in names everything that a phone knows of itself. */
function toObservation(channel: ProvenPhone, { state, ...body }: HeardCheckin): Observation {
  return {
    channel,
    moment: { boots: body.boot_count, ms: body.elapsed_ms },
    revision: state.revision,
    documentDigest:
      state.policy_digest === undefined ? null : Buffer.from(state.policy_digest, 'base64url').toString('hex'),
    level: state.lock_level,
    cause: state.lock_cause,
    toggles: state.toggles,
    leaseSeq: state.lease_seq,
    highestSeq: body.highest_seq,
    wallClock: body.wall_clock,
    battery: state.battery,
    sims: state.sims,
    agentVersion: state.agent_version,
    location: state.location,
    pushToken: body.push_token,
    acks: body.acks,
    events: body.events,
  };
}

/** Which phone the holder of a key asks for, so that a poll can listen before it looks; some 200 bytes each. Without it a poll looks twice. */
const HOLDERS_KEPT = 100_000;

interface PollOptions {
  ear: Ear;
  plane: Pick<PlanePorts, 'isWaiting'>;
  unheard: ReturnType<typeof createUnheard>;
  stopping: AbortSignal;
}
function createPoll({ ear, plane, unheard, stopping }: PollOptions): AgentPlane['poll'] {
  const phones = new BoundedMap<string, string>(HOLDERS_KEPT);
  const ask = async (caller: ProvenPhone) => {
    const now = await plane.isWaiting(caller);
    if ('keySha256' in caller) phones.set(`${caller.orgId}.${caller.keySha256}`, now.deviceId);
    return now;
  };
  const deviceOf = (caller: ProvenPhone): string | undefined =>
    'keySha256' in caller ? phones.get(`${caller.orgId}.${caller.keySha256}`) : caller.deviceId;
  return async (caller, signal) => {
    const known = deviceOf(caller);
    const first = known === undefined ? await ask(caller) : { isWaiting: false, deviceId: known };
    if (first.isWaiting) return true;
    const wait = waitForWake(ear, first.deviceId, [signal, stopping]);
    const done = unheard.watch(async () => (await plane.isWaiting(caller)).isWaiting, wait.wake);
    try {
      const now = await ask(caller);
      // Meanwhile the key is another phone's: what is listened for is not its own. It asks again.
      return now.isWaiting || now.deviceId !== first.deviceId || (await wait.woken);
    } finally {
      done();
      wait.end();
    }
  };
}

function createIdentify(keys: PhoneKeys, clock: AgentClock): AgentPlane['identify'] {
  const replay = createNonceCheck();
  return async (request, isSuspect = false) => {
    const claim = readClaim(request);
    const { key, ...asks } = await keys.find(claim, isSuspect);
    verifyOnce(request, claim, key);
    const refusal = (await staleness(clock, claim)) ?? replay(claim);
    if (!refusal) return asks;
    // Nothing is told to a key that is nobody's, and it counts as such.
    if (!asks.isKnown && 'keySha256' in asks.caller) await keys.assertKnown(asks.caller);
    throw refusal;
  };
}

/** @returns what to refuse the claim with; undefined when its time is right, or became so as a demo's clock was moved this very second */
async function staleness(clock: AgentClock, claim: Claim): Promise<KistError | undefined> {
  const isRight = (nowMs: number) => Math.abs(claim.created * 1000 - nowMs) <= LIMITS.agentSkewS * 1000;
  if (isRight(await clock.nowMs())) return undefined;
  const nowMs = await clock.askedMs();
  if (isRight(nowMs)) return undefined;
  return new KistError('STALE_REQUEST', { details: { server_time: new Date(nowMs).toISOString() } });
}

/** @returns a function that gives what to refuse a claim with that it was given before; undefined for a new one */
function createNonceCheck(): (claim: Claim) => KistError | undefined {
  const nonces = new BoundedMap<string, true>(NONCES_KEPT);
  return (claim) => {
    const seen = `${claim.keyid} ${claim.nonce}`;
    if (nonces.get(seen)) return new KistError('AGENT_REPLAYED');
    nonces.set(seen, true);
    return undefined;
  };
}

/** While hints of other processes are not heard, what waits here is looked for this often: the queue empties all the same. */
const LOOK_WHILE_DEAF_MS = 3000;

/** One timer for all polls: each asks again by itself while nobody is heard. */
function createUnheard(ear: Pick<Ear, 'isDeaf'>) {
  const waiting = new Set<() => void>();
  const timer = setInterval(() => {
    if (ear.isDeaf()) for (const look of waiting) look();
  }, LOOK_WHILE_DEAF_MS);
  timer.unref();
  return {
    watch: (isWaiting: () => Promise<boolean>, wake: () => void): (() => void) => {
      // A look that fails is made again by the next, or by the phone's own next poll.
      const look = () =>
        void isWaiting().then(
          (isNow) => isNow && wake(),
          () => undefined,
        );
      waiting.add(look);
      return () => waiting.delete(look);
    },
    stop: (): void => clearInterval(timer),
  };
}

/** Holds a timer and a listener, no connection: 100,000 waiting phones cost memory only. */
function waitForWake(
  ear: Ear,
  deviceId: string,
  signals: readonly AbortSignal[],
): { woken: Promise<boolean>; wake(): void; end(): void } {
  let resolve: (isWoken: boolean) => void = () => undefined;
  const woken = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const stop = () => resolve(false);
  const off = ear.on('wake', deviceId, () => resolve(true));
  const timer = setTimeout(stop, LIMITS.longPollS * 1000);
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  }
  return {
    woken,
    wake: () => resolve(true),
    end: () => {
      off();
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', stop);
      stop();
    },
  };
}
