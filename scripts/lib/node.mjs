import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { toolEnv } from './exec.mjs';
import { inRoot } from './root.mjs';

/**
 * The Node that runs the product: KIST_NODE when given, else the one that the lockfile pins when this platform has one
 * and it is installed, else the one running now.
 * @returns {string} an executable's path
 */
export function pinnedNode() {
  const chosen = process.env['KIST_NODE'];
  if (chosen) return chosen;
  const binary = inRoot('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(binary) ? binary : process.execPath;
}

/**
 * Runs the same script again under the pinned Node and ends with its code, unless this process already is that Node.
 * Tests need it (the test runner's floor is Node 22); starting the product does not.
 * @param {string} script
 * @returns {Promise<void>} returns only when no switch was needed
 */
export async function continueOnPinnedNode(script) {
  if (process.execPath === pinnedNode() || process.env['KIST_NODE_SWITCHED'] === '1') return;
  const child = spawn(pinnedNode(), [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: toolEnv({ KIST_NODE_SWITCHED: '1', KIST_FOUND_NODE: process.execPath }),
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.on('exit', (exitCode) => resolve(exitCode ?? 1)));
  process.exit(code);
}
