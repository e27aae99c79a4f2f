import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LONG_FUNCTIONS } from '#scripts/law/law.mjs';
import { FUNCTION_RULE } from '#scripts/law/written.mjs';
import { runTool } from './exec.mjs';

/**
 * @param {string} tree the repository or a copy of it
 * @param {readonly string[]} [exceptions] the files that may hold a long function
 * @returns {Promise<string[]>} those of them that hold none
 */
export async function needlessExceptions(tree, exceptions = LONG_FUNCTIONS) {
  if (exceptions.length === 0) return [];
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-long-'));
  try {
    const config = path.join(folder, 'oxlint.json');
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules: FUNCTION_RULE }));
    const there = exceptions.filter((file) => existsSync(path.join(tree, file)));
    const { stdout } = await runTool('oxlint', ['-c', config, '-f', 'json', ...there], { cwd: tree });
    /** @type {{ diagnostics: { filename: string }[] }} */
    const { diagnostics } = JSON.parse(stdout);
    const long = new Set(diagnostics.map(({ filename }) => filename));
    return exceptions
      .filter((file) => !long.has(file))
      .map((file) => `${file} has no long function: take it out of LONG_FUNCTIONS of scripts/law/law.mjs`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
