import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { WINDOWS } from '#scripts/law/law.mjs';
import { WRITTEN_RULES, overrides, page } from '#scripts/law/written.mjs';

const MARKS = ['<!-- the import law, written by npm run law -->', '<!-- end of the import law -->'];

/**
 * @param {string} tree the repository or a copy of it
 * @returns {Record<string, string>} what the files that are made from the law should hold
 */
export function lawFiles(tree) {
  const config = JSON.parse(readFileSync(path.join(tree, '.oxlintrc.json'), 'utf8'));
  const others = config.overrides.filter(
    (/** @type {any} */ { rules }) => !WRITTEN_RULES.some((rule) => Object.hasOwn(rules, rule)),
  );
  const agents = readFileSync(path.join(tree, 'AGENTS.md'), 'utf8');
  const [begin = '', end = ''] = MARKS;
  const [before] = agents.split(begin);
  const [, after] = agents.split(end);
  return {
    '.oxlintrc.json': `${JSON.stringify({ ...config, overrides: [...overrides(), ...others] }, undefined, 2)}\n`,
    'AGENTS.md': `${before}${begin}\n${page()}\n${end}${after}`,
  };
}

/**
 * @param {string} tree
 * @returns {string[]} what is wrong: files that were not written anew, windows that nobody looks through, imports that are computed
 */
export function lawFaults(tree) {
  const sources = sourcesBelow(tree, ['packages', 'bench', 'sim', 'e2e', 'scripts']);
  const imported = new Set(
    sources
      .filter(({ file }) => !/\.test\.tsx?$|\/test\//.test(file))
      .flatMap(({ text }) => [...text.matchAll(/from '(#server\/[^']+)'/g)].map(([, name]) => name)),
  );
  return [
    ...Object.entries(lawFiles(tree))
      .filter(([file, text]) => normal(readFileSync(path.join(tree, file), 'utf8')) !== normal(text))
      .map(([file]) => `${file} is older than scripts/law/law.mjs: npm run law`),
    ...Object.entries(WINDOWS)
      .flatMap(([slice, files]) => files.map((file) => `#server/${slice}/${file}`))
      .filter((name) => !imported.has(name))
      .map((name) => `${name} is a window that nobody needs: take it out of scripts/law/law.mjs`),
    ...sources.flatMap(({ file, text }) =>
      COMPUTED.test(text) ? [`${file}: an import whose name is computed escapes the law`] : [],
    ),
  ];
}

/** An import() of anything but a text as it stands; these are modules, require() is not there. */
const COMPUTED = /(?<![\w.$'`"])import\((?!\s*['"`])(?!\s*\))/;

/** Layout is the formatter's. @param {string} text */
const normal = (text) => text.replaceAll(/\s+/g, '');

/**
 * @param {string} tree
 * @param {string[]} folders
 * @returns {{ file: string, text: string }[]}
 */
function sourcesBelow(tree, folders) {
  return folders.flatMap((folder) =>
    readdirSync(path.join(tree, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesBelow(tree, [file]);
      return /\.(ts|tsx|mjs)$/.test(entry.name) ? [{ file, text: readFileSync(path.join(tree, file), 'utf8') }] : [];
    }),
  );
}
