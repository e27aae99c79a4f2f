import { fork } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { pinnedNode } from '#scripts/lib/node.mjs';
import { tail } from '#scripts/lib/program.mjs';
import { inRoot, root } from '#scripts/lib/root.mjs';

export interface ServerOptions {
  dataDir: string;
  port: number;
  /** Production has no demo shop; demo takes a rate limit factor. */
  mode: 'production' | 'demo';
  env?: Record<string, string>;
  nodeArgs?: readonly string[];
}

export interface RunningServer {
  url: string;
  pid: number;
  /** From the start of the process to the first 200 of /readyz. */
  readyMs: number;
  exited: Promise<number>;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
  /** As Ctrl-C does. */
  stop(): Promise<number>;
}

/** The server ended before it was ready. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
  readonly code: number;
  readonly output: string;
  constructor(code: number, output: string) {
    super(`the server ended with ${code}:\n${output}`);
    this.code = code;
    this.output = output;
  }
}

const readyWithinMs = 120_000;
const stopWithinMs = 30_000;

/** One set of secrets for a run: a restarted server is the same server. */
const secrets = {
  KIST_SECRET_PEPPER: randomBytes(32).toString('base64'),
  KIST_SECRET_KEY: randomBytes(32).toString('base64'),
  KIST_AGENT_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string,
  KIST_AGENT_PACKAGE_URL: 'http://127.0.0.1/agent.apk',
  KIST_AGENT_SIGNATURE_CHECKSUM: createHash('sha256').update('no certificate').digest('base64url'),
  // Production does not start without a gateway; nothing listens at this one.
  KIST_SMS_URL: 'http://127.0.0.1:9/messages',
  KIST_SMS_SECRET: randomBytes(24).toString('base64'),
};

/**
 * Starts the built server and waits until it is ready. It ends with this process, whatever happens to us.
 * @throws ServerEnded when it ends before it is ready
 */
export async function startServer({
  dataDir,
  port,
  mode,
  env = {},
  nodeArgs = [],
}: ServerOptions): Promise<RunningServer> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}`;
  const logFile = path.join(dataDir, 'server.out');
  const log = openSync(logFile, 'a');
  const child = fork(inRoot('dist', 'server.js'), [], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      ...secrets,
      KIST_MODE: mode,
      KIST_DATA_DIR: dataDir,
      KIST_PUBLIC_URL: url,
      KIST_LOG_LEVEL: 'warn',
      KIST_RATE_LIMIT_FACTOR: '10000',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...env,
    },
    detached: true,
    execPath: pinnedNode(),
    execArgv: [
      ...nodeArgs,
      '--enable-source-maps',
      '--import',
      pathToFileURL(inRoot('scripts', 'lib', 'with-parent.mjs')).href,
    ],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  let ended: number | undefined;
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve((ended = code ?? 1)));
    child.once('error', () => resolve((ended = 127)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (ended === undefined) child.kill(signal);
    const insist = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    const code = await exited;
    clearTimeout(insist);
    return code;
  };
  while (ended === undefined) {
    if (await serves(url)) break;
    if (performance.now() - startedAt > readyWithinMs) await end('SIGKILL');
    await sleep(10);
  }
  if (ended !== undefined) throw new ServerEnded(ended, tail(readFileSync(logFile, 'utf8'), 20));
  return {
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    exited,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

/** Whether requests are served; the organisation may be planted afterwards. */
async function serves(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/readyz`).catch(() => undefined);
  if (!reply) return false;
  const { checks = {} } = (await reply.json()) as { checks?: Record<string, string> };
  return (
    Object.entries(checks).every(([name, state]) => name === 'organisation' || state === 'ok') && 'database' in checks
  );
}

/** @returns a port that was free a moment ago */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
