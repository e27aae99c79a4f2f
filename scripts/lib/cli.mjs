import { spawn } from 'node:child_process';
import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './install.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

/**
 * Builds a program if it is stale, runs it in this terminal and ends with its code.
 * @param {'server' | 'simulator'} target what to build
 * @param {string} program file in dist/, without .js
 * @param {string[]} args
 */
export async function runBuilt(target, program, args) {
  await ensureDependencies();
  await ensureBuilt([target]);
  const child = spawn(pinnedNode(), ['--enable-source-maps', inRoot('dist', `${program}.js`), ...args], {
    stdio: 'inherit',
    env: { KIST_DATA_DIR: inRoot('data'), ...process.env },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
