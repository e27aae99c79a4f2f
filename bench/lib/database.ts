import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** Where the embedded PostgreSQL of a data folder listens, and how its owner gets in. */
export function socketOf(dataDir: string): {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
} {
  const note = path.join(dataDir, 'postgres', 'socket-folder');
  const host = existsSync(note) ? readFileSync(note, 'utf8') : path.join(dataDir, 'postgres', 'cluster');
  const password = readFileSync(path.join(dataDir, 'postgres', 'password-postgres'), 'utf8').trim();
  return { host, port: 5432, user: 'postgres', password, database: 'postgres' };
}

/** Runs `work` as the database's owner, past row-level security. */
export async function asOwner<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(socketOf(dataDir));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns the postmaster's process, while there is one */
export function postmasterPid(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
