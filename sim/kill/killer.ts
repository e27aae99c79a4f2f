import { setTimeout as sleep } from 'node:timers/promises';
import { postmasterPid } from '#bench/lib/database.ts';
import { type RunningServer, type ServerOptions, startServer } from '#bench/lib/server.ts';

export interface Kills {
  server: number;
  postgres: number;
  both: number;
}

export interface KillerOptions {
  kills: number;
  random: () => number;
  server: ServerOptions;
  /** Share of the work that is done, 0 to 1. */
  progress: () => number;
}

const POSTGRES_SHARE = 0.2;
const BOTH_SHARE = 0.1;
/** Where within the work between two kills a kill falls, so that it meets every kind of moment: up to this long after its turn has come. */
const JITTER_MS = 60;
const POLL_MS = 5;
/** Work that stands still this long gets its kill all the same: the kills are to come, whatever the pace. */
const STALLED_MS = 10_000;

/**
 * Kills at moments spread over the whole work: mostly the server, sometimes PostgreSQL under a living server, sometimes both at once; and starts what it
 * killed again. @returns the last server, running
 */
export async function killAround(
  first: RunningServer,
  { kills, random, server: options, progress }: KillerOptions,
): Promise<{ server: RunningServer; kills: Kills }> {
  const counts: Kills = { server: 0, postgres: 0, both: 0 };
  let server = first;
  for (let kill = 0; kill < kills; kill += 1) {
    await until(() => progress() >= (kill + random()) / (kills + 1));
    await sleep(random() * JITTER_MS);
    const luck = random();
    if (luck < POSTGRES_SHARE) {
      counts.postgres += 1;
      killPostgres(options.dataDir);
      continue;
    }
    if (luck < POSTGRES_SHARE + BOTH_SHARE) {
      counts.both += 1;
      killPostgres(options.dataDir);
    } else counts.server += 1;
    await server.kill();
    server = await startServer(options);
  }
  return { server, kills: counts };
}

/** kill -9 of the postmaster; its children notice and end. */
export function killPostgres(dataDir: string): void {
  const pid = postmasterPid(dataDir);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already: the last kill is still being recovered from.
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const since = performance.now();
  while (!isTrue() && performance.now() - since < STALLED_MS) await sleep(POLL_MS);
}
