import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createProgress } from './progress.mjs';
import { inRoot, root } from './root.mjs';

const stampFile = inRoot('node_modules', '.kist-lock');

const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @param {string} file */
const readLock = (file) =>
  /** @type {Record<string, { version?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[] }>} */ (
    JSON.parse(readFileSync(file, 'utf8')).packages
  );

/**
 * Whether every required package of the lockfile lies in node_modules at its locked version. npm's own record of what
 * it installed answers this, so a tree that somebody installed by hand counts too.
 */
function isInstalled() {
  const record = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readLock(record);
  return Object.entries(readLock(inRoot('package-lock.json'))).every(([where, entry]) => {
    if (!where.startsWith('node_modules/')) return true;
    const present = installed[where];
    // An optional package is one platform's binary: it may be absent here, but never of another version.
    if (present === undefined) return entry.optional === true;
    return entry.link === true ? present.link === true : present.version === entry.version;
  });
}

/**
 * Installs the locked dependencies when they are missing or stale; install scripts of packages never run. Not `npm ci`:
 * that refuses a lockfile in which a binary for somebody else's platform is missing, and registries lag behind with
 * those. `npm install --no-save` takes the same locked versions and leaves the lockfile alone.
 * A hash of the lockfile is left behind, so an up-to-date tree costs one file read.
 * @param {import('./progress.mjs').Progress} [progress]
 * @returns {Promise<boolean>} whether an installation ran
 */
export async function ensureDependencies(progress = createProgress()) {
  const lockHash = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockHash) return false;
  const missing = !isInstalled();
  if (missing) await install(progress);
  writeFileSync(stampFile, lockHash);
  return missing;
}

/** @param {import('./progress.mjs').Progress} progress */
async function install(progress) {
  const npm = process.env['npm_execpath'];
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [file, fileArgs] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
  const wanted = wantedHere();
  const show = () => {
    const present = wanted.filter((where) => existsSync(inRoot(where, 'package.json'))).length;
    progress.show('Installing the locked dependencies (once, about a minute)', `${present} of ${wanted.length}`);
  };
  show();
  const timer = setInterval(show, 500);
  const child = spawn(file, fileArgs, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const giveUp = () => {
    child.kill();
    process.exit(1);
  };
  for (const signal of stopSignals) process.on(signal, giveUp);
  const code = await new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  for (const signal of stopSignals) process.off(signal, giveUp);
  clearInterval(timer);
  progress.end();
  if (code === 0) return;
  process.stderr.write('The dependencies could not be installed: see the lines above. Is the network up?\n');
  process.exit(1);
}

/** Where the lockfile's packages go on this machine; those for other platforms stay away. */
const wantedHere = () =>
  Object.entries(readLock(inRoot('package-lock.json')))
    .filter(([where, { link, os, cpu }]) => {
      const isHere = (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
      return where.includes('node_modules/') && !link && isHere;
    })
    .map(([where]) => where);
