import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { docFaults } from './docs.mjs';
import { lawFaults } from './law-files.mjs';
import { runTool } from './exec.mjs';
import { lockfileFaults } from './lockfile.mjs';
import { root } from './root.mjs';

/** What no program uses, whatever tests do: but for what its docstring marks as internal, with the reason. */
export const KEPT_ALIVE = ['--production', '--include', 'files,exports,types,nsExports'];

/**
 * The static checkers, each one program over one tree. The planted faults run the very same ones over a copy.
 * @param {string} [tree] the repository or a copy of it
 * @returns {{ name: string, run: () => Promise<import('./exec.mjs').Outcome> }[]}
 */
export function staticCheckers(tree = root) {
  const options = { cwd: tree };
  const packages = readdirSync(path.join(tree, 'packages')).filter((name) =>
    existsSync(path.join(tree, 'packages', name, 'tsconfig.json')),
  );
  return [
    { name: 'format (oxfmt)', run: () => runTool('oxfmt', ['--check'], options) },
    { name: 'lint and import law (oxlint)', run: () => runTool('oxlint', ['--deny-warnings', '-f', 'unix'], options) },
    ...packages.map((name) => ({
      name: `types of ${name} (tsc)`,
      run: () => runTool('tsc', ['-p', path.join('packages', name), '--pretty', 'false'], options),
    })),
    { name: 'types of e2e, scripts (tsc)', run: () => runTool('tsc', ['-p', '.', '--pretty', 'false'], options) },
    { name: 'manifests and lockfile', run: async () => fromFaults(lockfileFaults(tree)) },
    {
      name: 'the law is written out',
      run: async () => fromFaults(lawFaults(tree)),
    },
    { name: 'documents', run: async () => fromFaults(docFaults(tree)) },
    { name: 'dead code (knip)', run: () => runTool('knip', ['--treat-config-hints-as-errors'], options) },
    { name: 'dead code that tests keep alive (knip)', run: () => runTool('knip', KEPT_ALIVE, options) },
  ];
}

/**
 * @param {string[]} faults
 * @returns {import('./exec.mjs').Outcome}
 */
function fromFaults(faults) {
  const output = faults.join('\n');
  return { code: faults.length > 0 ? 1 : 0, stdout: output, stderr: '', output, elapsedMs: 0 };
}
