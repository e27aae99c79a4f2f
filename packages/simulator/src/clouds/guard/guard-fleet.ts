import { randomBytes, randomUUID } from 'node:crypto';
import { randomImei } from '#simulator/phones/android/imei.ts';
import { GuardPhone } from './guard-phone.ts';
import type { GuardPhoneKept } from './guard-phone.ts';

/** A guarded phone that survives the simulator. */
export interface GuardPhoneFile {
  id: string;
  name: string;
  phone: GuardPhoneKept;
}
export interface FleetPhone {
  id: string;
  name: string;
  phone: GuardPhone;
}

export interface GuardFleetOptions {
  /** Without a trailing slash. */
  cloudUrl: string;
  /** What the maker burns into a phone: the cloud's `secretOf`. */
  secretOf: (imei: string, serial: string) => string;
  nowMs: () => number;
  kept?: readonly GuardPhoneFile[];
  onChange?: (files: GuardPhoneFile[]) => void;
}

/** The guard cloud's phones: kept ones and new ones, asking by themselves once started. */
export class GuardFleet {
  readonly #options: GuardFleetOptions;
  readonly #phones = new Map<string, FleetPhone & { kept: GuardPhoneKept | undefined }>();
  #everyMs: number | undefined;
  #isStopped = false;

  constructor(options: GuardFleetOptions) {
    this.#options = options;
    for (const { id, name, phone } of options.kept ?? []) this.#make(id, name, phone.imei, phone.serial, phone);
  }

  list(): FleetPhone[] {
    return [...this.#phones.values()];
  }
  get(id: string): FleetPhone | undefined {
    return this.#phones.get(id);
  }

  /** A phone out of its box, switched on. */
  add({ name, imei, serial }: { name?: string; imei?: string; serial?: string }): FleetPhone {
    const one = this.#make(
      randomUUID(),
      name ?? `Phone ${this.#phones.size + 1}`,
      imei ?? randomImei(),
      serial ?? `G${randomBytes(5).toString('hex').toUpperCase()}`,
    );
    // A phone that never changed has told nothing of itself yet.
    one.phone.changeSim(0, newSim());
    if (this.#everyMs !== undefined) one.phone.start(this.#everyMs);
    return one;
  }

  remove(id: string): void {
    this.#phones.get(id)?.phone.stop();
    this.#phones.delete(id);
    this.#changed();
  }

  /** Every phone asks by itself, now and every so often. */
  start(everyMs: number): void {
    this.#everyMs = everyMs;
    for (const { phone } of this.#phones.values()) phone.start(everyMs);
  }
  /** One phone asks now, if phones ask by themselves: it was switched on, or got its network back. */
  wake(id: string): void {
    if (this.#everyMs !== undefined) this.#phones.get(id)?.phone.start(this.#everyMs);
  }
  /** For good: an answer that is still on its way changes nothing that is kept. */
  stop(): void {
    this.#isStopped = true;
    this.#everyMs = undefined;
    for (const { phone } of this.#phones.values()) phone.stop();
  }

  #make(id: string, name: string, imei: string, serial: string, kept?: GuardPhoneKept): FleetPhone {
    const { cloudUrl, secretOf, nowMs } = this.#options;
    const phone = new GuardPhone({
      cloudUrl,
      imei,
      serial,
      secret: secretOf(imei, serial),
      nowMs,
      ...(kept ? { kept } : {}),
      onChange: (now) => {
        one.kept = now;
        this.#changed();
      },
    });
    const one = { id, name, phone, kept };
    this.#phones.set(id, one);
    return one;
  }

  #changed(): void {
    if (this.#isStopped) return;
    const files = [...this.#phones.values()].flatMap(({ id, name, kept }) => (kept ? [{ id, name, phone: kept }] : []));
    this.#options.onChange?.(files);
  }
}

const OPERATORS = ['Jio', 'Airtel', 'Vi', 'BSNL'] as const;
/** @param after another operator than this one's */
export function newSim(after?: string): { iccid: string; operator: string } {
  const others = OPERATORS.filter((name) => name !== after);
  const tail = randomBytes(12).reduce((text, byte) => text + String(byte % 10), '');
  return { iccid: `899100${tail}0`, operator: others[randomBytes(1)[0]! % others.length]! };
}
