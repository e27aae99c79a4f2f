import { randomBytes, randomUUID } from 'node:crypto';
import type { Language } from '@kist/contract/codes';
import type { Journal } from '#simulator/journal.ts';
import { randomImei } from '#simulator/phones/android/imei.ts';
import { importKey } from '#simulator/phones/android/keys.ts';
import { LivePhone } from '#simulator/phones/android/phone.ts';
import type { PhoneFile, PhoneFolder } from '#simulator/phones/android/phone-file.ts';
import { newPhone } from '#simulator/phones/android/state.ts';
import type { Hardware, Place, Sim } from '#simulator/phones/android/state.ts';
import type { World } from '#simulator/world.ts';

/** What is open over the phone's screen, as its holder touched it. Gone with a restart, like on a real phone. */
export type Sheet = 'consent' | 'upi' | 'pay' | 'dispute' | 'emergency' | 'paused' | 'camera_off' | 'later';

/** A phone of the lab. */
export interface LabPhone {
  id: string;
  name: string;
  /** Whoever added it gave it its name; else it has its model's, and its owner's once it is set up. */
  isNamed: boolean;
  live: LivePhone;
  sheet: Sheet | null;
  /** Of the UPI code or link that it shows next: none is shown twice under one `tr`. */
  payMark: string;
  /** A link that its holder opened and has not agreed to yet, and the language of the phone. Gone with a restart. */
  offer: { link: string; language: Language } | null;
  /** Where it reaches the server, whatever name that gives itself. */
  serverUrl: string;
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

const newPayMark = (): string => randomBytes(6).toString('hex');

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

export interface FleetOptions {
  world: World;
  folder: PhoneFolder;
  serverUrl: string;
  journal?: Journal;
}

/** All phones of the lab, alive: those of the folder, each older by the time that the world went on without them, and what is added. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #phones = new Map<string, LabPhone>();
  readonly #listeners = new Set<(id: string) => void>();
  readonly #unsaved = new Set<string>();
  readonly #stopTicking: () => void;
  readonly #saving: NodeJS.Timeout;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { world, folder } = options;
    for (const { worldMs, ...file } of folder.load().sort((a, b) => a.place - b.place)) {
      const one = this.#start(file);
      one.live.happen({ kind: 'elapse', ms: Math.max(0, world.nowMs() - worldMs) });
    }
    this.#stopTicking = world.onGrowth(() => {
      for (const id of this.#phones.keys()) this.#tell(id);
    });
    this.#saving = setInterval(() => {
      for (const one of this.list()) if (this.#unsaved.has(one.id) || one.live.state().isOn) this.#save(one);
    }, SAVE_EVERY_MS);
  }

  list(): LabPhone[] {
    return [...this.#phones.values()];
  }
  get(id: string): LabPhone | undefined {
    return this.#phones.get(id);
  }

  add(wanted: NewLabPhone): LabPhone {
    const { world } = this.#options;
    const index = this.#phones.size;
    const hardware = hardwareOf(wanted, index);
    const one = this.#start({
      id: randomUUID(),
      name: wanted.name ?? modelOf(hardware),
      isNamed: wanted.name !== undefined,
      phone: newPhone(hardware, world.nowMs(), [newSim(0, index)], nearTown(index)),
      key: null,
      wasManaged: false,
      place: 1 + Math.max(0, ...this.list().map((other) => other.place)),
    });
    this.#save(one);
    this.#tell(one.id);
    return one;
  }

  remove(id: string): void {
    this.#phones.get(id)?.live.stop();
    this.#phones.delete(id);
    this.#options.folder.remove(id);
    this.#tell(id);
  }

  /** Shows something over the phone's screen, or nothing. */
  touch(id: string, sheet: Sheet | null): void {
    const one = this.#phones.get(id);
    if (one) {
      one.sheet = sheet;
      // Put away: what is shown from now on is another code.
      if (sheet === null) one.payMark = newPayMark();
    }
    this.#tell(id);
  }

  /** @returns a function that ends it */
  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes every phone and stops them. */
  stop(): void {
    clearInterval(this.#saving);
    this.#stopTicking();
    for (const one of this.list()) {
      this.#save(one);
      one.live.stop();
    }
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #save(one: LabPhone): void {
    this.#unsaved.delete(one.id);
    const { id, name, isNamed, live, wasManaged, place } = one;
    const key = live.key()?.exported() ?? null;
    const { folder, world } = this.#options;
    folder.save({ id, name, isNamed, phone: live.state(), key, wasManaged, place, worldMs: world.nowMs() });
  }

  #start(file: Omit<PhoneFile, 'worldMs'>): LabPhone {
    const { id, name, wasManaged, place } = file;
    const isNamed = file.isNamed ?? name !== modelOf(file.phone.hardware);
    const { world, serverUrl, journal = () => {} } = this.#options;
    const live = new LivePhone({
      phone: file.phone,
      key: file.key ? importKey(file.key) : null,
      world,
      serverUrl,
      longestRetryMs: LONGEST_RETRY_MS,
      onChange: (change) => {
        const one = this.#phones.get(id);
        if (!one) return;
        if (live.state().agent) one.wasManaged = true;
        if (!live.state().isOn) Object.assign(one, { sheet: null, offer: null });
        if (change.kind === 'changed') journal({ phone: id, what: change.what, ...change.detail });
        // A key or a level that changed must survive a kill; a heartbeat may be lost.
        if (change.kind === 'changed' || change.kind === 'destroy_key' || (live.key() && !file.key)) this.#save(one);
        else this.#unsaved.add(id);
        this.#tell(id);
      },
    });
    const one: LabPhone = {
      id,
      name,
      isNamed,
      live,
      sheet: null,
      payMark: newPayMark(),
      offer: null,
      serverUrl,
      wasManaged,
      place,
    };
    this.#phones.set(id, one);
    return one;
  }
}

export const modelOf = ({ brand, model }: Pick<Hardware, 'brand' | 'model'>): string => `${brand} ${model}`;

/** A few streets further for each phone. */
const nearTown = (index: number): Place => ({
  ...TOWN,
  latitude: TOWN.latitude + index * 0.0011,
  longitude: TOWN.longitude - index * 0.0007,
});

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
