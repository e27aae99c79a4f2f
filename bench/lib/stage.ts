import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PhoneKey, generateKey } from '@kist/simulator/measured';
import { asOwner } from './database.ts';
import { type Fleet, plant } from './plant.ts';
import { type RunningServer, freePort, startServer } from './server.ts';

export interface Stage {
  dataDir: string;
  port: number;
  server: RunningServer;
  /** What every planted phone signs with. */
  key: PhoneKey;
}

/** Answers HTTP and sends nothing. */
const ALONE = { KIST_ROLE: 'api', KIST_SMS_URL: '', KIST_SMS_SECRET: '' };

/**
 * The built server on a data folder of its own with planted fleets, for as long as `work` takes. First in production mode, so that no demo shop is made;
 * then in demo mode, whose rate limits take a factor.
 */
export async function onStage<T>(
  fleets: readonly Omit<Fleet, 'spki'>[],
  work: (stage: Stage) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const key = generateKey();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-bench-'));
  const port = await freePort();
  let server: RunningServer | undefined;
  try {
    server = await startServer({ dataDir, port, mode: 'production' });
    await asOwner(dataDir, async (client) => {
      await refuseUnsafe(client);
      for (const fleet of fleets) await plant(client, { ...fleet, spki: Buffer.from(key.publicKeySpki, 'base64url') });
      // Nobody real is in it.
      await client.query(`update installation set mode = 'demo'`);
    });
    await server.stop();
    // Timers are another process's work, and the outbox finds no gateway: one that nobody listens at costs the server ten thousand attempts to reach it
    // after every mass lock, which fall into whatever is measured next.
    const profile = process.env['KIST_BENCH_PROFILE'];
    const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    server = await startServer({ dataDir, port, mode: 'demo', env: { ...ALONE, ...env }, nodeArgs });
    return await work({ dataDir, port, server, key });
  } finally {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A figure from a database that does not sync is none. */
async function refuseUnsafe(client: { query(text: string): Promise<{ rows: { name: string }[] }> }): Promise<void> {
  const { rows } = await client.query(
    `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting <> 'on'`,
  );
  if (rows.length > 0) throw new Error(`not measured: ${rows.map(({ name }) => name).join(', ')} is off`);
}
