import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { authorisationFaults, testsOf } from './planted/authorisation-faults.mjs';
import { copyTree } from './planted/copy.mjs';

// npm run authorisation: plants one fault of authorisation after the other in a copy of the tree; the tests must see each. Minutes, so it is no part of
// `npm test`. --only plants those with that word in their name.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const faults = authorisationFaults.filter(({ name }) => name.includes(values.only));
const copy = copyTree();
let missed = 0;
try {
  // A test that fails without a fault would see every one.
  const tests = [...new Set(faults.flatMap(testsOf))];
  if (failedOf(tests) !== 0) throw new Error('the tests do not pass as the tree stands');
  for (const fault of faults) {
    const startedMs = performance.now();
    const isSeen = isSeenBy(fault);
    if (!isSeen) missed += 1;
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(0);
    process.stdout.write(`${isSeen ? '✓' : '✗ NOT SEEN'} ${fault.name} (${tookS} s)\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`${faults.length - missed} of ${faults.length} faults were seen.\n`);
process.exitCode = missed > 0 ? 1 : 0;

/**
 * @param {{ name: string, file: string, from: string, to: string, found?: string[] }} fault
 * @returns {boolean} whether a test failed, and not for another reason than the fault
 */
function isSeenBy(fault) {
  const file = path.join(copy, fault.file);
  const before = readFileSync(file, 'utf8');
  if (before.split(fault.from).length !== 2)
    throw new Error(`${fault.name}: what it changes stands not once in ${fault.file}`);
  writeFileSync(
    file,
    before.replace(fault.from, () => fault.to),
  );
  try {
    return failedOf(testsOf(fault)) > 0;
  } finally {
    writeFileSync(file, before);
  }
}

/**
 * @param {string[]} tests
 * @returns {number} how many failed until the first did; 0 when all passed
 */
function failedOf(tests) {
  const answers = path.join(copy, 'answers.json');
  rmSync(answers, { force: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--bail=1',
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${answers}`,
      ...tests,
    ],
    { cwd: copy, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (!existsSync(answers)) throw new Error(`no test ran:\n${stdout}${stderr}`);
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(answers, 'utf8'));
  if (numFailedTests + numPassedTests === 0) throw new Error(`no test ran:\n${stdout}${stderr}`);
  return numFailedTests;
}
