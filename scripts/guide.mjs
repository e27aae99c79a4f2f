import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumFlags, ensureChromium } from './lib/chromium.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';

// npm run guide: lives through docs/guide.md as whoever reads it would, on an installation of its own, and takes its pictures. The commands are the page's
// own; what does not work on the way ends it with what was said.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);

const [port, gatewayPort] = [
  Number(process.env['KIST_GUIDE_PORT'] ?? 3299),
  Number(process.env['KIST_GUIDE_PORT'] ?? 3299) - 1,
];
const MOST_BYTES = 60_000;
const folder = mkdtempSync(path.join(tmpdir(), 'kist-guide-'));
const dataDir = path.join(folder, 'data');
const secretFile = path.join(folder, 'sms-secret');
const pictures = inRoot('docs', 'guide');
const page = readFileSync(inRoot('docs', 'guide.md'), 'utf8');
const words = ['en', 'more/en', 'sale/en', 'customer/en'].map((name) =>
  JSON.parse(readFileSync(inRoot('packages', 'web', 'public', 'locales', `${name}.json`), 'utf8')),
);
/** @type {import('node:child_process').ChildProcess[]} */
const running = [];

/** The app's own words. @param {string} key @param {Record<string, string>} [values] */
function t(key, values = {}) {
  const text = words
    .map((file) => key.split('.').reduce((/** @type {any} */ node, part) => node?.[part], file))
    .find((found) => typeof found === 'string');
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
}

const env = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(KIST_|DATABASE_URL|PORT|HOST)/.test(name))),
  KIST_DATA_DIR: dataDir,
});

/** @param {string[]} args @returns {Promise<string>} */
function kist(args) {
  const child = spawn(process.execPath, [inRoot('scripts', 'kist.mjs'), ...args], { env: env() });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  return new Promise((resolve, reject) =>
    child.on('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`kist ${args.join(' ')} ended with ${code}:\n${said}`)),
    ),
  );
}

/** @param {string} script @param {string[]} args */
function keepRunning(script, args) {
  running.push(
    spawn(process.execPath, [inRoot('scripts', script), ...args], {
      env: env(),
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

/** @template T @param {() => Promise<T | undefined>} ask @returns {Promise<T>} */
async function until(ask) {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`not within four minutes: ${String(ask)}`);
    await sleep(200);
  }
}

/** The commands of the page that begin with `kist`, in the words of a shell. */
function commandsOfThePage() {
  const blocks = [...page.matchAll(/^```sh$([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npm run kist -- '))
    .map((line) =>
      (line.slice('npm run kist -- '.length).match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')),
    );
}

/** @param {string} mobile @param {RegExp} pattern */
const codeFor = (mobile, pattern = /\b\d{6}\b/) =>
  until(async () => {
    const reply = await fetch(`http://127.0.0.1:${gatewayPort}/sms/outbox?mobile=${mobile}`);
    return pattern.exec((await reply.json())[0]?.body ?? '')?.[0];
  });

async function installation() {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  keepRunning('gateway.mjs', ['--port', String(gatewayPort), '--secret-file', secretFile]);
  await until(async () => ((await fetch(`http://127.0.0.1:${gatewayPort}/sms/outbox`)).ok ? true : undefined));
  const answers = JSON.parse(/^```json$([^]*?)^```$/m.exec(page)?.[1] ?? '{}');
  answers.server = {
    ...answers.server,
    public_url: `http://127.0.0.1:${port}`,
    port,
    sms_url: `http://127.0.0.1:${gatewayPort}/sms/v1/messages`,
    sms_secret_file: secretFile,
    agent_package_url: `http://127.0.0.1:${gatewayPort}/agent.apk`,
    agent_signature_checksum: createHash('sha256').update('no certificate').digest('base64url'),
  };
  const file = path.join(folder, 'my-shop.json');
  writeFileSync(file, JSON.stringify(answers));
  await kist(['setup', '--from', file]);
  keepRunning('start.mjs', []);
  await until(async () => ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined));
  for (const args of commandsOfThePage()) await kist(args);
}

let number = 0;
/** @param {import('@playwright/test').Page} app @param {string} name */
async function picture(app, name) {
  await app.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  // What is told in passing would lie over what the picture is of.
  for (const told of [t('shell.offline_ready'), new RegExp(t('add.done', { no: '.+' }))])
    await app.getByText(told).first().waitFor({ state: 'hidden', timeout: 15_000 });
  number += 1;
  const file = path.join(pictures, `${String(number).padStart(2, '0')}-${name}.png`);
  await app.screenshot({ path: file, animations: 'disabled' });
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, ${MOST_BYTES} are allowed`);
  process.stdout.write(`${path.basename(file)} ${size}\n`);
}

/** @param {import('@playwright/test').Page} app */
async function signIn(app) {
  await app.goto(`http://127.0.0.1:${port}/?org=ravi`);
  await app.getByLabel(t('auth.mobile')).fill('9000000201');
  await picture(app, 'login');
  await app.getByRole('button', { name: t('auth.send_code') }).click();
  await app.getByLabel(t('auth.otp_label')).fill(await codeFor('9000000201'));
  await app.getByRole('button', { name: t('auth.mpin_skip') }).click();
  await app.getByText(t('dashboard.do_now')).waitFor();
  await picture(app, 'home');
}

/** @param {import('@playwright/test').Page} app */
async function firstCustomer(app) {
  await app.getByRole('link', { name: t('shell.add'), exact: true }).click();
  await app.getByLabel(t('add.first_name')).fill('Rekha');
  await app.getByLabel(t('auth.mobile'), { exact: true }).fill('9812345678');
  await picture(app, 'customer');
  const next = () => app.getByRole('button', { name: t('common.continue') }).click();
  await next();
  await app.getByLabel(t('add.imei1'), { exact: true }).fill('356938035643809');
  await app.getByLabel(t('add.brand')).fill('Redmi');
  await app.getByLabel(t('add.model')).fill('13C');
  await picture(app, 'phone');
  await next();
  await app.getByLabel(t('add.price')).fill('12000');
  await app.getByLabel(t('emi.down')).fill('3000');
  await app.getByLabel(t('add.rate')).fill('12');
  await app.getByRole('textbox', { name: t('add.tenure') }).fill('6');
  await app
    .getByText(t('emi.emi_times_other', { count: '6' }))
    .first()
    .waitFor();
  // The price stands at the top, what it comes to beside the button.
  await app.evaluate(() => window.scrollTo(0, 0));
  await picture(app, 'emi');
  await next();
  await app.getByRole('checkbox', { name: t('consent.accept', { name: 'Rekha' }) }).check();
  await sign(app);
  await app.getByLabel(t('auth.otp_label')).fill(await codeFor('9812345678'));
  await app.locator('.spinner').waitFor({ state: 'hidden' });
  await picture(app, 'consent');
  await app.getByRole('button', { name: t('add.finish') }).click();
  await app.getByRole('img', { name: t('qr.alt') }).waitFor({ timeout: 20_000 });
  await picture(app, 'qr');
  await app.goto(`http://127.0.0.1:${port}/customers`);
  await app.getByText('Rekha').first().click();
  await picture(app, 'details');
}

/** @param {import('@playwright/test').Page} app */
async function sign(app) {
  await app.getByRole('button', { name: t('signature.pad_empty') }).click();
  const box = await app.getByRole('img', { name: t('signature.pad_empty') }).boundingBox();
  if (!box) throw new Error('there is no paper to sign on');
  // On a screen that stays upright the paper lies a quarter of a turn to the right.
  const isTurned = box.height > box.width;
  /** @param {number} x @param {number} y @returns {[number, number]} */
  const at = (x, y) =>
    isTurned ? [box.x + box.width * (1 - y), box.y + box.height * x] : [box.x + box.width * x, box.y + box.height * y];
  await app.mouse.move(...at(0.2, 0.6));
  await app.mouse.down();
  for (const [x, y] of /** @type {const} */ ([
    [0.35, 0.3],
    [0.5, 0.7],
    [0.65, 0.35],
    [0.8, 0.5],
  ]))
    await app.mouse.move(...at(x, y), { steps: 4 });
  await app.mouse.up();
  await app.getByRole('button', { name: t('signature.done') }).click();
}

async function end() {
  for (const child of running.toReversed()) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

const { chromium } = await import('@playwright/test');
const startedAt = performance.now();
try {
  await installation();
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags });
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  });
  const app = await context.newPage();
  try {
    await signIn(app);
    await firstCustomer(app);
  } catch (error) {
    const last = path.join(tmpdir(), 'kist-guide-failed.png');
    await app.screenshot({ path: last });
    process.stderr.write(`What the screen showed last: ${last}\n`);
    throw error;
  }
  await browser.close();
  process.stdout.write(`From nothing to the first customer: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
} finally {
  await end();
}
