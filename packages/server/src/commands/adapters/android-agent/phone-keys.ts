import type { KeyObject } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { INT4_MAX } from '@kist/contract/limits';
import type { Named, PlanePorts, ProvenPhone } from '#server/commands/adapter.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import { publicKeyFrom } from './server-key.ts';

interface KnownKey {
  deviceId: string;
  key: KeyObject;
}

/** Some 1.5 KB each. A key of an ended enrolment may stay: every statement joins the live enrolment again. */
const KEYS_KEPT = 200_000;
/** Only as it was given: `020.…` names nothing, though a number would be read from it, or one phone would have two names and two limits. */
const KEYID = /^([1-9]\d{0,9})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Lookups of those who gave no reason for doubt; and of all others together, one statement at a time, so that they cost the same however many come. */
const LANE = { inFlight: 3, maxWaiting: 20_000 } as const;
const SUSPECTS_LANE = { inFlight: 1, maxWaiting: 2000, leavesAtOnce: false, gatherMs: 20 } as const;
const BATCH = { maxItems: 200, leavesAtOnce: true, retriesAlone: true } as const;
const RETRY_AFTER_S = 5;

/**
 * @returns a function that finds the key which a request names. `isSuspect`: too much that could not be proved came from there; it is looked up all the
 * same, for a phone that is right may be among them.
 * @throws KistError (from that function) AGENT_UNKNOWN; RATE_LIMITED when more suspects wait than can be looked up soon
 */
export function createPhoneKeys(
  plane: Pick<PlanePorts, 'keysOf'>,
): (keyid: string, isSuspect: boolean) => Promise<ProvenPhone & KnownKey> {
  const keys = new BoundedMap<string, KnownKey>(KEYS_KEPT);
  const laneOf = (lane: typeof LANE | typeof SUSPECTS_LANE) =>
    microBatch((named: Named[]) => look(plane, named), {
      ...BATCH,
      ...lane,
      keyOf: ({ orgId, enrolmentId }) => `${orgId}.${enrolmentId}`,
    });
  const find = laneOf(LANE);
  const findSuspect = laneOf(SUSPECTS_LANE);
  return async (keyid, isSuspect) => {
    const [, org, enrolmentId] = KEYID.exec(keyid) ?? [];
    const orgId = Number(org);
    if (!enrolmentId || !(orgId <= INT4_MAX)) throw new KistError('AGENT_UNKNOWN');
    let known = keys.get(keyid);
    if (!known) {
      const named = { orgId, enrolmentId };
      known = await (isSuspect ? findSuspect(named).catch(notNow) : find(named));
      if (!known) throw new KistError('AGENT_UNKNOWN');
      keys.set(keyid, known);
    }
    return { orgId, enrolmentId, ...known };
  };
}

async function look(plane: Pick<PlanePorts, 'keysOf'>, named: readonly Named[]): Promise<(KnownKey | undefined)[]> {
  const found = await plane.keysOf(named);
  return found.map((one) => {
    const key = one && publicKeyFrom(one.spki);
    return key && { deviceId: one.deviceId, key };
  });
}

/** A full lane is no fault of ours that somebody must look into. */
function notNow(error: unknown): never {
  if (error instanceof KistError && error.code === 'UNAVAILABLE')
    throw new KistError('RATE_LIMITED', { retryAfterS: RETRY_AFTER_S });
  throw error;
}
