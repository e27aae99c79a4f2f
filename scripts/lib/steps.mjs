/** @typedef {() => Promise<string | undefined>} Step what is wrong, or nothing */

/**
 * Tries steps in their order, each on what the one before left, and says of each whether it held.
 * @param {string} name of all together
 * @param {Record<string, Step>} steps
 * @param {{ afterFault: 'stop' | (() => unknown) }} options 'stop': what follows a fault is not tried; else what makes room for the next step
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runSteps(name, steps, { afterFault }) {
  const started = performance.now();
  const entries = Object.entries(steps);
  /** @type {string[]} */
  const faults = [];
  for (const [step, prove] of entries) {
    const isTried = faults.length === 0 || afterFault !== 'stop';
    const fault = isTried ? await prove().catch((/** @type {Error} */ error) => error.message) : 'not tried';
    process.stdout.write(`  ${fault === undefined ? '✓' : '✗'} ${step}${fault === undefined ? '' : `: ${fault}`}\n`);
    if (fault === undefined) continue;
    faults.push(`${step}: ${fault}`);
    if (afterFault !== 'stop') await afterFault();
  }
  const elapsedMs = performance.now() - started;
  return { name, passed: entries.length - faults.length, failed: faults.length, elapsedMs, faults };
}
