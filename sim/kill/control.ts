import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { asOwner, postmasterPid } from '#bench/lib/database.ts';
import { startEmbedded } from '@kist/server/measured';
import { type RunningServer, ServerEnded, type ServerOptions, startServer } from '#bench/lib/server.ts';

const quiet = { info: () => undefined, warn: () => undefined };
const ROUNDS = 3;
const WRITERS = 4;
const WRITE_MS = 400;

/**
 * The same counting on a plain writer: rows whose commit was acknowledged, PostgreSQL killed with all its processes in the middle, rows that are there
 * after recovery. With synchronous_commit off it must find losses, or it would find none in the product either.
 * @returns rows acknowledged and lost over a few rounds
 */
export async function countLosses(synchronousCommit: 'on' | 'off'): Promise<{ acknowledged: number; lost: number }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-control-'));
  const start = () =>
    startEmbedded({
      dataDir: path.join(dataDir, 'postgres'),
      log: quiet,
      settings: { synchronous_commit: synchronousCommit },
    });
  const total = { acknowledged: 0, lost: 0 };
  let server = await start();
  try {
    await asOwner(dataDir, (client) => client.query('create table written (n integer primary key)'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const acknowledged = await writeUntilKilled(dataDir, server.connectionConfig, round * 1_000_000);
      await server.stop();
      server = await start();
      const stored = new Set(
        await asOwner(dataDir, async (client) =>
          (await client.query<{ n: number }>('select n from written')).rows.map(({ n }) => n),
        ),
      );
      total.acknowledged += acknowledged.length;
      total.lost += acknowledged.filter((n) => !stored.has(n)).length;
    }
    return total;
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function writeUntilKilled(dataDir: string, connection: pg.ClientConfig, from: number): Promise<number[]> {
  const acknowledged: number[] = [];
  const clients = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = new pg.Client(connection);
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }),
  );
  const processes = (await clients[0]!.query<{ pid: number }>('select pid from pg_stat_activity')).rows.map(
    ({ pid }) => pid,
  );
  const postmaster = postmasterPid(dataDir);
  const writing = clients.map(async (client, writer) => {
    for (let n = from + writer; ; n += WRITERS) {
      await client.query('insert into written values ($1)', [n]);
      acknowledged.push(n);
    }
  });
  setTimeout(() => {
    // The postmaster first: it would start its helpers again.
    for (const pid of [postmaster, ...processes]) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }, WRITE_MS);
  await Promise.allSettled(writing);
  await Promise.allSettled(clients.map((client) => client.end()));
  return acknowledged;
}

/** Turns synchronous commits off where it wins over the launcher's own settings, and tries to start. @returns what went wrong: it started, or did not say why not */
export async function bootsWithoutPromise(options: ServerOptions, running: RunningServer): Promise<string[]> {
  await asOwner(options.dataDir, (client) => client.query('alter database postgres set synchronous_commit = off'));
  await running.stop();
  try {
    const server = await startServer(options);
    await server.stop();
    return ['the server starts with synchronous_commit off'];
  } catch (error) {
    const isRefused = error instanceof ServerEnded && error.output.includes('synchronous_commit');
    return isRefused ? [] : [`the server did not say why it refuses: ${String(error)}`];
  }
}
