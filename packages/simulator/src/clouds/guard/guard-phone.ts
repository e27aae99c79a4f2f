import { randomInt } from 'node:crypto';
import { syncAnswer } from './protocol.ts';
import type { GuardSim, GuardTarget, SyncAnswer, SyncCall } from './protocol.ts';
import { pinFor, signSync } from './signing.ts';

/** What a phone keeps without power. */
export interface GuardPhoneKept {
  imei: string;
  serial: string;
  boot: number;
  sims: GuardSim[];
  isOn: boolean;
  isOnline: boolean;
  target: GuardTarget | null;
  reminderAt: string | null;
  /** Opened by a PIN until the next sync. */
  isPinned: boolean;
  passkey: string;
  wrongPins: number;
  /** Released: it obeys nobody any more. */
  isFreed: boolean;
  isFreedTold: boolean;
  /** What the cloud heard last. */
  told: SyncCall['applied'];
}

export interface GuardPhoneOptions {
  /** Without a trailing slash. */
  cloudUrl: string;
  imei: string;
  serial: string;
  /** Burnt in by the maker: `cloud.secretOf(imei, serial)`. */
  secret: string;
  nowMs?: () => number;
  sims?: GuardSim[];
  kept?: GuardPhoneKept;
  onChange?: (kept: GuardPhoneKept) => void;
}

/** told: the cloud heard all there is; more: what this sync brought is reported by the next; freed: released and told so, nothing to ask any more. */
export type SyncResult = 'told' | 'more' | 'freed' | 'off' | 'offline' | 'unreachable';

const WRONG_PINS = 5;
const MOST_SYNCS = 5;
const TIMEOUT_MS = 10_000;
const SOON_MS = 50;
const newPasskey = (): string => String(randomInt(100_000_000)).padStart(8, '0');

/** A phone that the guard cloud is on: it asks, obeys, and tells in its next question what it did. */
export class GuardPhone {
  readonly #options: GuardPhoneOptions;
  readonly #kept: GuardPhoneKept;
  #timer: NodeJS.Timeout | undefined;
  /** The round that runs; a new start or a stop ends the one before. */
  #round = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: GuardPhoneOptions) {
    const { imei, serial, sims = [] } = options;
    this.#options = options;
    this.#kept = options.kept ?? {
      imei,
      serial,
      boot: 1,
      sims,
      isOn: true,
      isOnline: true,
      target: null,
      reminderAt: null,
      isPinned: false,
      passkey: newPasskey(),
      wrongPins: 0,
      isFreed: false,
      isFreedTold: false,
      told: null,
    };
  }

  /** What its holder and a test see. */
  view() {
    const { imei, serial, boot, sims, isOn, isOnline, target, passkey, isFreed, reminderAt } = this.#kept;
    const isReminding = reminderAt !== null && this.#nowMs() >= Date.parse(reminderAt);
    const isLocked = this.isLocked();
    return { imei, serial, boot, sims, isOn, isOnline, isLocked, isReminding, isFreed, target, passkey };
  }

  isLocked(): boolean {
    const { target, isPinned, isFreed } = this.#kept;
    if (!target || isPinned || isFreed) return false;
    const { locked, relock_after } = target;
    return locked || (relock_after !== undefined && this.#nowMs() >= Date.parse(relock_after));
  }

  /** One question and its answer. Questions follow one another, never beside one another. */
  sync(): Promise<SyncResult> {
    const next = this.#last.then(() => this.#sync());
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Syncs until the cloud has heard what the phone did. */
  async settle(): Promise<SyncResult> {
    let result = await this.sync();
    for (let more = 1; result === 'more' && more < MOST_SYNCS; more += 1) result = await this.sync();
    return result;
  }

  /** Syncs by itself from now on, at once after something changed. */
  start(everyMs: number): void {
    this.stop();
    const round = this.#round;
    const run = async () => {
      const result = await this.sync();
      if (round === this.#round) this.#timer = setTimeout(() => void run(), result === 'more' ? SOON_MS : everyMs);
    };
    void run();
  }
  stop(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
  }

  setOnline(isOnline: boolean): void {
    this.#change({ isOnline });
  }
  /** Out of power or switched on: what it applied stays, its count of starts grows. */
  setPower(isOn: boolean): void {
    const { boot, isOn: wasOn } = this.#kept;
    this.#change({ isOn, boot: isOn && !wasOn ? boot + 1 : boot });
  }
  /** @param sim null: the slot is empty now */
  changeSim(slot: number, sim: Omit<GuardSim, 'slot'> | null): void {
    const others = this.#kept.sims.filter((one) => one.slot !== slot);
    this.#change({ sims: sim ? [...others, { slot, ...sim }].sort((a, b) => a.slot - b.slot) : others });
  }
  /** Set up anew, as out of its box. The maker's cloud still knows whose it is. */
  erase(): void {
    this.#change({ target: null, reminderAt: null, isPinned: false, isFreed: false, isFreedTold: false, told: null });
  }

  /** @returns whether it opened. A passkey is good for one PIN, and for five wrong ones. */
  enterPin(pin: string): boolean {
    const { passkey, wrongPins, isOn } = this.#kept;
    if (!isOn || !this.isLocked()) return false;
    const isRight = pin === pinFor(this.#options.secret, passkey);
    const isUsedUp = isRight || wrongPins + 1 >= WRONG_PINS;
    this.#change({
      isPinned: isRight,
      wrongPins: isUsedUp ? 0 : wrongPins + 1,
      passkey: isUsedUp ? newPasskey() : passkey,
    });
    return isRight;
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)();
  }

  #change(change: Partial<GuardPhoneKept>): void {
    Object.assign(this.#kept, change);
    this.#options.onChange?.(this.#kept);
  }

  #applied(): SyncCall['applied'] {
    const { target } = this.#kept;
    return target && { version: target.version, locked: this.isLocked() };
  }

  async #sync(): Promise<SyncResult> {
    const { isOn, isOnline, isPinned, isFreed, isFreedTold, imei, serial, boot, sims } = this.#kept;
    if (!isOn) return 'off';
    if (!isOnline) return 'offline';
    if (isFreedTold) return 'freed';
    const applied = this.#applied();
    const said: SyncCall = { imei, serial, boot, sims, applied, ...(isFreed ? { is_freed: true } : {}) };
    const answer = await this.#ask(said).catch(() => undefined);
    // Switched off while it waited: nothing of the answer reached it.
    if (!answer || !this.#kept.isOn || !this.#kept.isOnline) return 'unreachable';
    return this.#obey(answer, applied, isPinned);
  }

  async #ask(said: SyncCall): Promise<SyncAnswer | undefined> {
    const body = JSON.stringify(said);
    const headers = { 'content-type': 'application/json', 'x-guard-device': signSync(this.#options.secret, body) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = `${this.#options.cloudUrl}/guard/device/v1/sync`;
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const answer: unknown = await response.json();
    return response.ok ? syncAnswer.parse(answer) : undefined;
  }

  /** @param wasPinned when it asked: a PIN entered since then holds until the next sync */
  #obey({ target, completed, reminder_at }: SyncAnswer, told: SyncCall['applied'], wasPinned: boolean): SyncResult {
    if (completed) {
      const isFreedTold = this.#kept.isFreed;
      this.#change({ target: null, reminderAt: null, isPinned: false, isFreed: true, isFreedTold, told: null });
      return isFreedTold ? 'freed' : 'more';
    }
    if (this.#kept.isFreed) return 'freed';
    this.#change({ target, reminderAt: reminder_at, isPinned: this.#kept.isPinned && !wasPinned, told });
    const now = this.#applied();
    return now?.version === told?.version && now?.locked === told?.locked ? 'told' : 'more';
  }
}
