import { randomUUID } from 'node:crypto';
import type {
  Applied,
  DeviceState,
  DeviceView,
  GuardEvent,
  GuardSim,
  GuardTarget,
  ItemResult,
  Named,
  TransactionView,
} from './protocol.ts';

export interface GuardDevice {
  device_id: string;
  tenant: string;
  imei: string | null;
  serial: string | null;
  state: DeviceState;
  /** What an undone release goes back to. */
  state_before: DeviceState;
  target: GuardTarget | null;
  applied: Applied | null;
  reminder_at: string | null;
  completed_at: string | null;
  /** The phone was told of its release: from here there is no way back. */
  is_told: boolean;
  last_seen_at: string | null;
  /** null before the first sync. */
  sims: GuardSim[] | null;
}

/** What a transaction asks of one phone by its name, */
type NamedItem = Named & { kind: 'upload' | 'approve' };
/** or of one record. */
export type DeviceItem =
  | { kind: 'target'; device_id: string; target: GuardTarget }
  | { kind: 'reminder'; device_id: string; at: string }
  | { kind: 'complete' | 'undo'; device_id: string };
/** One wish of a transaction that is still open. */
export type Item = NamedItem | DeviceItem;

export interface GuardTransaction {
  transaction_id: string;
  tenant: string;
  request_id: string;
  open: Item[];
  results: ItemResult[];
}

/** A webhook that its tenant did not take yet. */
export interface WaitingEvent {
  tenant: string;
  event: GuardEvent;
}

/** Everything that survives a restart; plain JSON. */
export interface GuardKept {
  devices: GuardDevice[];
  transactions: GuardTransaction[];
  events: WaitingEvent[];
  /** Target items taken today, by tenant. */
  quotas: { tenant: string; day: string; items: number }[];
}

const requestKey = (tenant: string, requestId: string): string => `${tenant} ${requestId}`;

/** What the cloud knows. Every look-up names the tenant that asks: another's rows are not there for it. */
export class GuardBooks {
  readonly kept: GuardKept;
  readonly #devices: Map<string, GuardDevice>;
  readonly #transactions: Map<string, GuardTransaction>;
  readonly #requests: Map<string, GuardTransaction>;

  constructor(kept: GuardKept = { devices: [], transactions: [], events: [], quotas: [] }) {
    this.kept = kept;
    this.#devices = new Map(kept.devices.map((device) => [device.device_id, device]));
    this.#transactions = new Map(kept.transactions.map((one) => [one.transaction_id, one]));
    this.#requests = new Map(kept.transactions.map((one) => [requestKey(one.tenant, one.request_id), one]));
  }

  device(tenant: string, id: string): GuardDevice | undefined {
    const device = this.#devices.get(id);
    return device?.tenant === tenant ? device : undefined;
  }

  /** @returns the tenant's newest record of a phone. */
  newest(tenant: string, named: Named): GuardDevice | undefined {
    return this.kept.devices.findLast((device) => device.tenant === tenant && isNamed(device, named));
  }

  /** @returns the record that a phone answers to now, whoever's it is: who uploaded it first has it until its release. */
  guarding(named: Named): GuardDevice | undefined {
    return this.kept.devices.find((device) => device.state !== 'removed' && isNamed(device, named));
  }

  addDevice(tenant: string, { imei, serial }: Named): GuardDevice {
    const device: GuardDevice = {
      device_id: randomUUID(),
      tenant,
      imei: imei ?? null,
      serial: serial ?? null,
      state: 'pending',
      state_before: 'pending',
      target: null,
      applied: null,
      reminder_at: null,
      completed_at: null,
      is_told: false,
      last_seen_at: null,
      sims: null,
    };
    this.kept.devices.push(device);
    this.#devices.set(device.device_id, device);
    return device;
  }

  transaction(tenant: string, id: string): GuardTransaction | undefined {
    const one = this.#transactions.get(id);
    return one?.tenant === tenant ? one : undefined;
  }
  transactionOf(tenant: string, requestId: string): GuardTransaction | undefined {
    return this.#requests.get(requestKey(tenant, requestId));
  }

  addTransaction(tenant: string, requestId: string, items: Item[]): GuardTransaction {
    const one = { transaction_id: randomUUID(), tenant, request_id: requestId, open: items, results: [] };
    this.kept.transactions.push(one);
    this.#transactions.set(one.transaction_id, one);
    this.#requests.set(requestKey(tenant, requestId), one);
    return one;
  }

  /** The webhook was taken. */
  endEvent(waiting: WaitingEvent): boolean {
    const place = this.kept.events.indexOf(waiting);
    if (place >= 0) this.kept.events.splice(place, 1);
    return place >= 0;
  }
}

/** At least one name fits and none contradicts; a phone uploaded by one name gets the other at its first sync. */
function isNamed(device: GuardDevice, { imei, serial }: Named): boolean {
  const fits = (known: string | null, given: string | undefined) =>
    known === null || given === undefined ? null : known === given;
  const answers = [fits(device.imei, imei), fits(device.serial, serial)];
  return answers.includes(true) && !answers.includes(false);
}

export const deviceView = (device: GuardDevice): DeviceView => ({
  device_id: device.device_id,
  imei: device.imei,
  serial: device.serial,
  state: device.state,
  target: device.target,
  applied: device.applied,
  last_seen_at: device.last_seen_at,
  sims: device.sims ?? [],
});

export const transactionView = ({ transaction_id, open, results }: GuardTransaction): TransactionView => ({
  transaction_id,
  status: open.length > 0 ? 'pending' : 'done',
  results,
});
