import type { Pool } from 'pg';
import { sha256 } from './crypto.ts';

/** At most `limit` hits of one subject in each window. Windows start at whole multiples of their length since 1970 UTC. */
export interface RateRule {
  /** What is counted: 'otp.send'. */
  name: string;
  /** Whom it is counted for: a mobile, an address, a user id. Kept as a hash. */
  subject: string;
  limit: number;
  windowS: number;
}

export interface RateVerdict {
  allowed: boolean;
  /** Hits left in the tightest rule's window. */
  remaining: number;
  /** Seconds until every exceeded rule's window ends; 0 when allowed. */
  retryAfterS: number;
}

/**
 * Counts one hit against every rule and says whether all allow it; one statement, committed at once, whatever becomes of
 * the request. Real time, not the product's clock: moving the demo's clock frees nobody.
 * @param pool of a role that may count; the counters belong to no organisation
 */
export async function hit(pool: Pool, rules: readonly RateRule[]): Promise<RateVerdict> {
  const { rows } = await pool.query<{ key: string; count: number; leftS: number }>({
    name: 'rate.hit',
    // Sorted keys: two requests that share rules take the rows in the same order and cannot deadlock.
    text: `insert into rate_limits as r (key, window_start, count)
      select key, to_timestamp(floor(extract(epoch from now()) / seconds) * seconds), 1
      from unnest($1::text[], $2::int[]) as rule (key, seconds) order by key
      on conflict (key, window_start) do update set count = r.count + 1
      returning key, count, ceil(extract(epoch from window_start) + split_part(key, ' ', 2)::int - extract(epoch from now()))::int as "leftS"`,
    values: [rules.map(keyOf), rules.map(({ windowS }) => windowS)],
  });
  const hits = new Map(rows.map((row) => [row.key, row]));
  let verdict: RateVerdict = { allowed: true, remaining: Number.MAX_SAFE_INTEGER, retryAfterS: 0 };
  for (const rule of rules) {
    const { count = 0, leftS = 0 } = hits.get(keyOf(rule)) ?? {};
    const isOver = count > rule.limit;
    verdict = {
      allowed: verdict.allowed && !isOver,
      remaining: Math.min(verdict.remaining, Math.max(0, rule.limit - count)),
      retryAfterS: isOver ? Math.max(verdict.retryAfterS, leftS, 1) : verdict.retryAfterS,
    };
  }
  return verdict;
}

/** Whether another hit of one rule would be allowed, all processes together; counts nothing. */
export async function peek(pool: Pool, rule: RateRule): Promise<RateVerdict> {
  const { rows } = await pool.query<{ count: number; leftS: number }>({
    name: 'rate.peek',
    text: `select count, ceil(extract(epoch from window_start) + $2::int - extract(epoch from now()))::int as "leftS" from rate_limits
      where key = $1 and window_start = to_timestamp(floor(extract(epoch from now()) / $2::int) * $2::int)`,
    values: [keyOf(rule), rule.windowS],
  });
  const { count = 0, leftS = 0 } = rows[0] ?? {};
  const allowed = count < rule.limit;
  return { allowed, remaining: Math.max(0, rule.limit - count), retryAfterS: allowed ? 0 : Math.max(leftS, 1) };
}

function keyOf({ name, subject, windowS }: RateRule): string {
  return `${name} ${windowS} ${sha256(subject).toString('base64url')}`;
}

/** Deletes windows that ended more than two days ago (no rule's window is longer than a day). */
export async function forgetWindows(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`delete from rate_limits where window_start < now() - interval '2 days'`);
  return rowCount ?? 0;
}
