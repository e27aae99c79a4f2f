import { closeSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ClientConfig } from 'pg';
import type { Account } from './account.ts';
import { serverAccount } from './account.ts';
import type { Binaries, BinarySources } from './binaries.ts';
import { findBinaries, sharedBinariesRoot } from './binaries.ts';
import { ensureCluster, layoutOf, makeRoot, openPrivateLog, socketFolder, spawnServerProgram } from './cluster.ts';
import type { Layout } from './cluster.ts';
import type { Log } from '#server/platform/log.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { registerUser, unregisterUser, withFolderLock } from './folder-lock.ts';
import { ensureOwnerPassword, passwordOf } from './owner-password.ts';
import { memoryParameters, usableMemory } from './memory.ts';
import { isRunning, mayBePostgres } from './process-identity.ts';

export interface EmbeddedOptions {
  /** Holds the cluster and the launcher's own notes; made when missing. */
  dataDir: string;
  log: Pick<Log, 'info' | 'warn'>;
  /** Server parameters beyond the launcher's, e.g. `{ max_connections: '300' }`. They count when this call starts the server. */
  settings?: Record<string, string>;
  /** Where, as root, binaries are copied when the server's account cannot execute them in place. */
  binariesRoot?: string;
  binarySources?: BinarySources;
}

export interface EmbeddedPostgres {
  /** The cluster's superuser over the unix socket: for migrations, for nothing that serves. */
  connectionConfig: ClientConfig & { host: string; user: string; password: string; database: string };
  /** How another account of this cluster logs in; its password is kept beside the cluster, and setting it is the owner's work. */
  login: (account: string) => EmbeddedPostgres['connectionConfig'];
  /** True when the server already ran: another Kist process uses it, or a killed one left it behind. */
  adopted: boolean;
  binDir: string;
  readonly postmasterPid: number;
  /** Ends this use; the last living user stops the server and waits for it. */
  stop: () => Promise<void>;
}

/** Crash recovery after kill -9 measured 1–3 s; a full minute covers a large write-ahead log on a slow disk. */
const startWithinMs = 60_000;
const pollMs = 15;
const retryMs = 150;
/** How often a running server is looked after: one that was killed is up again about this much later. */
const superviseMs = 500;
const stopWithinMs = 30_000;

/** Socket only; and a log that never repeats a statement or a row, for those hold people's names and numbers. */
const serverParameters = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Pages come from memory or from flash, where a far one costs hardly more than the next.
  random_page_cost: '1.1',
  ...memoryParameters(usableMemory()),
};

interface Context {
  layout: Layout;
  account: Account | undefined;
  binaries: Binaries;
  settings: Record<string, string>;
  config: EmbeddedPostgres['connectionConfig'];
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Starts the real PostgreSQL that comes with the npm packages, or joins the one that already runs on this data folder.
 * Listens on a unix socket only, readable by its own account and root only. While in use, a server that dies is started
 * again.
 * @throws EmbeddedPostgresError with a `reason` and a message that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const layout = layoutOf(options.dataDir);
  const account = serverAccount(layout.cluster);
  makeRoot(layout, account);
  const copyRoot = account === undefined ? layout.root : (options.binariesRoot ?? sharedBinariesRoot);
  const binaries = findBinaries(account, copyRoot, options.binarySources);
  return withFolderLock(layout.lock, async () => {
    const use = registerUser(layout.users);
    try {
      const startedAtMs = performance.now();
      const created = await ensureCluster(layout, binaries, account);
      const host = socketFolder(layout, account);
      const password = passwordOf(layout.root, 'postgres');
      const config = { host, port: 5432, user: 'postgres', password, database: 'postgres' };
      const context = { layout, account, binaries, settings: options.settings ?? {}, config, log: options.log };
      const { pid, adopted } = await ensureServer(context);
      await ensureOwnerPassword(config, layout.cluster, pid);
      const tookMs = Math.round(performance.now() - startedAtMs);
      options.log.info({ pid, adopted, created, tookMs }, 'embedded PostgreSQL is ready');
      return supervise(context, use, pid, adopted);
    } catch (error) {
      unregisterUser(layout.users, use);
      throw error;
    }
  });
}

function supervise(context: Context, use: string, firstPid: number, adopted: boolean): EmbeddedPostgres {
  const { layout, config, binaries, log } = context;
  let pid = firstPid;
  let stopped: Promise<void> | undefined;
  let reviving = false;
  const revive = async () => {
    if (reviving || stopped !== undefined || isRunning(pid)) return;
    reviving = true;
    try {
      log.warn({ pid }, 'embedded PostgreSQL is gone; starting it again');
      await withFolderLock(layout.lock, async () => {
        if (stopped === undefined) ({ pid } = await ensureServer(context));
      });
    } catch (error) {
      log.warn({ err: error }, 'embedded PostgreSQL did not come back; trying again');
    } finally {
      reviving = false;
    }
  };
  const timer = setInterval(() => void revive(), superviseMs).unref();
  const stop = async () => {
    clearInterval(timer);
    await withFolderLock(layout.lock, async () => {
      if (unregisterUser(layout.users, use)) return;
      await stopServer(layout);
    });
  };
  return {
    connectionConfig: config,
    login: (account) => ({ ...config, user: account, password: passwordOf(layout.root, account) }),
    adopted,
    binDir: binaries.binDir,
    get postmasterPid() {
      return pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Joins a server that answers, or starts one and waits until it does. Call it under the folder's lock. */
async function ensureServer(context: Context): Promise<{ pid: number; adopted: boolean }> {
  const { layout } = context;
  const deadline = Date.now() + startWithinMs;
  let child: number | undefined;
  while (Date.now() < deadline) {
    const pid = postmasterPid(layout);
    if (pid !== undefined && isRunning(pid)) {
      if (!mayBePostgres(pid)) {
        // After a reboot or in a new container another program may have the old server's number: PostgreSQL would
        // wait for it for ever.
        rmSync(path.join(layout.cluster, 'postmaster.pid'), { force: true });
      } else if (await answers(context.config)) return { pid, adopted: pid !== child };
    } else if (child === undefined || !isRunning(child)) {
      // One that gave up found the sessions of a killed server still ending: they need a moment.
      if (child !== undefined) await sleep(retryMs);
      child = spawnServer(context);
    }
    await sleep(pollMs);
  }
  const end = readFileSync(layout.log, 'utf8').trim().split('\n').slice(-4).join('\n');
  throw new EmbeddedPostgresError('START_FAILED', `The database in ${layout.root} did not start:\n${end}`);
}

function spawnServer({ layout, account, binaries, settings, config }: Context): number | undefined {
  const socket = config.host === layout.cluster ? '%FOLDER%' : config.host;
  const parameters = { ...serverParameters, ...settings };
  const args = ['-k', socket, ...Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = openPrivateLog(layout.log);
  try {
    const server = spawnServerProgram(path.join(binaries.binDir, 'postgres'), layout.cluster, args, account, log);
    server.once('error', () => undefined).unref();
    return server.pid;
  } finally {
    closeSync(log);
  }
}

async function stopServer(layout: Layout): Promise<void> {
  const pid = postmasterPid(layout);
  if (pid === undefined || !isRunning(pid) || !mayBePostgres(pid)) return;
  const startedAt = Date.now();
  process.kill(pid, 'SIGINT');
  while (isRunning(pid)) {
    // SIGINT ends sessions and checkpoints; a server that cannot finish is stopped hard and recovers at its next start.
    if (Date.now() - startedAt > stopWithinMs) process.kill(pid, 'SIGQUIT');
    await sleep(pollMs);
  }
}

function postmasterPid(layout: Layout): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path.join(layout.cluster, 'postmaster.pid'), 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it takes connections; one that refuses our password is up, and `ensureOwnerPassword` sees to the rest. */
async function answers(config: ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === '28P01' || (error as { code?: unknown }).code === '28000';
  } finally {
    await client.end().catch(() => undefined);
  }
}
