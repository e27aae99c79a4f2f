import type { Pool } from 'pg';
import type { Database } from './database.ts';
import { OperatorError } from './operator-error.ts';

/** The database may lose what it acknowledged; nothing is served from it. */
export class DurabilityError extends OperatorError {
  override readonly name = 'DurabilityError';
  readonly settings: readonly string[];
  constructor(settings: readonly string[]) {
    super(
      `This PostgreSQL can lose acknowledged payments: ${settings.join(', ')} is off. Turn it on (server, database and role settings) and start again.`,
    );
    this.settings = settings;
  }
}

const mustBeOn = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * Refuses a database that acknowledges commits before they are safe. A kill test cannot see it: the page cache survives
 * the process. Asked on the very connections the product uses, so server, database and account settings all count.
 * @throws DurabilityError
 */
export async function assertDurable(database: Pick<Database, 'appPool' | 'devicePool'>): Promise<void> {
  const off = new Set<string>();
  for (const pool of [database.appPool, database.devicePool]) for (const name of await settingsOff(pool)) off.add(name);
  if (off.size > 0) throw new DurabilityError([...off]);
}

async function settingsOff(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [mustBeOn],
  );
  return rows.map(({ name }) => name);
}
