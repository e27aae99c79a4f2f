import { run, toolEnv } from './exec.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

const withinMs = 900_000;

/** Kills the server at random while payments and locks run, and counts what was acknowledged and is lost or doubled. */
export const runKillTest = () => runSim('kill test', 'kill.ts', '--share');

/** A small share of `npm run proof`: everything raced with everything once, and some kills at named points, held against the books. */
export const runProofShare = () => runSim('races and kills', 'proof.ts', '--share');

/**
 * Runs a program of sim/. It closes with the line `held N, broken N`: promises that held and promises that were broken.
 * @param {string} name
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<import('./results.mjs').Result>}
 */
async function runSim(name, file, ...args) {
  const outcome = await run(pinnedNode(), [inRoot('sim', file), ...args], {
    env: toolEnv(),
    echo: true,
    timeoutMs: withinMs,
  });
  const [, passed, failed] = /^held (\d+), broken (\d+)$/m.exec(outcome.stdout) ?? [];
  const isBroken = passed === undefined || (outcome.code !== 0 && Number(failed) === 0);
  return {
    name,
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0) + (isBroken ? 1 : 0),
    elapsedMs: outcome.elapsedMs,
  };
}
