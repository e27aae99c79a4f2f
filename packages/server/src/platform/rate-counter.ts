import type { Pool } from 'pg';
import { sha256 } from './crypto.ts';
import type { RateRule, RateVerdict } from './rate-limit.ts';

/** How long another process's hits stay unknown here; a limit may be passed by what comes in within that time. */
const flushMs = 200;

interface Window {
  key: string;
  startMs: number;
  endMs: number;
  /** What the database said, all processes together. */
  known: number;
  /** Hits here that it does not know yet. */
  pending: number;
}

/** By rule and subject: an id made of both, for each hit, cost more than the hit. */
type Windows = Map<string, Map<string, Window>>;

export interface RateCounter {
  /** Counts one hit against every rule and answers at once from what is known. */
  hit(rules: readonly RateRule[]): RateVerdict;
  /** Writes what is pending. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Limits for the many requests where an own statement each would cost more than the request: hits are added up here and
 * exchanged with the other processes through PostgreSQL every 200 ms. Where a single hit too many matters (a code, a PIN), use
 * `hit` of rate-limit.ts. A database that is away costs the exchange, not the limit of this process.
 */
export function createRateCounter(pool: Pool, onError: (error: unknown) => void): RateCounter {
  const windows: Windows = new Map();
  let flushing: Promise<void> | undefined;
  const timer = setInterval(() => void flush(), flushMs).unref();

  async function exchange(): Promise<void> {
    const nowMs = Date.now();
    const dirty: Window[] = [];
    for (const subjects of windows.values())
      for (const [subject, window] of subjects) {
        if (window.pending > 0) dirty.push(window);
        if (window.endMs <= nowMs) subjects.delete(subject);
      }
    if (dirty.length === 0) return;
    // Sorted keys: processes take the rows in the same order and cannot deadlock.
    dirty.sort((left, right) => (left.key < right.key ? -1 : 1));
    const sent = dirty.map(({ pending }) => pending);
    const { rows } = await pool.query<{ key: string; count: number }>({
      name: 'rate.add',
      text: `insert into rate_limits as r (key, window_start, count)
        select key, to_timestamp(start_ms / 1000.0), n from unnest($1::text[], $2::bigint[], $3::int[]) as t (key, start_ms, n) order by key
        on conflict (key, window_start) do update set count = r.count + excluded.count returning key, count`,
      values: [dirty.map(({ key }) => key), dirty.map(({ startMs }) => startMs), sent],
    });
    const totals = new Map(rows.map(({ key, count }) => [key, count]));
    for (const [index, window] of dirty.entries()) {
      window.pending -= sent[index] ?? 0;
      window.known = totals.get(window.key) ?? window.known;
    }
  }

  function flush(): Promise<void> {
    flushing ??= exchange()
      .catch(onError)
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  return {
    hit(rules) {
      const nowMs = Date.now();
      let remaining = Number.MAX_SAFE_INTEGER;
      let retryAfterS = 0;
      for (const rule of rules) {
        const window = windowOf(windows, rule, nowMs);
        window.pending += 1;
        const left = rule.limit - window.known - window.pending;
        remaining = Math.min(remaining, Math.max(0, left));
        // A window that counts has not ended, so there is always something to wait for.
        if (left < 0) retryAfterS = Math.max(retryAfterS, Math.ceil((window.endMs - nowMs) / 1000));
      }
      return { allowed: retryAfterS === 0, remaining, retryAfterS };
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The window that counts now. One that ended is dropped, with what the others were not told of it: it limits nobody any more. */
function windowOf(windows: Windows, { name, subject, windowS }: RateRule, nowMs: number): Window {
  let subjects = windows.get(name);
  if (!subjects) windows.set(name, (subjects = new Map()));
  const last = subjects.get(subject);
  if (last && last.endMs > nowMs) return last;
  const startMs = Math.floor(nowMs / (windowS * 1000)) * windowS * 1000;
  // The dot keeps these rows apart from those of `hit`, which count at the database's own clock.
  const key = `${name}. ${windowS} ${sha256(subject).toString('base64url')}`;
  const window: Window = { key, startMs, endMs: startMs + windowS * 1000, known: 0, pending: 0 };
  subjects.set(subject, window);
  return window;
}
