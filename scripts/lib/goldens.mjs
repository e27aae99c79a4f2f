import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, toolEnv } from './exec.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

/**
 * Files in docs/ that the server writes and people read; a difference is either a mistake or belongs into the same
 * commit as its cause.
 */
const goldens = [
  { file: 'docs/openapi.json', command: 'openapi' },
  { file: 'docs/schema.sql', command: 'schema' },
];

/**
 * One checker per golden file: compares it with what the server generates now, or rewrites it.
 * @param {{ update: boolean }} options
 * @returns {{ name: string, run: () => Promise<import('./exec.mjs').Outcome> }[]}
 */
export function goldenCheckers({ update }) {
  return goldens.map(({ file, command }) => ({
    name: `golden ${file}`,
    run: async () => {
      const cli = inRoot('packages', 'server', 'src', 'cli.ts');
      const outcome = await run(pinnedNode(), [cli, command], { env: toolEnv() });
      if (outcome.code !== 0) return outcome;
      if (update) writeText(inRoot(file), outcome.stdout);
      const difference = firstDifference(readText(inRoot(file)), outcome.stdout);
      if (difference === undefined) return outcome;
      return {
        ...outcome,
        code: 1,
        output: `${file}: ${difference}\nIf the change is meant: npm run check -- --update`,
      };
    },
  }));
}

/**
 * @param {string} kept
 * @param {string} generated
 * @returns {string | undefined} the first line that differs, from both sides; nothing when the texts are equal
 */
export function firstDifference(kept, generated) {
  if (kept === generated) return undefined;
  const [left, right] = [kept.split('\n'), generated.split('\n')];
  const index = left.findIndex((text, at) => text !== right[at]);
  const at = index === -1 ? left.length : index;
  return `line ${at + 1} differs\n  kept       ${left[at] ?? '(end)'}\n  generated  ${right[at] ?? '(end)'}`;
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
function writeText(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
