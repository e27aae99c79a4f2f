import { randomBytes, randomUUID } from 'node:crypto';
import type { Journal } from '#simulator/journal.ts';
import { randomImei } from '#simulator/phones/android/imei.ts';
import { importKey } from '#simulator/phones/android/keys.ts';
import { createLivePhone } from '#simulator/phones/android/phone.ts';
import type { LivePhone } from '#simulator/phones/android/phone.ts';
import type { PhoneFile, PhoneFolder } from '#simulator/phones/android/phone-file.ts';
import { newPhone } from '#simulator/phones/android/state.ts';
import type { Hardware, Place, Sim } from '#simulator/phones/android/state.ts';
import type { World } from '#simulator/world.ts';

/** What is open over the phone's screen, as its holder touched it. Gone with a restart, like on a real phone. */
export type Sheet = 'pay' | 'dispute' | 'emergency' | 'paused' | 'camera_off' | 'later';

/** A phone of the lab. */
export interface LabPhone {
  id: string;
  name: string;
  live: LivePhone;
  sheet: Sheet | null;
  wasManaged: boolean;
  place: number;
}

export interface NewLabPhone {
  name?: string;
  brand?: string;
  model?: string;
  serial?: string;
  imei?: string;
  agent?: Hardware['agent'];
}

/** All phones of the lab, alive. */
export interface Fleet {
  list: () => LabPhone[];
  get: (id: string) => LabPhone | undefined;
  add: (phone: NewLabPhone) => LabPhone;
  remove: (id: string) => void;
  /** Shows something over the phone's screen, or nothing. */
  touch: (id: string, sheet: Sheet | null) => void;
  /** @returns a function that ends it */
  onChange: (listener: (id: string) => void) => () => void;
  /** Writes every phone and stops them. */
  stop: () => void;
}

const MODELS = [
  ['Redmi', '13C'],
  ['Vivo', 'Y28'],
  ['Realme', 'C63'],
  ['Samsung', 'Galaxy A06'],
] as const;
const OPERATORS = ['Jio', 'Airtel', 'Vi', 'BSNL'] as const;
/** Nashik, give or take a few streets. */
const TOWN: Place = { latitude: 19.9975, longitude: 73.7898, accuracyM: 14 };
/** A demo phone whose server was restarted comes back within seconds. */
const LONGEST_RETRY_MS = 4000;
const SAVE_EVERY_MS = 5000;

/** @returns a fleet with the phones of the folder, each older by the time that the world went on without them. */
export function createFleet(options: {
  world: World;
  folder: PhoneFolder;
  serverUrl: string;
  journal?: Journal;
}): Fleet {
  const { world, folder, serverUrl, journal = () => {} } = options;
  const phones = new Map<string, LabPhone>();
  const listeners = new Set<(id: string) => void>();
  const unsaved = new Set<string>();

  const save = (one: LabPhone) => {
    unsaved.delete(one.id);
    const { id, name, live, wasManaged, place } = one;
    const key = live.key()?.exported() ?? null;
    folder.save({ id, name, phone: live.state(), key, wasManaged, place, worldMs: world.nowMs() });
  };
  const tell = (id: string) => {
    for (const listener of listeners) listener(id);
  };

  const start = (file: Omit<PhoneFile, 'worldMs'>): LabPhone => {
    const { id, name, wasManaged, place } = file;
    const live = createLivePhone({
      phone: file.phone,
      key: file.key ? importKey(file.key) : null,
      world,
      serverUrl,
      longestRetryMs: LONGEST_RETRY_MS,
      onChange: (change) => {
        const one = phones.get(id);
        if (!one) return;
        if (live.state().agent) one.wasManaged = true;
        if (!live.state().isOn) one.sheet = null;
        if (change.kind === 'changed') journal({ phone: id, what: change.what, ...change.detail });
        // A key or a level that changed must survive a kill; a heartbeat may be lost.
        if (change.kind === 'changed' || change.kind === 'destroy_key' || (live.key() && !file.key)) save(one);
        else unsaved.add(id);
        tell(id);
      },
    });
    const one: LabPhone = { id, name, live, sheet: null, wasManaged, place };
    phones.set(id, one);
    return one;
  };

  for (const { worldMs, ...file } of folder.load().sort((a, b) => a.place - b.place)) {
    const one = start(file);
    one.live.happen({ kind: 'elapse', ms: Math.max(0, world.nowMs() - worldMs) });
  }
  const ticking = world.onGrowth(() => {
    for (const id of phones.keys()) tell(id);
  });
  const saving = setInterval(() => {
    for (const one of phones.values()) if (unsaved.has(one.id) || one.live.state().isOn) save(one);
  }, SAVE_EVERY_MS);

  return {
    list: () => [...phones.values()],
    get: (id) => phones.get(id),
    add: (wanted) => {
      const hardware = hardwareOf(wanted, phones.size);
      const sim = newSim(0, phones.size);
      const near = {
        ...TOWN,
        latitude: TOWN.latitude + phones.size * 0.0011,
        longitude: TOWN.longitude - phones.size * 0.0007,
      };
      const one = start({
        id: randomUUID(),
        name: wanted.name ?? `${hardware.brand} ${hardware.model}`,
        phone: newPhone(hardware, world.nowMs(), [sim], near),
        key: null,
        wasManaged: false,
        place: 1 + Math.max(0, ...[...phones.values()].map((other) => other.place)),
      });
      save(one);
      tell(one.id);
      return one;
    },
    remove: (id) => {
      phones.get(id)?.live.stop();
      phones.delete(id);
      folder.remove(id);
      tell(id);
    },
    touch: (id, sheet) => {
      const one = phones.get(id);
      if (one) one.sheet = sheet;
      tell(id);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      clearInterval(saving);
      ticking();
      for (const one of phones.values()) {
        save(one);
        one.live.stop();
      }
    },
  };
}

function hardwareOf(wanted: NewLabPhone, index: number): Hardware {
  const [brand, model] = MODELS[index % MODELS.length]!;
  return {
    brand: wanted.brand ?? brand,
    model: wanted.model ?? model,
    serial: wanted.serial ?? `KS${randomBytes(5).toString('hex').toUpperCase()}`,
    imei: [wanted.imei ?? randomImei()],
    agent: wanted.agent ?? 'DPC',
  };
}

/** A new card of the next operator. */
export function newSim(slot: number, index: number): Sim {
  const tail = randomBytes(6).reduce((text, byte) => text + String(byte % 10), '');
  const operator = OPERATORS[index % OPERATORS.length]!;
  return { slot, iccid: `8991${String(index % 90).padStart(2, '0')}0000000${tail}`, operator };
}

/** The operator after this one; a swap is then always to another. */
export const nextOperatorIndex = (operator: string | undefined): number =>
  operator === undefined ? 0 : OPERATORS.findIndex((name) => name === operator) + 1;
