import { run, toolEnv } from './exec.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

const withinMs = 900_000;

/**
 * Kills the server at random while payments and locks run, and counts what was acknowledged and is lost or doubled.
 * The program closes with the line `held N, broken N`: promises that held and promises that were broken.
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runKillTest() {
  const outcome = await run(pinnedNode(), [inRoot('sim', 'kill.ts')], {
    env: toolEnv(),
    echo: true,
    timeoutMs: withinMs,
  });
  const [, passed, failed] = /^held (\d+), broken (\d+)$/m.exec(outcome.stdout) ?? [];
  const isBroken = passed === undefined || (outcome.code !== 0 && Number(failed) === 0);
  return {
    name: 'kill test',
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0) + (isBroken ? 1 : 0),
    elapsedMs: outcome.elapsedMs,
  };
}
