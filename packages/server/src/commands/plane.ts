import { KistError } from '@kist/contract/errors';
import { type OnReports, drainChanges } from '#server/devices/changes.ts';
import { type OnEnrolled, enrol } from '#server/devices/enrolment.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { PlanePorts, ProvenPhone } from './adapter.ts';
import { createCheckin, createWaitingCheck } from './checkin.ts';
import { createEarlierKeys } from './earlier-key.ts';
import { keysOf } from './keys-store.ts';
import type { Waker } from './wake.ts';

export interface PlaneOptions {
  db: Database;
  waker: Waker;
  onEnrolled: OnEnrolled;
  onReports: OnReports;
  /** A person disputes from the locked phone. */
  onDispute: (tx: Tx, dispute: { deviceId: string; text: string }) => Promise<void>;
  /** Consequences that failed; they stay and are drawn by the next sweep. */
  onError: (error: unknown) => void;
}

export interface Plane extends PlanePorts {
  /** Resolves when every consequence begun so far is drawn. */
  whenQuiet(): Promise<void>;
}

/** Where the words of phones come in, whoever carries them, and what follows from them is drawn. */
export function createPlane({ db, waker, onEnrolled, onReports, onDispute, onError }: PlaneOptions): Plane {
  const earlier = createEarlierKeys(db);
  const consequences = createConsequences((orgId, deviceIds) =>
    drainChanges(db, orgId, onReports, deviceIds).catch(onError),
  );
  const observe = createCheckin({
    db,
    earlier,
    onChanged: (changed) => {
      waker.signal(
        'changed',
        changed.map((caller) => caller.deviceId),
      );
      consequences.draw(changed.filter((caller) => caller.isChanged));
    },
  });
  const isWaiting = createWaitingCheck(db);
  return {
    observe,
    enrolled: (claim) => enrol(db, onEnrolled, claim),
    isWaiting: async (caller) => {
      const isNow = (await isWaiting(caller)) ?? (await earlier.isWaiting(caller));
      if (isNow === undefined) throw new KistError('AGENT_UNKNOWN');
      return isNow;
    },
    keysOf: (named) => keysOf(db, named),
    dispute: async (caller, text) => {
      await db.transaction(caller.orgId, async (tx) => {
        if (!(await isHeard(tx, caller.enrolmentId))) throw new KistError('AGENT_UNKNOWN');
        await onDispute(tx, { deviceId: caller.deviceId, text });
      });
      waker.signal('changed', [caller.deviceId]);
    },
    whenQuiet: consequences.whenQuiet,
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

/** Whoever holds a phone may say that its lock is wrong, also with the key of before it enrolled again. */
async function isHeard(tx: Tx, enrolmentId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from enrolments where org_id = kist_org() and enrolment_id = $1 and (ended_at is null or replaced_by is not null)',
    [enrolmentId],
  );
  return rowCount === 1;
}
