import pg from 'pg';
import type { ClientConfig } from 'pg';

/**
 * How to reach a database, in parts. Never a connection string: `pg` lets one override everything beside it, and an
 * `?options=` in it would then take the app's role away.
 */
export type ConnectionConfig = Omit<ClientConfig, 'connectionString'>;

/** The parts of a DATABASE_URL. */
export function connectionFromUrl(url: string): ConnectionConfig {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url });
  return { host, port, user, password: password ?? undefined, database, ssl };
}
