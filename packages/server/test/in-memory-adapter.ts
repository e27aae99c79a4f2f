import { AGENT_PROTO, type AgentCommand, type CheckinRequest, type DesiredPolicy } from '@kist/contract/agent';
import type { ProvisioningName } from '@kist/contract/codes';
import { COMMANDS, strengthOf } from '@kist/contract/commands';
import type { Adapter, Delivery, DeviceTarget, Pulled } from '#server/commands/adapter.ts';

/**
 * For vendors that keep the phone's state: reporting on a phone's behalf is the same check-in that an agent does, so order, deduplication
 * and supersession are written once. Resolves to what the phone lacks.
 */
type ReportFor = (target: DeviceTarget, report: CheckinRequest) => Promise<Pulled>;

/** What a vendor's cloud keeps for one phone: what we put there, and what the phone did. */
interface CloudPhone {
  target: DeviceTarget;
  desired?: { revision: number; policy: DesiredPolicy };
  orders: AgentCommand[];
  state: CheckinRequest['state'];
  acks: CheckinRequest['acks'];
  highestSeq: number;
  ticks: number;
}

/** A vendor's cloud in this process: it keeps policies and orders for phones that reach it, not us. */
export interface InMemoryCloud {
  enlist(target: DeviceTarget): void;
  /** The phone comes to its cloud and obeys what lies there. */
  phoneActs(deviceId: string): void;
  ordersDone(deviceId: string): readonly string[];
  /** While true every call is refused, as by a quota. */
  isDown: boolean;
  readonly phones: ReadonlyMap<string, CloudPhone>;
}

export function createInMemoryCloud(): InMemoryCloud {
  const phones = new Map<string, CloudPhone>();
  const done = new Map<string, string[]>();
  return {
    isDown: false,
    phones,
    enlist: (target) => {
      phones.set(target.deviceId, { target, orders: [], acks: [], highestSeq: 0, ticks: 0, state: freshState() });
    },
    phoneActs: (deviceId) => {
      const phone = phones.get(deviceId);
      if (!phone) return;
      obey(phone);
      const results = done.get(deviceId) ?? [];
      for (const order of phone.orders.splice(0)) {
        if (!results.includes(order.id)) results.push(order.id);
        phone.acks.push({ id: order.id, seq: order.seq, status: 'applied', result: { type: order.type } });
      }
      done.set(deviceId, results);
    },
    ordersDone: (deviceId) => done.get(deviceId) ?? [],
  };
}

const freshState = (): CheckinRequest['state'] => ({
  revision: 0,
  lock_level: 0,
  lock_cause: null,
  lease_seq: 0,
  toggles: { camera_lock: false, app_lock: false, wallpaper: false },
  sims: [],
  battery: 100,
  agent_version: 'in-memory',
});

function obey({ desired, state }: CloudPhone): void {
  if (!desired || desired.revision <= state.revision) return;
  state.revision = desired.revision;
  state.lock_level = desired.policy.lock.level;
  state.lock_cause = desired.policy.lock.cause;
  state.toggles = desired.policy.toggles;
}

const OUTAGE_MS = 1000;

/**
 * A vendor that pushes: `send` tells us what its phones did and puts there what they lack. It has no wire; it proves the suite, and
 * shows whoever writes the next adapter the way; the rules it obeys are those of every other.
 */
export function createInMemory(
  cloud: InMemoryCloud,
  provisioning: readonly ProvisioningName[],
  reportFor: ReportFor,
): Adapter {
  const sendOne = async (target: DeviceTarget): Promise<Delivery> => {
    if (cloud.isDown) return { outcome: 'later', afterMs: OUTAGE_MS, why: 'the cloud is down' };
    const phone = cloud.phones.get(target.deviceId);
    if (!phone) return { outcome: 'unreachable', why: 'the cloud does not know this phone' };
    phone.ticks += 1;
    const acks = phone.acks.splice(0, 64);
    try {
      const reply = await reportFor(target, {
        proto: AGENT_PROTO,
        boot_count: 1,
        elapsed_ms: phone.ticks,
        wall_clock: new Date(0).toISOString(),
        highest_seq: phone.highestSeq,
        acks,
        events: [],
        state: structuredClone(phone.state),
        push_token: null,
      });
      if (reply.desired && reply.desired.revision > (phone.desired?.revision ?? 0)) phone.desired = reply.desired;
      phone.orders.push(...reply.commands.filter((order) => !phone.orders.some((known) => known.id === order.id)));
      phone.highestSeq = Math.max(phone.highestSeq, ...reply.commands.map((order) => order.seq));
      return { outcome: 'told' };
    } catch (error) {
      phone.acks.unshift(...acks);
      return { outcome: 'later', afterMs: OUTAGE_MS, why: error instanceof Error ? error.message : 'no answer' };
    }
  };
  return {
    vendor: 'in-memory',
    provisioning,
    supports: (kind, type) => strengthOf(kind, COMMANDS[type].feature),
    send: async (targets) => {
      const outcomes: Delivery[] = [];
      for (const target of targets) outcomes.push(await sendOne(target));
      return outcomes;
    },
    lookup: async (target) => {
      const phone = cloud.phones.get(target.deviceId);
      return phone && phone.ticks > 0
        ? { revision: phone.state.revision, lockLevel: phone.state.lock_level }
        : 'unknown';
    },
  };
}
