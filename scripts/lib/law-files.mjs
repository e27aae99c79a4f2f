import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CONTRACT, PACKAGES, WINDOWS, isAllowed } from '#scripts/law/law.mjs';
import { page } from '#scripts/law/page.mjs';
import { WRITTEN_RULES, overrides, roomsOf } from '#scripts/law/written.mjs';

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
  const sources = sourcesBelow(tree);
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
    ...sources.flatMap(({ file, text }) => [
      ...roomFaults(file),
      ...importFaults(file, text),
      ...truthFaults(file, text),
    ]),
  ];
}

/** @param {string} file @returns {string[]} */
function roomFaults(file) {
  const rooms = roomsOf(file).map((room) => (typeof room === 'string' ? room : room.name));
  if (rooms.length === 1) return [];
  return [`${file} stands in ${rooms.length === 0 ? 'no room' : rooms.join(' and ')} of scripts/law/law.mjs`];
}

/**
 * What stands once, where, and how a copy of it is spelled. Tests may say it themselves: they are the other opinion.
 * @type {{ what: string, at: string, copy: RegExp, except?: string[] }[]}
 */
const TRUTHS = [
  {
    what: 'DAY_MS',
    at: 'packages/contract/src/dates.ts',
    copy: /\b86_?400_?000\b|\b24 \* (?:HOUR_MS|3_?600_?000|60 \* 60)/,
  },
  {
    what: 'INDIA_OFFSET_MS',
    at: 'packages/contract/src/dates.ts',
    copy: /\b19_?800_?000\b|\b5\.5 \* (?:HOUR_MS|3_?600_?000)/,
  },
  {
    what: 'the house colour',
    at: 'packages/contract/src/tokens.ts',
    copy: /#3538a6/i,
    // Served before there is an app to serve: brand.test.ts holds it to the tokens.
    except: ['packages/web/public/update-page.js'],
  },
  {
    what: 'LOCKED_FROM_LEVEL',
    at: 'packages/contract/src/limits.ts',
    copy: /\blevel['")]*(?:::int)? ?(?:(?:>=|<|={1,3}) ?3|> ?2)\b/i,
  },
];
const IS_TEST = /\.(?:test|spec)\.tsx?$|\/test\/|^scripts\//;

/** @param {string} file @param {string} text @returns {string[]} */
function truthFaults(file, text) {
  if (IS_TEST.test(file)) return [];
  return TRUTHS.filter(({ at, copy, except = [] }) => ![at, ...except].includes(file) && copy.test(text)).map(
    ({ what, at }) => `${file} says ${what} again: it stands in ${at}`,
  );
}

/** import(), as a value or a type, in code or in a comment that the type checker reads; not a rule's name (`import(no-cycle)`). */
const CALLED = /(?<![\w$'"`]|[\w$\])]\.|import)import\s*\((?!\s*\)|[a-z-]+\)['"`])/g;
const PLAIN = /^\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`$\n]*)`)\s*[,)]/;
const GLOB = /\bimport\.meta\.glob\b(?:<[^(]*>)?\(([^)]*)\)/g;

/**
 * What the linter does not see: types of import(), comments, names that are put together, many files at once.
 * @param {string} file
 * @param {string} text
 * @returns {string[]}
 */
function importFaults(file, text) {
  const [room] = roomsOf(file);
  const called = [...text.matchAll(CALLED)].flatMap(({ 0: { length }, index }) => {
    const [, ...quoted] = PLAIN.exec(text.slice(index + length)) ?? [];
    const specifier = quoted.find((one) => one !== undefined);
    if (specifier === undefined) return [`${file}: an import whose name is computed escapes the law`];
    return mayImport(room, specifier) ? [] : [`${file} may not import ${specifier}`];
  });
  const isFree = typeof room === 'object' && !room.may;
  const globs = [...text.matchAll(GLOB)].filter(
    ([, asked]) => !isFree && !/^\s*'[^']*\.json'|'\?raw'/.test(asked ?? ''),
  );
  return [...called, ...globs.map(() => `${file}: import.meta.glob brings what the law does not see`)];
}

/** @param {ReturnType<typeof roomsOf>[number] | undefined} room @param {string} specifier */
function mayImport(room, specifier) {
  if (typeof room === 'object') return isAllowed(room, specifier);
  if (room === 'contract')
    return CONTRACT.may.some((one) => (one.endsWith('/') ? specifier.startsWith(one) : specifier === one));
  const others = PACKAGES.filter((name) => name !== 'contract').join('|');
  return !new RegExp(`^(@kist/|#)(${others})(/|$)`).test(specifier);
}

/** Layout is the formatter's. @param {string} text */
const normal = (text) => text.replaceAll(/\s+/g, '');

/** What git does not keep, and what other people's programs write. */
const NOT_OURS = new Set([
  'node_modules',
  'dist',
  'artifacts',
  'data',
  'test-results',
  'playwright-report',
  'coverage',
]);

/**
 * @param {string} tree
 * @param {string} [folder]
 * @returns {{ file: string, text: string }[]}
 */
function sourcesBelow(tree, folder = '') {
  return readdirSync(path.join(tree, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory())
      return NOT_OURS.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesBelow(tree, file);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [{ file, text: readFileSync(path.join(tree, file), 'utf8') }] : [];
  });
}
