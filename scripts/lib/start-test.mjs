import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './lock.mjs';
import { inRoot, root } from './root.mjs';
import { runSteps } from './steps.mjs';

const port = 3220;
export const startTestData = inRoot('artifacts', 'start-data');
const firstStartMs = 600_000;
const laterStartMs = 3000;
/** Node itself starts in some 50 ms where a later start is ready in 2 s; a machine that is slow at the one is at the other. */
const laterStartNodes = 50;
const labFollowsMs = 5000;
const stopMs = 20_000;
/** The starter asks how far the server is 40 times a second, when it gets to run. */
const saidMs = 5000;

/**
 * Starts and stops the product as a shop would, and as a power cut would, on a data folder of its own.
 * @returns {Promise<import('./results.mjs').Result>}
 */
export function runStartTest() {
  rmSync(startTestData, { recursive: true, force: true });
  const afterFault = async () => {
    await current?.end('SIGKILL');
    current = undefined;
  };
  return runSteps('start and stop', steps, { afterFault });
}

/** @type {Awaited<ReturnType<typeof start>> | undefined} */
let current;

/** In this order: each step finds what the one before left. A step returns what is wrong. */
const steps = {
  'a first start builds, says so, and shows a browser how far it is': async () => {
    // Stale: the build's service must not outlive the build.
    rmSync(inRoot('dist', '.server.hash'), { force: true });
    current = await start({ until: isPlaying });
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } });
    const html = await page.text();
    if (page.status !== 503 || !/>\d+ %</.test(html)) return `status ${page.status} of the page`;
    const deadline = performance.now() + saidMs;
    for (const step of ['Building the server', 'Making the database', 'Playing a year of the demo shop']) {
      while (!current.said().includes(step) && performance.now() < deadline) await sleep(20);
      if (current.said().split(step).length !== 2) return `said not once: ${step}`;
    }
    const service = current.programs().find(({ command }) => command.includes('esbuild'));
    return service && `the build's service still runs: ${service.command}`;
  },
  'Ctrl-C in the middle of it stops everything, the database too': async () =>
    (await endsWith('SIGINT', (end) => end === 0)) ?? databaseFault(),
  'the next start begins anew and serves the app and the lab': async () => {
    current = await start();
    const statuses = await Promise.all(['/readyz', '/healthz', '/'].map(status));
    if (statuses.some((code) => code !== 200)) return `statuses ${statuses.join(' ')}`;
    // The phones ask for the server's clock once a second, and come to life when it answers.
    const deadline = performance.now() + labFollowsMs;
    while ((await status('/lab')) !== 200) {
      if (performance.now() > deadline) return `no lab ${labFollowsMs} ms after the server`;
      await sleep(50);
    }
    return undefined;
  },
  'Ctrl-C stops everything with code 0, the database too, while somebody looks at the lab': async () => {
    const page = await fetch(`http://127.0.0.1:${port}/lab/events`);
    const fault = await endsWith('SIGINT', (end) => end === 0);
    await page.body?.cancel().catch(() => undefined);
    return fault ?? databaseFault();
  },
  'a second start is ready within 3 s, or 50 starts of Node alone': async () => {
    widenLogs();
    current = await start();
    return latenessFault(current.readyMs);
  },
  'logs are read by their owner only, also those that were wider before': async () => logFault(),
  'kill -9 of the starter leaves nothing behind': () => endsWith('SIGKILL', (end) => end === 'killed by SIGKILL'),
  'a start after it is ready as soon': async () => {
    current = await start();
    return latenessFault(current.readyMs);
  },
  'kill -9 of the server ends the starter with an error': async () => {
    const server = current?.programs().find(({ command }) => command.includes('server.js'));
    if (server === undefined) return 'no server was found';
    process.kill(server.pid, 'SIGKILL');
    // Its database lives on until the next start takes it over: it is not what must be gone.
    while (isAlive(server.pid)) await sleep(5);
    return endsWith(undefined, (end) => typeof end === 'number' && end !== 0);
  },
  'a start after it works, also on the Node this machine came with': async () => {
    current = await start({ env: { KIST_NODE: process.env['KIST_FOUND_NODE'] ?? process.execPath } });
    return (await status('/')) === 200 ? undefined : 'the app is not served';
  },
  'SIGTERM stops everything with code 0, the database too': async () =>
    (await endsWith('SIGTERM', (end) => end === 0)) ?? databaseFault(),
  'a demo whose secret is gone names it and makes no other': async () => {
    const file = path.join(startTestData, 'kist-secret-pepper');
    renameSync(file, `${file}.away`);
    const said = await start().then(
      () => 'it started',
      (/** @type {Error} */ error) => error.message,
    );
    const isMade = existsSync(file);
    renameSync(`${file}.away`, file);
    return said.includes('kist-secret-pepper is gone') && !isMade ? undefined : said;
  },
  'SIGINT to npm alone, not to its group, stops everything': async () => {
    current = await start({ viaNpm: true });
    return (await endsWith('SIGINT', () => true)) ?? databaseFault();
  },
  'SIGTERM to npm alone does too': async () => {
    current = await start({ viaNpm: true });
    return (await endsWith('SIGTERM', () => true)) ?? databaseFault();
  },
};

/** @param {number} readyMs of a start that found everything built. @returns {string | undefined} what is wrong */
function latenessFault(readyMs) {
  if (readyMs <= laterStartMs) return undefined;
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    spawnSync(process.execPath, ['--eval', '0']);
    return performance.now() - startedAt;
  });
  const [, , nodeMs = 0] = times.toSorted((a, b) => a - b);
  const limitMs = Math.max(laterStartMs, laterStartNodes * nodeMs);
  return readyMs <= limitMs ? undefined : `ready after ${Math.round(readyMs)} ms, Node alone ${Math.round(nodeMs)} ms`;
}

/** What /readyz says once requests are served. @param {{ status: number }} reply */
const isServing = ({ status: code }) => code === 200;
/** @param {{ state: any }} reply */
const isPlaying = ({ state }) => state?.progress !== undefined;

/**
 * @param {{ env?: NodeJS.ProcessEnv, viaNpm?: boolean, until?: (reply: { status: number, state: any }) => boolean }} [options]
 */
async function start({ env = {}, viaNpm = false, until = isServing } = {}) {
  const startedAt = performance.now();
  const [file, ...args] = viaNpm ? npmStart() : [process.execPath, inRoot('scripts', 'start.mjs')];
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: '', PORT: String(port), KIST_DATA_DIR: startTestData, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a signal meets this process alone.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text));
  /** @type {Promise<number | string>} its code, or the signal that killed it */
  const exited = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? `killed by ${by}`)));
  const end = (/** @type {NodeJS.Signals | undefined} */ signal) => {
    if (signal !== undefined) child.kill(signal);
    return Promise.race([exited, sleep(stopMs).then(() => 'still running')]);
  };
  while (!until(await readiness())) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`the starter ended with ${ended}: ${said}`);
    if (performance.now() - startedAt > firstStartMs) {
      await end('SIGKILL');
      throw new Error(`not ready after ${firstStartMs / 1000} s`);
    }
    await sleep(20);
  }
  const programs = () => descendantsOf(child.pid ?? 0);
  return { end, readyMs: performance.now() - startedAt, programs, said: () => said };
}

/** @returns {[string, ...string[]]} `npm start`, by the npm that runs this test or the one on the path */
function npmStart() {
  const npm = process.env['npm_execpath'];
  return npm?.endsWith('.js') && statSync(npm, { throwIfNoEntry: false })
    ? [process.env['KIST_FOUND_NODE'] ?? process.execPath, npm, 'start']
    : ['npm', 'start'];
}

async function readiness() {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return { status: response?.status ?? 0, state: await response?.json().catch(() => undefined) };
}

/**
 * @param {NodeJS.Signals | undefined} signal sent to the starter; none: it ends by itself
 * @param {(end: number | string) => boolean} isExpected of its code, or the signal that killed it
 */
async function endsWith(signal, isExpected) {
  if (current === undefined) return 'nothing runs, see the fault above';
  const programs = current.programs();
  const end = await current.end(signal);
  if (!isExpected(end)) return `the starter's end: ${end}`;
  if (end === 'still running') return 'it is still running';
  const deadline = performance.now() + 5000;
  while (programs.some(({ pid }) => isAlive(pid))) {
    if (performance.now() > deadline) return 'a program is still running';
    await sleep(50);
  }
  return undefined;
}

const logDir = path.join(startTestData, 'log');
const databaseLog = path.join(startTestData, 'postgres', 'server.log');
const oldLog = path.join(logDir, 'server.log.1');

/** As an older version left them. */
function widenLogs() {
  writeFileSync(oldLog, 'rotated\n');
  chmodSync(logDir, 0o755);
  for (const file of [...logFiles(), databaseLog]) chmodSync(file, 0o644);
}

const logFiles = () => readdirSync(logDir).map((name) => path.join(logDir, name));
const modeOf = (/** @type {string} */ file) => statSync(file).mode & 0o777;

function logFault() {
  if (modeOf(logDir) !== 0o700) return `the folder of the logs has mode ${modeOf(logDir).toString(8)}`;
  const wide = [...logFiles(), databaseLog].find((file) => modeOf(file) !== 0o600);
  return wide === undefined ? undefined : `${path.basename(wide)} has mode ${modeOf(wide).toString(8)}`;
}

/** PostgreSQL takes this file away when it has stopped as it should. */
const databaseFault = () =>
  existsSync(path.join(startTestData, 'postgres', 'cluster', 'postmaster.pid')) ? 'the database is running' : undefined;

/**
 * @param {number} starter
 * @returns {{ pid: number, command: string }[]} the programs it runs, and those that they run
 */
function descendantsOf(starter) {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' });
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  /** @param {number} parent @returns {{ pid: number, command: string }[]} */
  const below = (parent) =>
    all
      .filter(([, owner]) => Number(owner) === parent)
      .flatMap(([pid, , ...command]) => [{ pid: Number(pid), command: command.join(' ') }, ...below(Number(pid))]);
  return below(starter);
}

/** @param {string} where */
async function status(where) {
  const response = await fetch(`http://127.0.0.1:${port}${where}`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status;
}
