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

/** The same engine without a window to draw: a third less of the machine's time. */
const shell = 'chromium-headless-shell';
const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApplications = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
const fonts = 'fonts-noto-core';
const installWithinMs = 600_000;

/**
 * A Chromium for the browser tests: CHROME_PATH, else one on the machine, else Playwright's own.
 * @param {{ isWhole?: boolean }} [options] whole: never the shell, for figures that stand for a customer's browser
 * @returns {Promise<string | undefined>} an executable's path
 */
export async function findChromium({ isWhole = false } = {}) {
  const named = process.env['CHROME_PATH'];
  if (named) return existsSync(named) ? named : undefined;
  const candidates = [
    ...(isWhole ? commands : [shell, ...commands]).flatMap(inPath),
    ...macApplications.map((application) => path.join('/Applications', application)),
    (await import('@playwright/test')).chromium.executablePath(),
  ];
  return candidates.find((candidate) => existsSync(candidate));
}

/** @param {string} command */
const inPath = (command) =>
  (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, command));

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
  const isNamed = Boolean(process.env['CHROME_PATH']);
  await install(isNamed ? [fonts] : [shell, fonts]);
  // A Debian older than the shell has the whole browser only.
  if (!isNamed && (await findChromium()) === undefined) await install(['chromium']);
}

/** @param {string[]} wanted Debian packages, each tried by itself: one that is not to be had keeps no other away */
async function install(wanted) {
  const states = await Promise.all(
    wanted.map((name) => run('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name])),
  );
  const missing = wanted.filter((_, index) => states[index]?.stdout !== 'installed');
  if (missing.length === 0) return;
  process.stdout.write(`Installing ${missing.join(' and ')}…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env, timeoutMs: installWithinMs });
  for (const name of missing) {
    const command = ['install', '-y', '-qq', '--no-install-recommends', name];
    const { code, output } = await run('apt-get', command, { env, timeoutMs: installWithinMs });
    if (code !== 0) process.stderr.write(`${output}\n`);
  }
}
