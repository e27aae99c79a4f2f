import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';

const pollMs = 250;

/**
 * One process after the other: runs `work` while this one holds the lock, on a connection of its own. Asked for again and again, since no statement may
 * wait as long as a year takes to play.
 */
export async function whileAlone(pool: Pool, lock: number, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    while (!(await take(client, lock))) await sleep(pollMs);
    await work();
  } finally {
    // Closing the connection gives the lock back, whatever happened to it.
    client.release(true);
  }
}

/** Runs `work` while `client` holds the lock; not at all while somebody else does. */
export async function ifAlone(client: ClientBase, lock: number, work: () => Promise<void>): Promise<void> {
  if (!(await take(client, lock))) return;
  try {
    await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]);
  }
}

async function take(client: ClientBase, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [lock]);
  return rows[0]!.is_mine;
}
