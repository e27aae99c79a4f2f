import { runAuthorisationShare } from './lib/authorisation.mjs';
import { check } from './lib/check.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { checkPlanted } from './lib/planted.mjs';
import { runPlaywright } from './lib/playwright.mjs';
import { runProductionTest } from './lib/production-test.mjs';
import { printResult, printTable, sum } from './lib/results.mjs';
import { runStartTest, startTestData } from './lib/start-test.mjs';
import { runKillTest, runProofShare } from './lib/sim-tests.mjs';
import { runVitest, slowTests } from './lib/vitest.mjs';

// npm test: everything, on a machine that has nothing but git and Node.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);

const results = await check({ update: false });
results.push(...(await checkPlanted()));
/** @param {import('./lib/results.mjs').Result} result */
const add = (result) => {
  printResult(result);
  process.stdout.write('\n');
  results.push(result);
  return result.failed === 0;
};
add(await runVitest(slowTests));
add(await runAuthorisationShare());
const isSeeded = add(await runStartTest()) && !process.env['DATABASE_URL'];
add(await runPlaywright(isSeeded ? { seededData: startTestData } : {}));
add(await runProductionTest());
add(await runKillTest());
add(await runProofShare());

printTable('npm test', results);
const { passed, failed, skipped } = sum(results);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
