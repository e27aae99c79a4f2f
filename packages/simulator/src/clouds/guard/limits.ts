import type { GuardBooks } from './books.ts';
import { GuardRefusal } from './protocol.ts';

export interface GuardLimits {
  /** Calls of one tenant in a minute; a full minute's worth may come at once. */
  callsPerMinute: number;
  /** Target items of one tenant in a day (UTC). */
  targetsPerDay: number;
}
const USUAL: GuardLimits = { callsPerMinute: 600, targetsPerDay: 50_000 };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A bucket of calls and a daily count of target items for each tenant. The count is kept over restarts. */
export class Limiter {
  readonly #limits: GuardLimits;
  readonly #books: GuardBooks;
  readonly #buckets = new Map<string, { calls: number; atMs: number }>();

  constructor(books: GuardBooks, limits: Partial<GuardLimits> = {}) {
    this.#books = books;
    this.#limits = { ...USUAL, ...limits };
  }

  /** @throws GuardRefusal 429 RATE_LIMITED saying when the next call fits */
  takeCall(tenant: string, nowMs: number): void {
    const { callsPerMinute } = this.#limits;
    const last = this.#buckets.get(tenant) ?? { calls: callsPerMinute, atMs: nowMs };
    const grown = (Math.max(0, nowMs - last.atMs) * callsPerMinute) / MINUTE_MS;
    const calls = Math.min(callsPerMinute, last.calls + grown);
    this.#buckets.set(tenant, { calls: calls < 1 ? calls : calls - 1, atMs: nowMs });
    if (calls >= 1) return;
    const waitMs = ((1 - calls) * MINUTE_MS) / callsPerMinute;
    throw new GuardRefusal(429, 'RATE_LIMITED', 'Too many calls.', Math.max(1, Math.ceil(waitMs / 1000)));
  }

  /** @throws GuardRefusal 429 QUOTA until the next day, when the day has no room for all of them, or is said to be full */
  takeTargets(tenant: string, count: number, nowMs: number, isFull = false): void {
    const { quotas } = this.#books.kept;
    const day = new Date(nowMs).toISOString().slice(0, 10);
    let quota = quotas.find((one) => one.tenant === tenant);
    if (!quota) quotas.push((quota = { tenant, day, items: 0 }));
    if (quota.day !== day) Object.assign(quota, { day, items: 0 });
    if (isFull || quota.items + count > this.#limits.targetsPerDay) {
      const waitMs = DAY_MS - (nowMs % DAY_MS);
      throw new GuardRefusal(429, 'QUOTA', 'No target left today.', Math.ceil(waitMs / 1000));
    }
    quota.items += count;
  }
}
