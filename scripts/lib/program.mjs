import { fork } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pinnedNode } from './node.mjs';
import { inRoot, root } from './root.mjs';

const maxLogBytes = 10 * 1024 * 1024;

/**
 * @typedef {object} Program
 * @property {string} logFile what the program prints
 * @property {() => string} said what it has printed since this start
 * @property {Promise<number>} exited its exit code, 1 when a signal ended it
 * @property {(graceMs: number) => Promise<number>} stop asks with SIGTERM, insists with SIGKILL after the grace
 */

/**
 * Starts one of the built programs under the pinned Node, apart from the terminal's Ctrl-C (the starter decides the
 * order in which programs end), with its output in a log file.
 * @param {string} name file in dist/, without .js
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, logDir: string }} options
 * @returns {Program}
 */
export function startProgram(name, args, { env, logDir }) {
  const logFile = openLog(logDir, name);
  const child = fork(inRoot('dist', `${name}.js`), args, {
    cwd: root,
    env,
    detached: true,
    execPath: pinnedNode(),
    execArgv: ['--enable-source-maps', '--import', pathToFileURL(inRoot('scripts', 'lib', 'with-parent.mjs')).href],
    stdio: ['ignore', logFile.fd, logFile.fd, 'ipc'],
  });
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });
  return {
    logFile: logFile.file,
    said: () => readFileSync(logFile.file).subarray(logFile.from).toString('utf8'),
    exited,
    stop: async (graceMs) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}

/**
 * Logs name no people, and are nobody else's all the same: the folder 0700, the files 0600, also those that an older version left wider.
 * @param {string} dir
 * @param {string} name
 */
function openLog(dir, name) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const file = path.join(dir, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isFull = size > maxLogBytes;
  if (isFull) renameSync(file, `${file}.1`);
  const fd = openSync(file, 'a', 0o600);
  for (const entry of readdirSync(dir)) chmodSync(path.join(dir, entry), 0o600);
  return { file, fd, from: isFull ? 0 : size };
}

/**
 * @param {string} log
 * @param {number} lines
 * @returns {string} its last lines
 */
export function tail(log, lines) {
  return log.trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * @param {string} log of a program
 * @returns {string} what it says in plain words, without the lines of its log and Node's own warnings
 */
export function plainWords(log) {
  return log
    .split('\n')
    .filter((line) => !/^(?:\{|\(node:|\(Use `node)/.test(line))
    .join('\n')
    .trim();
}
