import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const rootDocs = ['README.md', 'AGENTS.md', 'SECURITY.md', 'CHANGELOG.md'];
/** In backticks and from the root, without placeholders or patterns. */
const namedFile = /`((?:packages|scripts|docs|e2e|bench|sim|\.ci)\/[\w./-]+)`/g;
const link = /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g;
const command = /npm run ([\w-]+)/g;

/**
 * What the documents say can be found: files they link or name, and npm commands they tell to type.
 * @param {string} tree the repository or a copy of it
 * @returns {string[]} what is wrong
 */
export function docFaults(tree) {
  const scripts = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8')).scripts;
  const files = [...rootDocs, ...markdownBelow(tree, 'docs')];
  return [
    ...settingFaults(tree),
    ...files.flatMap((file) => {
      const text = readFileSync(path.join(tree, file), 'utf8');
      /** @param {string} base @param {RegExp} pattern */
      const missing = (base, pattern) =>
        [...text.matchAll(pattern)]
          .map(([, name = '']) => name)
          .filter((name) => !existsSync(path.join(tree, base, name)))
          .map((name) => `${file}: ${name} does not exist`);
      return [
        ...missing(path.dirname(file), link),
        ...missing('.', namedFile),
        ...[...text.matchAll(command)]
          .filter(([, name = '']) => !(name in scripts))
          .map(([, name]) => `${file}: npm run ${name} is no command of package.json`),
      ];
    }),
  ];
}

/**
 * The runbook's table of settings and the server's configuration name the same variables.
 * @param {string} tree
 * @returns {string[]}
 */
function settingFaults(tree) {
  const runbook = readFileSync(path.join(tree, 'docs/runbook.md'), 'utf8');
  const config = readFileSync(path.join(tree, 'packages/server/src/config.ts'), 'utf8');
  return [...config.matchAll(/^ {2}([A-Z][A-Z_]+): optional/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !runbook.includes(`\`${name}\``))
    .map((name) => `docs/runbook.md: setting ${name} is not described`);
}

/**
 * @param {string} tree
 * @param {string} folder
 * @returns {string[]}
 */
function markdownBelow(tree, folder) {
  return readdirSync(path.join(tree, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return markdownBelow(tree, name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}
