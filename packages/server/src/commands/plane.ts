import { KistError } from '@kist/contract/errors';
import { type OnReports, drainChanges } from '#server/devices/changes.ts';
import * as devices from '#server/devices/devices.ts';
import {
  type OnElsewhere,
  type OnEnrolled,
  areTokenNames,
  enrol,
  enrolReserved,
  reserveAt,
} from '#server/devices/enrolment.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Adapter, Offer, PlanePorts, VendorPorts } from './adapter.ts';
import { endRefusal, noteRefusal } from './account-store.ts';
import { isHolder } from './callers.ts';
import { type ChangedPhone, createCheckin, createWaitingCheck } from './checkin.ts';
import { carryAgain, channelByHandle } from './delivery-store.ts';
import { createEarlierKeys } from './earlier-key.ts';
import { keysOf } from './keys-store.ts';
import type { Waker } from './wake.ts';

const WHY_LENGTH = 200;

export interface PlaneOptions {
  db: Database;
  waker: Waker;
  onEnrolled: OnEnrolled;
  onElsewhere: OnElsewhere;
  onReports: OnReports;
  /** A person disputes from the locked phone. */
  onDispute: (tx: Tx, dispute: { deviceId: string; text: string }) => Promise<void>;
  /** A vendor knows the phone no more. */
  onGone: (tx: Tx, phone: { deviceId: string; why: string }) => Promise<void>;
  /** A vendor refuses the organisation's account, for a while already, or takes it again. Once each. */
  onAccount: (tx: Tx, account: { vendor: string; refusedFor: string | null }) => Promise<void>;
  /** Consequences that failed; they stay and are drawn by the next sweep. */
  onError: (error: unknown) => void;
}

export interface Plane extends PlanePorts, Omit<VendorPorts, 'observe'> {
  /**
   * Asks a vendor to keep this phone for us from the moment it is switched on. Harmless to repeat, as one must where the vendor says 'later'.
   * @throws KistError NOT_FOUND, STATE_CONFLICT (nobody's phone, let go, or a vendor whose phones bring a code of ours)
   */
  reserve(adapter: Pick<Adapter, 'vendor' | 'offer'>, actor: Actor, deviceId: string): Promise<Offer>;
  /** Resolves when every consequence begun so far is drawn. */
  whenQuiet(): Promise<void>;
}

/** Where the words of phones come in, whoever carries them, and what follows from them is drawn. */
export function createPlane(options: PlaneOptions): Plane {
  const { db, waker, onEnrolled, onElsewhere, onReports, onDispute, onError } = options;
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
    enrolled: (claim) => enrol(db, onEnrolled, onElsewhere, claim),
    areCodes: (names) => areTokenNames(db, names),
    isWaiting: async (caller) => {
      const isNow = (await isWaiting(caller)) ?? (await earlier.isWaiting(caller));
      if (isNow === undefined) throw new KistError('AGENT_UNKNOWN');
      return isNow;
    },
    keysOf: (named) => keysOf(db, named),
    dispute: async (caller, text) => {
      const [channel] = isHolder(caller) ? await keysOf(db, [caller]) : [caller];
      if (!channel) throw new KistError('AGENT_UNKNOWN');
      const { deviceId, enrolmentId } = channel;
      await db.transaction(caller.orgId, async (tx) => {
        if (!(await devices.isHeard(tx, enrolmentId))) throw new KistError('AGENT_UNKNOWN');
        await onDispute(tx, { deviceId, text });
      });
      waker.signal('changed', [deviceId]);
    },
    reserve: (adapter, actor, deviceId) => reserve(db, adapter, actor, deviceId),
    ...vendorPorts(options),
    whenQuiet: consequences.whenQuiet,
  };
}

async function reserve(
  db: Database,
  { vendor, offer }: Pick<Adapter, 'vendor' | 'offer'>,
  actor: Actor,
  deviceId: string,
): Promise<Offer> {
  if (!offer) throw new KistError('STATE_CONFLICT');
  const { orgId } = actor;
  const { imei1, serial } = await db.transaction(orgId, (tx) => devices.get(tx, deviceId));
  // Not inside a transaction: a vendor may take its time.
  const given = await offer({ orgId, deviceId, imei: imei1, serial });
  if (given.offer === 'reserved')
    await db.transaction(orgId, (tx) => reserveAt(tx, actor, { deviceId, vendor, handle: given.handle }));
  return given;
}

/** What vendors say of phones that they keep for us. */
function vendorPorts({
  db,
  onEnrolled,
  onGone,
  onAccount,
}: Pick<PlaneOptions, 'db' | 'onEnrolled' | 'onGone' | 'onAccount'>): Omit<VendorPorts, 'observe'> {
  const channel: VendorPorts['channel'] = async (orgId, vendor, handle) => {
    const row = await channelByHandle.first(db.devicePool, { org_id: orgId, vendor, handle });
    if (!row) return undefined;
    const { enrolment_id: enrolmentId, device_id: deviceId, is_let_go: isLetGo, ...carried } = row;
    return { orgId, enrolmentId, deviceId, isLetGo, ...carried };
  };
  return {
    channel,
    begun: async (orgId, vendor, handle) => {
      const known = await channel(orgId, vendor, handle);
      if (known) return known;
      await db.transaction(orgId, (tx) => enrolReserved(tx, onEnrolled, { vendor, handle }));
      const begun = await channel(orgId, vendor, handle);
      if (!begun) throw new KistError('AGENT_UNKNOWN');
      return begun;
    },
    again: async ({ orgId, enrolmentId }, { afterMs, why }) => {
      await carryAgain.run(db.devicePool, {
        org_id: orgId,
        enrolment_id: enrolmentId,
        after_ms: afterMs,
        why: why.slice(0, WHY_LENGTH),
      });
    },
    account: (orgId, vendor, refusedFor) =>
      db.transaction(orgId, async (tx) => {
        const why = refusedFor?.slice(0, WHY_LENGTH);
        const isToTell =
          why === undefined
            ? (await endRefusal.first(tx, { vendor }))?.was_told
            : (await noteRefusal.first(tx, { vendor, why }))?.is_to_tell;
        if (isToTell) await onAccount(tx, { vendor, refusedFor });
      }),
    ended: ({ orgId, enrolmentId, deviceId }, why) =>
      db.transaction(orgId, async (tx) => {
        if (!(await devices.endChannel(tx, identity.SYSTEM(orgId), { enrolmentId, deviceId, why }))) return;
        await onGone(tx, { deviceId, why });
      }),
    nowMs: () => db.device(async (tx) => (await now(tx)).getTime()),
  };
}

/** What follows from reports, drawn beside the answers to them. @param drain never rejects */
function createConsequences(drain: (orgId: number, deviceIds: string[]) => Promise<unknown>) {
  const underWay = new Set<Promise<unknown>>();
  return {
    draw: (changed: readonly ChangedPhone[]): void => {
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
