import type { Pool } from 'pg';

/**
 * What was promised and not yet carried out, of all organisations.
 * @param pool `database.devicePool`
 */
export async function outboxDepth(pool: Pool): Promise<{ waiting: number; oldestS: number }> {
  const { rows } = await pool.query<{ waiting: number; oldestS: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestS" from outbox where done_at is null`,
  );
  return rows[0] ?? { waiting: 0, oldestS: 0 };
}
