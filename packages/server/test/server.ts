import pg from 'pg';
import type { Client } from 'pg';
import type { ConnectionConfig } from '#server/platform/connection.ts';

/** Runs `work` on a connection of its own to the maintenance database of a server. */
export async function asDatabase<T>(connection: ConnectionConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function dropDatabase(connection: ConnectionConfig, name: string): Promise<void> {
  await asDatabase(connection, (client) => client.query(`drop database if exists ${name} with (force)`));
}
