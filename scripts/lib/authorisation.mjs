import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { authorisationFaults, authorisationShare, testsOf } from '#scripts/planted/authorisation-faults.mjs';
import { copyTree } from '#scripts/planted/copy.mjs';
import { run } from './exec.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

/** @typedef {import('#scripts/planted/authorisation-faults.mjs').Fault} Fault */
/** @typedef {{ name: string, isSeen: boolean, tookS: number, why?: string }} Planted */

/** The tests of one fault take minutes at most; what hangs has not seen it. */
const faultWithinMs = 900_000;
/** All of them together, on a slow machine with something else to do. */
const wholeWithinMs = 3 * 3_600_000;

/**
 * Plants one fault of authorisation after the other in a copy of the tree; the tests must see each. Prints as it goes.
 * @param {Fault[]} faults
 * @returns {Promise<Planted[]>}
 */
export async function plantAuthorisation(faults) {
  const copy = copyTree();
  const endsMs = performance.now() + wholeWithinMs;
  try {
    // A test that fails without a fault would see every one.
    const tests = [...new Set(faults.flatMap(testsOf))];
    const { verdict: before, failed } = await verdictOf(copy, tests, wholeWithinMs);
    if (before !== 'passed')
      throw new Error(`the tests do not pass as the tree stands: ${before}\n${failed.join('\n')}`);
    const planted = [];
    for (const fault of faults) {
      const startedMs = performance.now();
      const verdict = await verdictWith(copy, fault, Math.max(1, Math.min(faultWithinMs, endsMs - startedMs)));
      const one = {
        name: fault.name,
        isSeen: verdict === 'failed',
        tookS: Math.round((performance.now() - startedMs) / 1000),
        ...(verdict !== 'failed' && { why: verdict }),
      };
      planted.push(one);
      process.stdout.write(`${one.isSeen ? '✓' : `✗ NOT SEEN (${verdict})`} ${one.name} (${one.tookS} s)\n`);
    }
    return planted;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A share of `npm run authorisation`, for `npm test`; of all others only that they could be planted. @returns {Promise<import('./results.mjs').Result>} */
export async function runAuthorisationShare() {
  const startedMs = performance.now();
  const planted = await plantAuthorisation(authorisationShare);
  const lost = authorisationFaults.filter((fault) => !standsOnce(fault, readFileSync(inRoot(fault.file), 'utf8')));
  const missed = planted.filter(({ isSeen }) => !isSeen);
  return {
    name: 'planted faults: authorisation',
    passed: planted.length - missed.length + authorisationFaults.length - lost.length,
    failed: missed.length + lost.length,
    elapsedMs: performance.now() - startedMs,
    output: [
      ...missed.map(({ name, why }) => `not seen: ${name} (${why})`),
      ...lost.map(({ name, file }) => `cannot be planted any more: ${name}, in ${file}`),
    ].join('\n'),
  };
}

/** @param {Fault} fault @param {string} text of its file */
const standsOnce = (fault, text) => text.split(fault.from).length === 2;

/**
 * @param {string} copy
 * @param {Fault} fault
 * @param {number} withinMs
 */
async function verdictWith(copy, fault, withinMs) {
  const file = path.join(copy, fault.file);
  const before = readFileSync(file, 'utf8');
  if (!standsOnce(fault, before)) throw new Error(`${fault.name}: what it changes stands not once in ${fault.file}`);
  const planted = before.replace(fault.from, () => fault.to);
  writeFileSync(file, planted);
  try {
    return (await verdictOf(copy, testsOf(fault), withinMs)).verdict;
  } finally {
    writeFileSync(file, before);
  }
}

/**
 * Runs tests of the copy until the first fails.
 * @param {string} copy
 * @param {string[]} tests
 * @param {number} withinMs
 * @returns {Promise<{ verdict: 'passed' | 'failed' | 'took too long', failed: string[] }>} failed: what the tests say that did
 */
async function verdictOf(copy, tests, withinMs) {
  const answers = path.join(copy, 'answers.json');
  rmSync(answers, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--maxWorkers=1'];
  const startedMs = performance.now();
  const { output } = await run(pinnedNode(), [...vitest, '--reporter=json', `--outputFile=${answers}`, ...tests], {
    cwd: copy,
    timeoutMs: withinMs,
  });
  if (!existsSync(answers)) {
    if (performance.now() - startedMs >= withinMs) return { verdict: 'took too long', failed: [] };
    throw new Error(`no test ran:\n${output}`);
  }
  /** @type {{ numFailedTests: number, numPassedTests: number, testResults: { assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(readFileSync(answers, 'utf8'));
  if (numFailedTests + numPassedTests === 0) throw new Error(`no test ran:\n${output}`);
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(' ').slice(0, 400)}`);
  return { verdict: numFailedTests > 0 ? 'failed' : 'passed', failed };
}
