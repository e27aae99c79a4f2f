import type { Pool } from 'pg';
import { microBatch } from './micro-batch.ts';

/**
 * Remembers values that must be used once, for all processes; many requests share one statement.
 * @param pool `database.devicePool`
 * @returns whether this is the first use of a digest
 */
export function createFirstUse(pool: Pool): (digest: Buffer) => Promise<boolean> {
  return microBatch(async (digests: Buffer[]) => {
    const { rows } = await pool.query<{ digest: Buffer }>({
      name: 'seen.add',
      text: `insert into seen_requests (digest) select d from unnest($1::bytea[]) as t(d) order by d on conflict do nothing returning digest`,
      values: [digests],
    });
    const fresh = new Set(rows.map(({ digest }) => digest.toString('hex')));
    // The same value twice in one batch: the set gives it to the first only.
    return digests.map((digest) => fresh.delete(digest.toString('hex')));
  });
}

/** Forgets what is too old to pass the freshness check anyway. @returns how many */
export async function forgetSeen(pool: Pool, olderThanS: number): Promise<number> {
  const { rowCount } = await pool.query('delete from seen_requests where seen_at < now() - make_interval(secs => $1)', [
    olderThanS,
  ]);
  return rowCount ?? 0;
}
