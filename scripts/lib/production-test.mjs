import { spawn } from 'node:child_process';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { artifacts, inRoot, root } from './root.mjs';
import { runSteps } from './steps.mjs';

const folder = path.join(artifacts, 'production-data');
const copy = path.join(artifacts, 'production-copy');
const away = path.join(artifacts, 'production-away');
const home = path.join(artifacts, 'production-home');
const restored = path.join(artifacts, 'production-restored');
const withinMs = 300_000;
const stopMs = 30_000;
const mobile = '9000000101';

/** @typedef {ReturnType<typeof run>} Running */

/** @type {Running[]} */
const running = [];
/** @type {{ port: number, gatewayPort: number }} */
const ports = { port: 0, gatewayPort: 0 };

/**
 * A production installation from nothing, with the programs an operator runs: setup, start, a gateway, the first sign-in.
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runProductionTest() {
  for (const old of [folder, copy, away, home, restored]) rmSync(old, { recursive: true, force: true });
  for (const made of [folder, home]) mkdirSync(made, { recursive: true, mode: 0o700 });
  [ports.port, ports.gatewayPort] = [await freePort(), await freePort()];
  const result = await runSteps('production from nothing', steps, { afterFault: 'stop' });
  for (const program of running) await program.end('SIGTERM');
  return result;
}

/** In this order: each step finds what the one before left. A step returns what is wrong. */
const steps = {
  'the doctor finds nothing set up, and says what to do': async () => {
    const { code, output } = await kist(['doctor']).ended;
    if (code !== 0) return `code ${code}: ${output}`;
    return output.includes('kist setup') ? undefined : output;
  },
  'a production start without settings is refused, naming all that is missing': async () => {
    const { code, output } = await npmStart({ KIST_MODE: 'production' }).ended;
    const missing = ['KIST_SMS_URL', 'KIST_PUBLIC_URL', 'KIST_SECRET_KEY'].filter((name) => !output.includes(name));
    return code !== 0 && missing.length === 0 ? undefined : `code ${code}, does not name ${missing.join(', ')}`;
  },
  'a gateway starts and makes its secret for this account only': async () => {
    start('node', [inRoot('scripts', 'gateway.mjs'), '--port', String(ports.gatewayPort), '--secret-file', secretFile]);
    await until(async () => (await fetch(`${gatewayUrl()}/sms/outbox`).catch(() => undefined))?.ok === true);
    return (statSync(secretFile).mode & 0o077) === 0 ? undefined : 'others can read the secret';
  },
  'setup makes the organisation and the settings': async () => {
    writeFileSync(path.join(folder, 'answers.json'), JSON.stringify(answers()));
    const { code, output } = await kist(['setup', '--from', path.join(folder, 'answers.json')]).ended;
    return code === 0 && output.includes(`KIST_DATA_DIR=${folder} npm start`) ? undefined : `code ${code}: ${output}`;
  },
  'an installation whose own organisation is missing is not ready and says so': async () => {
    const lost = npmStart({ KIST_DEFAULT_ORG: '99' });
    running.push(lost);
    await until(async () => (await readiness())?.checks?.['organisation'] === 'failed');
    const state = await readiness();
    await until(async () => lost.said().includes('kist -- setup'));
    const end = await lost.end('SIGTERM');
    if (end !== 0) return `its end: ${end}`;
    return state?.checks?.['database'] === 'ok' ? undefined : `checks: ${JSON.stringify(state)}`;
  },
  'npm start takes the settings from the data folder and is ready': async () => {
    await serve({});
    return undefined;
  },
  'the first retailer gets a code by the gateway and signs in': async () => {
    const asked = await call('/api/auth/loginWithOtp', { mobile });
    if (asked.status !== 200) return `asking for a code: ${JSON.stringify(asked)}`;
    /** @type {string | undefined} */
    let otp;
    await until(async () => {
      const reply = await fetch(`${gatewayUrl()}/sms/outbox?mobile=${mobile}`);
      otp = /\b\d{6}\b/.exec((await reply.json())[0]?.body ?? '')?.[0];
      return otp !== undefined;
    });
    const { status, data } = await call('/api/auth/verifyOtpAuth', { mobile, otp, purpose: 'LOGIN' });
    const type = data?.user_type ?? data?.session?.user_type;
    return status === 200 && type === 'retailer' ? undefined : `signing in: ${status} ${type}`;
  },
  'the doctor finds everything in order beside the running server': async () => {
    const { code, output } = await kist(['doctor']).ended;
    return code === 0 && output.includes('runs and is ready') ? undefined : output;
  },
  'the runbook’s words back the running installation up and check the backup': async () => {
    const block = runbookBlock('kist -- backup');
    const { code, output } = await run('sh', ['-e', '-c', block], { HOME: home }).ended;
    return code === 0 && output.includes('Every part is what its list says') ? undefined : `code ${code}: ${output}`;
  },
  'its backup is restored into an empty folder with the secrets alone, and is in order': async () => {
    mkdirSync(restored, { mode: 0o700 });
    for (const secret of ['kist.env', 'agent-key.pem'])
      copyFileSync(path.join(folder, secret), path.join(restored, secret));
    const backup = readdirSync(home).find((name) => name.endsWith('.kist')) ?? '';
    const args = [path.join(home, backup), '--key-file', path.join(home, 'kist-backup-key')];
    const { code, output } = await run('node', [inRoot('scripts', 'kist.mjs'), 'restore', ...args], {
      KIST_DATA_DIR: restored,
    }).ended;
    return code === 0 && output.includes('every history fits its roots') ? undefined : `code ${code}: ${output}`;
  },
  'starts in another mode or with other secrets are refused: the reason is the last that is said, and nothing is left behind':
    async () => {
      await server?.end('SIGTERM');
      const before = readdirSync(folder).join(' ');
      /** @type {[Record<string, string>, string][]} */
      const wrong = [
        [{ KIST_MODE: 'demo' }, 'This database is a production database'],
        [{ KIST_SECRET_PEPPER: randomBytes(32).toString('base64') }, 'KIST_SECRET_PEPPER is another one'],
        [{ KIST_SECRET_KEY: randomBytes(32).toString('base64') }, 'key 1 of KIST_SECRET_KEY is another one'],
      ];
      for (const [env, reason] of wrong) {
        const { code, output } = await npmStart(env).ended;
        const last = output.trimEnd().split('\n').at(-1) ?? '';
        if (code === 0 || !last.includes(reason) || output.includes('{"')) return `code ${code}: ${output}`;
      }
      const after = readdirSync(folder).join(' ');
      return after === before ? undefined : `the data folder: ${after}, before: ${before}`;
    },
  'a copy of the stopped data folder is an installation of its own: it starts elsewhere, and its books balance':
    async () => {
      const { code: copied } = await run('cp', ['-a', folder, copy], {}).ended;
      if (copied !== 0) return `cp ended with ${copied}`;
      renameSync(folder, away);
      await serve({ KIST_DATA_DIR: copy });
      const books = await run('node', [inRoot('scripts', 'kist.mjs'), 'books', '21'], { KIST_DATA_DIR: copy }).ended;
      if (!books.output.includes('The books balance.')) return books.output;
      const { code, output } = await run('node', [inRoot('scripts', 'kist.mjs'), 'doctor'], { KIST_DATA_DIR: copy })
        .ended;
      await server?.end('SIGTERM');
      return code === 0 ? undefined : output;
    },
};

/** @type {Running | undefined} the product, as the last `npm start` left it */
let server;

/** Starts the product and waits until it is ready. @param {Record<string, string>} env */
async function serve(env) {
  server = npmStart(env);
  running.push(server);
  await until(async () => (await readiness())?.status === 'ready');
}

/** The block of shell commands in the runbook that uses a program, for the test's data folder. @param {string} program */
function runbookBlock(program) {
  const blocks = [...readFileSync(inRoot('docs', 'runbook.md'), 'utf8').matchAll(/^```sh$([^]*?)^```$/gm)];
  const [, block] = blocks.find(([, text = '']) => text.includes(program)) ?? [];
  if (block === undefined) throw new Error(`the runbook has no block of ${program}`);
  return block.replaceAll('$HOME/kist-data', folder);
}

const secretFile = path.join(folder, 'sms-secret');
const gatewayUrl = () => `http://127.0.0.1:${ports.gatewayPort}`;
const serverUrl = () => `http://127.0.0.1:${ports.port}`;

const answers = () => ({
  organisation: { org_id: 21, slug: 'asha', name: 'Asha Mobiles', support: { phone: '+919000000100' } },
  admin: { mobile: '9000000100', first_name: 'Meera' },
  retailers: [
    { mobile, first_name: 'Asha', shop_name: 'Asha Mobiles', keys: [{ id: 'start', plan_type: 'DPC', count: 10 }] },
  ],
  plans: [{ plan_id: 1, plan_type: 'DPC', name: 'EMI Secure (Android)' }],
  lock_policy: 'dealer',
  server: {
    public_url: serverUrl(),
    port: ports.port,
    sms_url: `${gatewayUrl()}/sms/v1/messages`,
    sms_secret_file: secretFile,
    agent_package_url: `${gatewayUrl()}/agent.apk`,
    agent_signature_checksum: createHash('sha256').update('no certificate').digest('base64url'),
  },
});

/** @param {string[]} args */
const kist = (args) => run('node', [inRoot('scripts', 'kist.mjs'), ...args], {});
/** @param {Record<string, string>} env */
const npmStart = (env) =>
  run('node', [inRoot('scripts', 'start.mjs')], { npm_lifecycle_event: '', PORT: String(ports.port), ...env });

/** @param {string} file @param {string[]} args */
function start(file, args) {
  running.push(run(file, args, {}));
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function run(file, args, env) {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(KIST_|DATABASE_URL|PORT|HOST)/.test(name)),
  );
  const child = spawn(file === 'node' ? process.execPath : file, args, {
    cwd: root,
    env: { ...own, KIST_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text));
  /** @type {Promise<{ code: number | string, output: string }>} */
  const ended = new Promise((resolve) =>
    child.on('close', (code, by) => resolve({ code: code ?? `${by}`, output: said })),
  );
  return {
    ended,
    said: () => said,
    end: async (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      const { code } = await ended;
      clearTimeout(timer);
      return code;
    },
  };
}

/** @returns {Promise<{ status?: string, checks?: Record<string, string> } | undefined>} what /readyz says */
const readiness = async () => {
  const reply = await fetch(`${serverUrl()}/readyz`).catch(() => undefined);
  return reply?.json().catch(() => undefined);
};

/** One call as the app makes it. @param {string} where @param {unknown} body */
async function call(where, body) {
  const iv = createHash('md5').update(String(performance.now())).digest();
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(where, 'utf8').digest(), iv);
  const fresh = `${iv.toString('hex')}:${cipher.update(String(Date.now()), 'utf8', 'hex')}${cipher.final('hex')}`;
  const reply = await fetch(serverUrl() + where, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-emm-auth-session': fresh },
    body: JSON.stringify(body),
  });
  return reply.json();
}

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${String(isSo)}`);
    await sleep(50);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
