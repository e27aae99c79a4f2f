import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { plainWords, startProgram, tail } from './lib/program.mjs';
import { createProgress } from './lib/progress.mjs';
import { dataDirOf, readSettings } from './lib/settings.mjs';

/** The first start makes a database and plays a year of the demo shop; later ones answer within seconds. */
const readyWithinMs = 600_000;
const labWithinMs = 10_000;
const pollMs = 25;
const stopGraceMs = 15_000;
/** What the server ends with when whoever starts it has to put something right; it says what in plain words. */
const refusedCode = 78;
/** A server whose starter was killed ends by itself within this time. */
const portFreeWithinMs = 5000;

const startedAt = performance.now();
const settings = readSettings();
const port = Number(settings['PORT'] || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail('PORT is a number up to 65535, e.g. PORT=3100 npm start', refusedCode);
const dataDir = dataDirOf();
const logDir = path.join(dataDir, 'log');
const progress = createProgress();

await ensureDependencies(progress);
if (!(await becomesFree(port)))
  fail(`Port ${port} is in use. Stop what runs there, or choose another: PORT=3100 npm start`);
await ensureBuilt(['simulator', 'server', 'web'], progress).catch((error) => fail(error.message));

const labPort = (await isFree(port + 1)) ? port + 1 : await anyFreePort();
const smtpPort = await anyFreePort();
const host = settings['HOST'] ?? '';
const serverUrl = `http://${['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;
const labUrl = `http://127.0.0.1:${labPort}`;
/** In production there are real phones, a real SMS gateway and a real mail server: no lab. What the caller's environment says wins. */
const isDemo = settings['KIST_MODE'] !== 'production';
const env = {
  // A secret of this start: only this server can send messages through this lab.
  ...(isDemo && {
    KIST_LAB_URL: labUrl,
    KIST_SMS_URL: `${labUrl}/sms/v1/messages`,
    KIST_SMS_SECRET: randomBytes(32).toString('hex'),
    KIST_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    KIST_MAIL_FROM: 'kist@demo.example',
  }),
  ...process.env,
  PORT: String(port),
  KIST_DATA_DIR: dataDir,
};

let isStopping = false;
const startSimulator = () =>
  startProgram(
    'simulator',
    ['serve', '--port', String(labPort), '--smtp-port', String(smtpPort), '--server', serverUrl],
    { env, logDir },
  );
/** @type {ReturnType<typeof startSimulator> | undefined} */
let simulator;
// Nobody else reads here; the database's account, when we are root, may pass through.
mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
const server = startProgram('server', [], { env, logDir });

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => void stop(0));
// npm passes SIGINT and SIGTERM to its child, which is this process because package.json says `exec`: a shell in between
// would keep them to itself. One that was killed passes nothing on: notice when it is gone.
const npm = process.env['npm_lifecycle_event'] === 'start' ? process.ppid : undefined;
if (npm !== undefined) setInterval(() => process.ppid !== npm && void stop(0), 500).unref();
void server.exited.then((code) => {
  if (isStopping) return;
  progress.end();
  process.stderr.write(
    code === refusedCode
      ? `${plainWords(server.said())}\n`
      : `\nThe server stopped by itself (code ${code}). The end of ${server.logFile}:\n${tail(server.said(), 20)}\n`,
  );
  return stop(code);
});

if (!(await isReady())) {
  process.stderr.write(`The server is not ready after ${readyWithinMs / 1000} s, see ${server.logFile}\n`);
  await stop(1);
}
// The phones come to life once the server answers: who follows the link printed next finds them there.
if (isDemo) await answers('/lab', performance.now() + labWithinMs);
progress.end();
if (!isStopping) printWelcome();

/** Waits until the server serves, and says meanwhile what it does. An organisation that is missing may be set up beside it. */
async function isReady() {
  let step = existsSync(path.join(dataDir, 'postgres')) ? 'Starting the database' : 'Making the database';
  let figure = '';
  let isToldOnce = false;
  const tellOnce = (/** @type {string} */ text) => {
    if (isToldOnce) return;
    isToldOnce = true;
    progress.end();
    process.stdout.write(text);
  };
  let deadline = startedAt + readyWithinMs;
  while (!isStopping && performance.now() < deadline) {
    const response = await fetch(`${serverUrl}/readyz`).catch(() => undefined);
    if (response) beginLab();
    if (response?.ok) return true;
    const state = await response?.json().catch(() => undefined);
    if (state?.progress) {
      step = 'Playing a year of the demo shop';
      figure = `${state.progress.percent} %`;
      tellOnce(`  http://localhost:${port} shows how far it is and opens the shop by itself.\n`);
    } else if (state?.checks) {
      const missing = Object.keys(state.checks).filter((name) => state.checks[name] !== 'ok');
      step = `Not ready: ${missing.join(', ')}`;
      figure = '';
      if (missing.includes('organisation')) {
        tellOnce(`  The organisation of this installation does not exist yet: npm run kist -- setup\n`);
        deadline = Infinity;
      }
    }
    progress.show(step, figure);
    await sleep(pollMs);
  }
  return isStopping;
}

/** A server that answers has seen that the data folder is a demo's, or new: until then nothing is written there. */
function beginLab() {
  if (!isDemo || isStopping || simulator) return;
  simulator = startSimulator();
  void keepSimulator();
}

/** A lab that dies takes nothing with it but its window on the phones: start it again. */
async function keepSimulator() {
  while (simulator !== undefined) {
    const code = await simulator.exited;
    if (isStopping) return;
    process.stderr.write(`The phone lab stopped (code ${code}), see ${simulator.logFile}. Starting it again.\n`);
    await sleep(1000);
    simulator = isStopping ? undefined : startSimulator();
  }
}

/** @param {number} code */
async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  progress.end();
  const serverCode = await server.stop(stopGraceMs);
  await simulator?.stop(stopGraceMs);
  process.exit(code === 0 ? 0 : serverCode || code);
}

/**
 * @param {string} where
 * @param {number} deadline by performance.now()
 * @returns {Promise<boolean>} whether the server answered it with success before
 */
async function answers(where, deadline) {
  while (!isStopping && performance.now() < deadline) {
    const response = await fetch(serverUrl + where).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return true;
    await sleep(pollMs);
  }
  return isStopping;
}

function printWelcome() {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const local = `http://localhost:${port}`;
  const demo = `
  Sign in    mobile 9000000001 (retailer of demo organisation 20)
  OTP        shown on the lab page, or: curl '${local}/demo/outbox?mobile=9000000001'
  Phones     ${local}/lab`;
  process.stdout.write(`
Kist is ready (${seconds} s).

  Open       ${local}${isDemo ? demo : ''}
  Logs       ${logDir}
  Stop       Ctrl-C

`);
}

/** @param {number} candidate */
async function becomesFree(candidate) {
  const deadline = performance.now() + portFreeWithinMs;
  while (!(await isFree(candidate))) {
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

/** @param {number} candidate */
function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(candidate, () => probe.close(() => resolve(true)));
  });
}

/** @returns {Promise<number>} */
function anyFreePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(found));
    });
  });
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
