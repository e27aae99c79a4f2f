import { spawn } from 'node:child_process';
import path from 'node:path';
import { root, inRoot } from './root.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 when a signal or a failed spawn ended it
 * @property {string} stdout
 * @property {string} stderr
 * @property {string} output both, in the order they came
 * @property {number} elapsedMs
 */

/**
 * Runs a program to its end and keeps what it printed. Never throws: a program that cannot start has code 127.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, timeoutMs?: number }} [options] echo prints as it comes
 * @returns {Promise<Outcome>}
 */
export function run(file, args, { cwd = root, env = process.env, echo = false, timeoutMs = 0 } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = { stdout: '', stderr: '', output: '' };
    const timer = timeoutMs > 0 ? setTimeout(() => child.kill('SIGKILL'), timeoutMs) : undefined;
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer);
      resolve({ code, ...parts, elapsedMs: performance.now() - started });
    };
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      child[name].setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        parts[name] += text;
        parts.output += text;
        if (echo) process[name].write(text);
      });
    }
    child.on('error', (error) => {
      parts.output += error.message;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/**
 * The environment in which a tool finds the pinned Node and the installed commands first.
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(extra = {}) {
  const bin = inRoot('node_modules', '.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...extra };
}

/**
 * Runs an installed command of node_modules/.bin.
 * @param {string} name
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, timeoutMs?: number }} [options]
 */
export function runTool(name, args, options = {}) {
  return run(inRoot('node_modules', '.bin', name), args, { ...options, env: toolEnv(options.env) });
}
