import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, toolEnv } from './exec.mjs';
import { pinnedNode } from './node.mjs';
import { inRoot } from './root.mjs';

const CLI = ['packages/server/src/cli.ts'];
/** How phones speak, and the bytes that prove it. */
export const PROTOCOL = 'docs/agent-protocol.md';
export const VECTORS = 'docs/agent-vectors.json';

/**
 * Files that are made from the contract, the server and its migrations for people to read, or from a data set that npm
 * keeps; a difference is either a mistake or belongs into the same commit as its cause.
 */
const goldens = [
  { file: 'docs/openapi.json', program: [...CLI, 'openapi'] },
  { file: 'docs/schema.sql', program: [...CLI, 'schema'] },
  { file: PROTOCOL, program: ['scripts/agent-protocol.mjs', PROTOCOL] },
  { file: 'packages/server/reference/towns-of-india.txt', program: ['scripts/towns.mjs'] },
  { file: VECTORS, program: ['scripts/agent-protocol.mjs', VECTORS] },
];

/**
 * One checker per golden file: compares it with what the server generates now, or rewrites it.
 * @param {{ update: boolean }} options
 * @returns {{ name: string, run: () => Promise<import('./exec.mjs').Outcome> }[]}
 */
export function goldenCheckers({ update }) {
  return goldens.map(({ file, program: [program = '', ...args] }) => ({
    name: `golden ${file}`,
    run: async () => {
      const outcome = await run(pinnedNode(), [inRoot(program), ...args], { env: toolEnv() });
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
