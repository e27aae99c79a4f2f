import type { KeyObject } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { CheckinReply, CheckinRequest, EnrolRequest } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { type AgentClock, createAgentClock } from './agent-clock.ts';
import { type AgentRequest, type Claim, readClaim, signReply, verifyClaim } from './agent-signature.ts';
import { type OnReports, drainChanges } from './changes.ts';
import { KEY_SQL } from './checkin-sql.ts';
import { type Caller, createCheckin, createWaitingCheck } from './checkin.ts';
import { type EnrolReply, type OnEnrolled, enrol } from './enrolment.ts';
import { type ServerKey, publicKeyFrom } from './server-key.ts';
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
   * Proves who asks. @throws KistError AGENT_SIGNATURE_INVALID, AGENT_UNKNOWN, STALE_REQUEST (details.server_time: the phone's idea of
   * the time is off by more than five minutes; it takes ours and asks again), AGENT_REPLAYED
   */
  identify(request: AgentRequest): Promise<Caller>;
  checkin(caller: Caller, body: CheckinRequest): Promise<CheckinReply>;
  /** Resolves true at once or as soon as there is something for the phone, false after LIMITS.longPollS or when `signal` aborts. */
  poll(caller: Caller, signal: AbortSignal): Promise<boolean>;
  dispute(caller: Caller, text: string): Promise<void>;
  /** Answers every poll now, so that a stopping server need not wait 25 seconds for them. */
  endPolls(): void;
  /** Headers of the answer; `nonce` as the request said it, if it could be read. */
  sign(status: number, body: Buffer, nonce: string): Promise<Record<string, string>>;
  /** The key that phones pin. */
  readonly key: Pick<ServerKey, 'keyId' | 'spki'>;
  /** Resolves when every consequence begun so far is drawn. */
  whenQuiet(): Promise<void>;
}

interface KnownKey {
  deviceId: string;
  key: KeyObject;
}

/** Some 1.5 KB each. A key of an ended enrolment may stay: every statement joins the live enrolment again. */
const KEYS_KEPT = 200_000;
/** What stops a careless replay at the door. Correctness does not rest on it: reports are ordered, events and orders known by id. */
const NONCES_KEPT = 200_000;
const KEYID = /^(\d{1,10})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

export function createAgentPlane({
  db,
  key,
  waker,
  onEnrolled,
  onReports,
  onDispute,
  onError,
}: AgentPlaneOptions): AgentPlane {
  const clock: AgentClock = createAgentClock(db);
  const keys = new BoundedMap<string, KnownKey>(KEYS_KEPT);
  const nonces = new BoundedMap<string, true>(NONCES_KEPT);
  const consequences = new Set<Promise<unknown>>();
  const isWaiting = createWaitingCheck(db);
  const stopping = new AbortController();
  // One listener for each phone that waits here.
  setMaxListeners(0, stopping.signal);

  const draw = (changed: readonly Caller[]): void => {
    for (const orgId of new Set(changed.map((caller) => caller.orgId))) {
      const deviceIds = changed.filter((caller) => caller.orgId === orgId).map((caller) => caller.deviceId);
      const drawing = drainChanges(db, orgId, onReports, deviceIds).catch(onError);
      consequences.add(drawing);
      void drawing.finally(() => consequences.delete(drawing));
    }
  };
  const checkin = createCheckin({
    db,
    key,
    onChanged: (changed) => {
      waker.signal(
        'changed',
        changed.map((caller) => caller.deviceId),
      );
      draw(changed.filter((caller) => caller.isChanged));
    },
  });

  const findKey = async (keyid: string): Promise<Caller & KnownKey> => {
    const [, org, enrolmentId] = KEYID.exec(keyid) ?? [];
    const orgId = Number(org);
    if (!enrolmentId || !(orgId > 0 && orgId <= 2_147_483_647)) throw new KistError('AGENT_UNKNOWN');
    let known = keys.get(keyid);
    if (!known) {
      const { rows } = await db.devicePool.query<{ deviceId: string; spki: Buffer }>({
        name: 'device_key',
        text: KEY_SQL,
        values: [orgId, enrolmentId],
      });
      const publicKey = rows[0] && publicKeyFrom(rows[0].spki);
      if (!publicKey) throw new KistError('AGENT_UNKNOWN');
      known = { deviceId: rows[0]!.deviceId, key: publicKey };
      keys.set(keyid, known);
    }
    return { orgId, enrolmentId, ...known };
  };

  const assertFresh = async (claim: Claim): Promise<void> => {
    const nowMs = await clock.nowMs();
    if (Math.abs(claim.created * 1000 - nowMs) > LIMITS.agentSkewS * 1000) {
      throw new KistError('STALE_REQUEST', { details: { server_time: new Date(nowMs).toISOString() } });
    }
  };
  const assertNew = (claim: Claim): void => {
    const seen = `${claim.keyid} ${claim.nonce}`;
    if (nonces.get(seen)) throw new KistError('AGENT_REPLAYED');
    nonces.set(seen, true);
  };

  return {
    key,
    checkin,
    enrol: async (request, body) => {
      await assertFresh(readClaim(request));
      return enrol(db, key, onEnrolled, request, body);
    },
    identify: async (request) => {
      const claim = readClaim(request);
      const { key: phoneKey, ...caller } = await findKey(claim.keyid);
      verifyClaim(claim, phoneKey);
      await assertFresh(claim);
      assertNew(claim);
      return caller;
    },
    poll: async (caller, signal) => {
      const wait = waitForWake(waker, caller.deviceId, [signal, stopping.signal]);
      try {
        const isNow = await isWaiting(caller);
        if (isNow === undefined) throw new KistError('AGENT_UNKNOWN');
        return isNow || (await wait.woken);
      } finally {
        wait.end();
      }
    },
    dispute: async (caller, text) => {
      await db.transaction(caller.orgId, async (tx) => {
        if (!(await isLive(tx, caller.enrolmentId))) throw new KistError('AGENT_UNKNOWN');
        await onDispute(tx, { deviceId: caller.deviceId, text });
      });
      waker.signal('changed', [caller.deviceId]);
    },
    endPolls: () => stopping.abort(),
    sign: async (status, body, nonce) => signReply(key, status, body, nonce, await clock.nowMs()),
    whenQuiet: async () => {
      while (consequences.size > 0) await Promise.all(consequences);
    },
  };
}

async function isLive(tx: Tx, enrolmentId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from enrolments where org_id = kist_org() and enrolment_id = $1 and ended_at is null',
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
