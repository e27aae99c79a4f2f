import type { CallName } from '@kist/contract/paths';
import type { LooseInput } from '#web/api/calls.ts';
import { SESSION_OVER, isRefusal, toApiError, type ApiError } from '#web/api/errors.ts';
import { newId } from '#web/state/ids.ts';
import type { Rows } from './rows.ts';

export interface OutboxEntry {
  /** The idempotency key, made and stored before the first send. */
  id: string;
  name: CallName;
  input: Pick<LooseInput, 'params' | 'query' | 'body'>;
  /** The one file of the call, a picture, as a data URL. */
  picture?: string;
  /** Reads that a success makes old. */
  invalidates: readonly CallName[];
  /** What a person calls it: 'Payment ₹4,281, Irfan Shaikh'. */
  label: string;
  /** The customer whose page shows it. */
  about?: string;
  /** What it takes of that customer, where it is money. */
  paise?: number;
  madeAt: string;
  state: 'queued' | 'sending' | 'failed';
  tries: number;
  /** Not before this moment, ms. */
  nextAtMs: number;
  /** The server's coded reason; only when failed. */
  error?: Pick<ApiError, 'code' | 'message' | 'details' | 'fields' | 'status'>;
}
export type SendResult = { data: unknown; error?: undefined } | { data?: undefined; error: ApiError };
export type Outcome = { state: 'sent'; data: unknown } | { state: 'queued' } | { state: 'failed'; error: ApiError };

export interface OutboxPorts {
  rows: Rows<OutboxEntry>;
  send: (entry: OutboxEntry) => Promise<SendResult>;
  /** user_id of who is signed in; '' when nobody is. */
  owner: () => string;
  nowMs?: () => number;
  later?: (run: () => void, afterMs: number) => void;
}

/** Each sends by itself: on a slow line no payment waits behind a picture. */
const LANES = ['words', 'pictures'] as const;
type Lane = (typeof LANES)[number];
const laneOf = ({ picture }: OutboxEntry): Lane => (picture === undefined ? 'words' : 'pictures');

/** 2 s, doubled each time, at most 5 min: a shop's network comes and goes by the minute. */
const backoffMs = (tries: number) => Math.min(300_000, 2000 * 2 ** Math.min(10, tries));
/** Work that must not be lost: stored first, then sent, oldest first of its lane, until the server gave a definite answer. */
export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #listeners = new Set<() => void>();
  #entries: readonly OutboxEntry[] = [];
  /** Whose they are. */
  #owner = '';
  readonly #running = new Map<Lane, Promise<void>>();
  readonly #outcomes = new Map<string, Outcome>();
  /** What was dropped, or done: the end of a try that was under way brings none of it back. */
  readonly #gone = new Set<string>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** Entries of the signed-in user, oldest first; a new array whenever something changed. */
  readonly entries = () => this.#entries;

  /**
   * Reads what is stored for the signed-in user (after start, sign-in and the end of a session; another's entries are gone from here at once).
   * One that was under way when the app died is queued again.
   */
  async load(): Promise<void> {
    const owner = this.#ports.owner();
    if (owner !== this.#owner) this.#set([]);
    this.#owner = owner;
    const rows = owner ? await this.#ports.rows.list(owner).catch(() => []) : [];
    if (owner !== this.#owner) return;
    const known = rows.map((row) => (row.state === 'sending' ? { ...row, state: 'queued' as const } : row));
    const unread = this.#entries.filter((entry) => !known.some(({ id }) => id === entry.id));
    this.#set([...known, ...unread].sort((a, b) => a.madeAt.localeCompare(b.madeAt)));
  }

  /**
   * Stores a call and sends it at once when it can.
   * @returns 'sent' with the server's data, 'queued' when no definite answer came (it goes on trying), 'failed' with the coded reason;
   * a refused call is not kept, the caller shows the reason beside the form. To whoever has left meanwhile nothing is said, and nothing is lost.
   */
  async put(
    call: Pick<OutboxEntry, 'name' | 'input' | 'label' | 'about' | 'paise' | 'picture'> & {
      invalidates?: readonly CallName[];
    },
  ): Promise<Outcome> {
    const now = this.#now();
    const entry: OutboxEntry = {
      invalidates: [],
      ...call,
      id: newId(),
      madeAt: new Date(now).toISOString(),
      state: 'queued',
      tries: 0,
      nextAtMs: 0,
    };
    if (this.#ports.owner() !== this.#owner) await this.load();
    const owner = this.#owner;
    await this.#keep(entry, owner);
    await this.#replay(laneOf(entry), false);
    const outcome = this.#outcomes.get(entry.id) ?? { state: 'queued' };
    this.#outcomes.delete(entry.id);
    // Whoever put it has left: it waits for them, refused or not, and is not told to the next one.
    if (this.#ports.owner() !== owner) return { state: 'failed', error: SESSION_OVER };
    if (outcome.state === 'failed') await this.discard(entry.id);
    return outcome;
  }

  /** Sends what is due, one after another of each lane. Called at start, when the network returns and when the app is looked at. */
  async replay(force = false): Promise<void> {
    await Promise.all(LANES.map((lane) => this.#replay(lane, force)));
  }
  #replay(lane: Lane, force: boolean): Promise<void> {
    const known = this.#running.get(lane);
    if (known) return known;
    const running = this.#run(lane, force).finally(() => this.#running.delete(lane));
    this.#running.set(lane, running);
    return running;
  }

  /** Sends all that waits, due or not. @returns whether nothing is left, neither waiting nor refused. */
  async flush(): Promise<boolean> {
    await Promise.all(this.#running.values());
    await this.replay(true);
    return this.#entries.length === 0;
  }

  /** Tries a failed one again, with the same key: a refusal leaves it free. @param call in place of the one that was refused */
  async retry(id: string, call?: Pick<OutboxEntry, 'name' | 'input'>): Promise<void> {
    const entry = this.#entries.find((known) => known.id === id);
    if (!entry) return;
    const { error: _, ...rest } = entry;
    await this.#keep({ ...rest, ...call, state: 'queued', nextAtMs: 0 }, this.#owner);
    await this.#replay(laneOf(entry), false);
  }

  /** Drops an entry for good; only by the user's hand. */
  async discard(id: string): Promise<void> {
    this.#gone.add(id);
    await this.#ports.rows.remove(id);
    this.#set(this.#entries.filter((entry) => entry.id !== id));
  }

  async #run(lane: Lane, force: boolean): Promise<void> {
    for (let entry = this.#due(lane, force); entry; entry = this.#due(lane, force)) {
      const goOn = await this.#send(entry);
      if (!goOn) return;
    }
  }

  #due(lane: Lane, force: boolean): OutboxEntry | undefined {
    if (!this.#owner || this.#ports.owner() !== this.#owner) return undefined;
    const oldest = this.#entries.find((entry) => entry.state === 'queued' && laneOf(entry) === lane);
    return oldest && (force || oldest.nextAtMs <= this.#now()) ? oldest : undefined;
  }

  /** @returns whether the next one may go: after a network failure the order is kept and all wait. */
  async #send(entry: OutboxEntry): Promise<boolean> {
    // The session may end while it is under way: the entry stays its owner's.
    const owner = this.#owner;
    this.#replace({ ...entry, state: 'sending' });
    const result = await this.#ports.send(entry).catch(() => ({ error: toApiError('FETCH_ERROR', null) }));
    if (!result.error) {
      this.#outcomes.set(entry.id, { state: 'sent', data: result.data });
      await this.discard(entry.id);
      return true;
    }
    const { error } = result;
    const tries = entry.tries + 1;
    if (isRefusal(error)) {
      this.#outcomes.set(entry.id, { state: 'failed', error });
      const { code, message, details, fields, status } = error;
      await this.#keep({ ...entry, state: 'failed', tries, error: { code, message, details, fields, status } }, owner);
      return true;
    }
    const waitMs = Math.max(backoffMs(entry.tries), (error.retryAfterS ?? 0) * 1000);
    await this.#keep({ ...entry, state: 'queued', tries, nextAtMs: this.#now() + waitMs }, owner);
    (this.#ports.later ?? setTimeout)(() => void this.replay(), waitMs + 50);
    return false;
  }

  /** A disk that is full or refused must not keep a payment from being sent: it then waits in memory only. */
  async #keep(entry: OutboxEntry, owner: string): Promise<void> {
    if (this.#gone.has(entry.id)) return;
    if (owner) await this.#ports.rows.put(owner, entry.id, entry).catch(() => undefined);
    if (this.#gone.has(entry.id)) return this.#ports.rows.remove(entry.id);
    if (owner === this.#owner) this.#replace(entry);
  }
  #replace(entry: OutboxEntry): void {
    const isNew = !this.#entries.some((known) => known.id === entry.id);
    this.#set(
      isNew ? [...this.#entries, entry] : this.#entries.map((known) => (known.id === entry.id ? entry : known)),
    );
  }
  #set(entries: readonly OutboxEntry[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
  #now(): number {
    return (this.#ports.nowMs ?? Date.now)();
  }
}
