import type { Pool } from 'pg';
import { sha256 } from './crypto.ts';
import type { RateRule, RateVerdict } from './rate-limit.ts';

/**
 * What a process may count of a limit before it tells the others: a sixtieth. So P processes together pass a limit by less than P sixtieths: two by 3.4 %,
 * three by 5 %. Of a limit below 60 every hit is told.
 */
const SLACK_SHARE = 60;
/** From here on half the slack is told ahead, so that nobody waits; of less a subject that comes once or twice a minute (a phone) costs no statement. */
const TOLD_AHEAD_FROM = 10;
/** How long a database that failed is left alone; until then this process counts for itself. */
const AWAY_MS = 1000;

interface Window {
  key: string;
  startMs: number;
  endMs: number;
  /** What the database said, all processes together. */
  known: number;
  /** Hits here that it does not know yet. */
  pending: number;
  /** Hits that are allowed or refused by the next answer of the database, in the order they came. */
  waiting: { limit: number; decide: (position: number) => void }[];
  /** As many as wait, and as are in a statement under way. */
  asked: number;
}

/** The windows of one rule, which all begin and end together: when they end the whole map goes. */
interface Group {
  windowS: number;
  endMs: number;
  windows: Map<string, Window>;
}

export interface RateCounter {
  /** Counts one hit against every rule that still allows one. Answers at once while the slack lasts, else with the database's next answer. */
  hit(rules: readonly RateRule[]): RateVerdict | Promise<RateVerdict>;
  /** Whether another hit would be allowed, as far as this process knows; counts nothing. */
  peek(rules: readonly RateRule[]): RateVerdict;
  /** Tells whatever is not told yet. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const ADD = `insert into rate_limits as r (key, window_start, count)
  select key, to_timestamp(start_ms / 1000.0), n from unnest($1::text[], $2::bigint[], $3::int[]) as t (key, start_ms, n) order by key
  on conflict (key, window_start) do update set count = r.count + excluded.count returning key, count`;

/** How windows come to know what the other processes counted: one statement at a time, for all that have something to tell. */
interface Exchange {
  soon(window: Window): void;
  /** Whether the database failed just now: until then this process counts for itself. */
  isAway(nowMs: number): boolean;
  whenTold(): Promise<void>;
}

function createExchange(pool: Pool, onError: (error: unknown) => void): Exchange {
  const dirty = new Set<Window>();
  let exchanging: Promise<void> | undefined;
  let awayUntilMs = 0;

  async function exchange(): Promise<void> {
    // Requests that arrive in one turn of the loop share the statement.
    await new Promise((resolve) => setImmediate(resolve));
    while (dirty.size > 0) {
      // Sorted keys: processes take the rows in the same order and cannot deadlock.
      const told = [...dirty]
        .filter(({ pending, waiting }) => pending > 0 || waiting.length > 0)
        .toSorted((left, right) => (left.key < right.key ? -1 : 1));
      dirty.clear();
      if (told.length > 0) await tell(told);
    }
  }

  async function tell(told: readonly Window[]): Promise<void> {
    const sent = told.map(({ pending }) => pending);
    const waiting = told.map((window) => window.waiting.splice(0));
    try {
      const totals = await add(
        pool,
        told,
        told.map((_, at) => sent[at]! + waiting[at]!.length),
      );
      for (const [at, window] of told.entries()) {
        window.pending -= sent[at]!;
        window.known = totals.get(window.key)!;
        window.asked -= waiting[at]!.length;
        const first = window.known - waiting[at]!.length + 1;
        waiting[at]!.forEach(({ decide }, nth) => decide(first + nth));
      }
    } catch (error) {
      awayUntilMs = Date.now() + AWAY_MS;
      onError(error);
      for (const [at, window] of told.entries()) for (const one of waiting[at]!) decideAlone(window, one);
    }
  }

  return {
    soon(window) {
      dirty.add(window);
      exchanging ??= exchange().finally(() => {
        exchanging = undefined;
      });
    },
    isAway: (nowMs) => nowMs < awayUntilMs,
    whenTold: () => exchanging ?? Promise.resolve(),
  };
}

/** @returns what all processes together have counted, by key */
async function add(pool: Pool, windows: readonly Window[], hits: readonly number[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ key: string; count: number }>({
    name: 'rate.add',
    text: ADD,
    values: [windows.map(({ key }) => key), windows.map(({ startMs }) => startMs), hits],
  });
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/**
 * Limits for the many requests where an own statement each would cost more than the request, shared by all processes: far from a limit hits are added up
 * here, and whoever would go beyond what may stay untold waits for one statement that counts for all who wait. Where a single hit too many matters (a code,
 * a PIN), use `hit` of rate-limit.ts. A database that is away costs the sharing, not the limit of this process.
 */
export function createRateCounter(pool: Pool, onError: (error: unknown) => void): RateCounter {
  const groups = new Map<string, Group>();
  const exchange = createExchange(pool, onError);

  function flush(): Promise<void> {
    for (const { windows } of groups.values())
      for (const window of windows.values()) if (window.pending > 0) exchange.soon(window);
    return exchange.whenTold();
  }

  return {
    hit(rules) {
      const nowMs = Date.now();
      const windows = rules.map((rule) => windowOf(groups, rule, nowMs));
      const positions = windows.map((window, at) => take(exchange, window, rules[at]!.limit, nowMs));
      return positions.every((position) => typeof position === 'number')
        ? verdictOf(rules, windows, positions, nowMs)
        : Promise.all(positions.map(async (position) => position)).then((decided) =>
            verdictOf(rules, windows, decided, nowMs),
          );
    },
    peek(rules) {
      const nowMs = Date.now();
      const verdict = nothingAgainst();
      for (const rule of rules) {
        if (!groups.get(rule.name)?.windows.has(rule.subject)) continue;
        const { known, pending, asked, endMs } = windowOf(groups, rule, nowMs);
        tighten(verdict, rule.limit - (known + pending + asked + 1), endMs - nowMs);
      }
      return verdict;
    },
    flush,
    stop: flush,
  };
}

/** @returns the hit's place in the window, or a promise of it */
function take(exchange: Exchange, window: Window, limit: number, nowMs: number): number | Promise<number> {
  const position = window.known + window.pending + 1;
  if (position > limit) return position;
  const slack = Math.floor(limit / SLACK_SHARE);
  const isAway = exchange.isAway(nowMs);
  if (window.pending < slack || isAway) {
    window.pending += 1;
    if (slack >= TOLD_AHEAD_FROM && window.pending * 2 > slack && !isAway) exchange.soon(window);
    return position;
  }
  return new Promise((decide) => {
    window.asked += 1;
    window.waiting.push({ limit, decide });
    exchange.soon(window);
  });
}

/** Without the database: by what this process counted, which it is told of later. */
function decideAlone(window: Window, { limit, decide }: Window['waiting'][number]): void {
  window.asked -= 1;
  const position = window.known + window.pending + 1;
  if (position <= limit) window.pending += 1;
  decide(position);
}

function verdictOf(
  rules: readonly RateRule[],
  windows: readonly Window[],
  positions: readonly number[],
  nowMs: number,
): RateVerdict {
  const verdict = nothingAgainst();
  for (let at = 0; at < rules.length; at += 1)
    tighten(verdict, rules[at]!.limit - positions[at]!, windows[at]!.endMs - nowMs);
  return verdict;
}

const nothingAgainst = (): RateVerdict => ({ allowed: true, remaining: Number.MAX_SAFE_INTEGER, retryAfterS: 0 });

/** What one rule has against it. @param left hits that its window allows yet; below 0: it allows none @param leftMs until the window ends */
function tighten(verdict: RateVerdict, left: number, leftMs: number): void {
  verdict.remaining = Math.min(verdict.remaining, Math.max(0, left));
  if (left >= 0) return;
  verdict.allowed = false;
  verdict.retryAfterS = Math.max(verdict.retryAfterS, Math.ceil(leftMs / 1000), 1);
}

/** The window that counts now. One that ended is dropped, with what the others were not told of it: it limits nobody any more. */
function windowOf(groups: Map<string, Group>, { name, subject, windowS }: RateRule, nowMs: number): Window {
  let group = groups.get(name);
  if (!group || group.endMs <= nowMs || group.windowS !== windowS) {
    const endMs = (Math.floor(nowMs / (windowS * 1000)) + 1) * windowS * 1000;
    groups.set(name, (group = { windowS, endMs, windows: new Map() }));
  }
  let window = group.windows.get(subject);
  if (!window) {
    // The dot keeps these rows apart from those of `hit`, which count at the database's own clock.
    const key = `${name}. ${windowS} ${sha256(subject).toString('base64url')}`;
    const startMs = group.endMs - windowS * 1000;
    window = { key, startMs, endMs: group.endMs, known: 0, pending: 0, waiting: [], asked: 0 };
    group.windows.set(subject, window);
  }
  return window;
}
