import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot, root } from '#scripts/lib/root.mjs';

const left = new Set(['node_modules', 'dist', 'artifacts', 'data', '.git', 'test-results', 'playwright-report']);

/**
 * A copy of the sources in a temporary folder, in which faults can be planted. The installed packages are linked one
 * by one, so that `@kist/…` means the copy's packages and never the repository's.
 * @returns {string} the copy's folder; whoever asked for it removes it
 */
export function copyTree() {
  const copy = mkdtempSync(path.join(tmpdir(), 'kist-planted-'));
  cpSync(root, copy, { recursive: true, filter: (source) => !left.has(path.basename(source)) });
  linkEntries(inRoot('node_modules'), path.join(copy, 'node_modules'));
  for (const name of readdirSync(path.join(copy, 'packages'))) {
    const own = inRoot('packages', name, 'node_modules');
    if (existsSync(own)) linkEntries(own, path.join(copy, 'packages', name, 'node_modules'));
    symlinkSync(path.join(copy, 'packages', name), path.join(copy, 'node_modules', '@kist', name));
  }
  return copy;
}

/**
 * @param {string} from
 * @param {string} to
 */
function linkEntries(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    const source = path.join(from, entry);
    if (entry === '@kist') mkdirSync(path.join(to, entry));
    else if (entry.startsWith('@') && lstatSync(source).isDirectory()) linkEntries(source, path.join(to, entry));
    else symlinkSync(source, path.join(to, entry));
  }
}

/**
 * @param {string} copy
 * @param {string} file relative to the copy
 * @param {string} source
 */
export function plant(copy, file, source) {
  const full = path.join(copy, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, source);
}
