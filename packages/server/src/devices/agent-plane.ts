import { setMaxListeners } from 'node:events';
import type { CheckinReply, EnrolRequest } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { type AgentClock, createAgentClock } from './agent-clock.ts';
import { type AgentRequest, type Claim, readClaim, signReply, verifyClaim } from './agent-signature.ts';
import { type OnReports, drainChanges } from './changes.ts';
import { type ProvenPhone, type HeardCheckin, createCheckin, createWaitingCheck } from './checkin.ts';
import { type EarlierKeys, createEarlierKeys } from './earlier-key.ts';
import { type EnrolReply, type OnEnrolled, enrol } from './enrolment.ts';
import { createPhoneKeys } from './phone-keys.ts';
import type { ServerKey } from './server-key.ts';
import type { Waker } from './wake.ts';

export interface AgentPlaneOptions {
  db: Database;
  key: ServerKey;
  waker: Waker;
  onEnrolled: OnEnrolled;
  onReports: OnReports;
  /** A person disputes from the locked phone. */
  onDispute: (tx: Tx, dispute: { deviceId: string; text: string }) => Promise<void>;
  /** Consequences that failed; they stay and are drawn by the next sweep. */
  onError: (error: unknown) => void;
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
  readonly key: Pick<ServerKey, 'keyId' | 'spki'>;
  /** Resolves when every consequence begun so far is drawn. */
  whenQuiet(): Promise<void>;
}

/** What stops a careless replay early. Correctness does not rest on it: reports are ordered, events and orders known by id. */
const NONCES_KEPT = 200_000;

export function createAgentPlane(options: AgentPlaneOptions): AgentPlane {
  const { db, key, waker, onEnrolled, onDispute } = options;
  const clock = createAgentClock(db);
  const earlier = createEarlierKeys(db, key);
  const consequences = createConsequences((orgId, deviceIds) =>
    drainChanges(db, orgId, options.onReports, deviceIds).catch(options.onError),
  );
  const stopping = new AbortController();
  // One listener for each phone that waits here.
  setMaxListeners(0, stopping.signal);
  const checkin = createCheckin({
    db,
    key,
    earlier,
    onChanged: (changed) => {
      waker.signal(
        'changed',
        changed.map((caller) => caller.deviceId),
      );
      consequences.draw(changed.filter((caller) => caller.isChanged));
    },
  });
  return {
    key,
    checkin,
    enrol: async (request, body) => {
      const claim = readClaim(request);
      return enrol(db, key, onEnrolled, claim, body, await staleness(clock, claim));
    },
    identify: createIdentify(db, clock),
    poll: createPoll(db, waker, earlier, stopping.signal),
    dispute: async (caller, text) => {
      await db.transaction(caller.orgId, async (tx) => {
        if (!(await isHeard(tx, caller.enrolmentId))) throw new KistError('AGENT_UNKNOWN');
        await onDispute(tx, { deviceId: caller.deviceId, text });
      });
      waker.signal('changed', [caller.deviceId]);
    },
    endPolls: () => stopping.abort(),
    sign: async (status, body, nonce) => signReply(key, status, body, nonce, await clock.nowMs()),
    whenQuiet: consequences.whenQuiet,
  };
}

function createIdentify(db: Database, clock: AgentClock): AgentPlane['identify'] {
  const findKey = createPhoneKeys(db);
  const assertNew = createNonceCheck();
  return async (request, isSuspect = false) => {
    const claim = readClaim(request);
    const { key, ...caller } = await findKey(claim.keyid, isSuspect);
    verifyClaim(claim, key);
    const stale = await staleness(clock, claim);
    if (stale) throw stale;
    assertNew(claim);
    return caller;
  };
}

function createPoll(db: Database, waker: Waker, earlier: EarlierKeys, stopping: AbortSignal): AgentPlane['poll'] {
  const isWaiting = createWaitingCheck(db);
  return async (caller, signal) => {
    const wait = waitForWake(waker, caller.deviceId, [signal, stopping]);
    try {
      const isNow = (await isWaiting(caller)) ?? (await earlier.isWaiting(caller));
      if (isNow === undefined) throw new KistError('AGENT_UNKNOWN');
      return isNow || (await wait.woken);
    } finally {
      wait.end();
    }
  };
}

/** What follows from reports, drawn beside the answers to them. @param drain never rejects */
function createConsequences(drain: (orgId: number, deviceIds: string[]) => Promise<unknown>) {
  const underWay = new Set<Promise<unknown>>();
  return {
    draw: (changed: readonly ProvenPhone[]): void => {
      for (const orgId of new Set(changed.map((caller) => caller.orgId))) {
        const deviceIds = changed.filter((caller) => caller.orgId === orgId).map((caller) => caller.deviceId);
        const drawing = drain(orgId, deviceIds);
        underWay.add(drawing);
        void drawing.finally(() => underWay.delete(drawing));
      }
    },
    whenQuiet: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** @returns what to refuse the claim with; undefined when its time is right */
async function staleness(clock: AgentClock, claim: Claim): Promise<KistError | undefined> {
  const nowMs = await clock.nowMs();
  if (Math.abs(claim.created * 1000 - nowMs) <= LIMITS.agentSkewS * 1000) return undefined;
  return new KistError('STALE_REQUEST', { details: { server_time: new Date(nowMs).toISOString() } });
}

/** @returns a function that refuses a claim it was given before. @throws KistError (from it) AGENT_REPLAYED */
function createNonceCheck(): (claim: Claim) => void {
  const nonces = new BoundedMap<string, true>(NONCES_KEPT);
  return (claim) => {
    const seen = `${claim.keyid} ${claim.nonce}`;
    if (nonces.get(seen)) throw new KistError('AGENT_REPLAYED');
    nonces.set(seen, true);
  };
}

/** Whoever holds a phone may say that its lock is wrong, also with the key of before it enrolled again. */
async function isHeard(tx: Tx, enrolmentId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from enrolments where org_id = kist_org() and enrolment_id = $1 and (ended_at is null or replaced_by is not null)',
    [enrolmentId],
  );
  return rowCount === 1;
}

/** Holds a timer and a listener, no connection: 100,000 waiting phones cost memory only. */
function waitForWake(
  waker: Waker,
  deviceId: string,
  signals: readonly AbortSignal[],
): { woken: Promise<boolean>; end(): void } {
  let resolve: (isWoken: boolean) => void = () => undefined;
  const woken = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const stop = () => resolve(false);
  const off = waker.on('wake', deviceId, () => resolve(true));
  const timer = setTimeout(stop, LIMITS.longPollS * 1000);
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  }
  return {
    woken,
    end: () => {
      off();
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', stop);
      stop();
    },
  };
}
