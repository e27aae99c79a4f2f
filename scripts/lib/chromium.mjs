import { existsSync } from 'node:fs';
import path from 'node:path';
import { run, runTool } from './exec.mjs';

/** Chromium runs as root in containers without a GPU, and asks nothing of the network. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
const debianPackages = ['chromium', 'fonts-noto-core'];
const installWithinMs = 600_000;

/**
 * A Chromium for the browser tests: CHROME_PATH, else one on the machine, else Playwright's own.
 * @returns {Promise<string | undefined>} an executable's path
 */
export async function findChromium() {
  const named = process.env['CHROME_PATH'];
  if (named) return existsSync(named) ? named : undefined;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = [
    ...commands.flatMap((command) => folders.map((folder) => path.join(folder, command))),
    ...macApplications.map((application) => path.join('/Applications', application)),
    (await import('@playwright/test')).chromium.executablePath(),
  ];
  return candidates.find((candidate) => existsSync(candidate));
}

/**
 * Finds a Chromium and, on a Debian machine where we are root, the fonts of the ten languages; gets what is missing.
 * @returns {Promise<string>} an executable's path
 * @throws {Error} that says what to install when there is none to be had
 */
export async function ensureChromium() {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (isDebianRoot) await installDebianPackages();
  else if ((await findChromium()) === undefined) {
    process.stdout.write('Getting a Chromium for the browser tests…\n');
    await runTool('playwright', ['install', 'chromium'], { echo: true, timeoutMs: installWithinMs });
  }
  const found = await findChromium();
  if (found === undefined) {
    throw new Error('No Chromium: install one (Debian: apt-get install chromium fonts-noto-core) or set CHROME_PATH.');
  }
  return found;
}

async function installDebianPackages() {
  const hasBrowser = (await findChromium()) !== undefined;
  const wanted = debianPackages.filter((name) => name !== 'chromium' || !hasBrowser);
  const states = await Promise.all(
    wanted.map((name) => run('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name])),
  );
  const missing = wanted.filter((_, index) => states[index]?.stdout !== 'installed');
  if (missing.length === 0) return;
  process.stdout.write(`Installing ${missing.join(' and ')}…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env, timeoutMs: installWithinMs });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  const { code, output } = await run('apt-get', install, { env, timeoutMs: installWithinMs });
  if (code !== 0) process.stderr.write(`${output}\n`);
}
