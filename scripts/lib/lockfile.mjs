import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const fields = /** @type {const} */ (['dependencies', 'devDependencies', 'optionalDependencies']);
const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * Every manifest names exact versions, and the lockfile was written from these very manifests.
 * @param {string} tree the repository or a copy of it
 * @returns {string[]} what is wrong
 */
export function lockfileFaults(tree) {
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(path.join(tree, file), 'utf8'));
  const locked = read('package-lock.json').packages;
  const folders = ['', ...readdirSync(path.join(tree, 'packages')).map((name) => `packages/${name}`)];
  return folders.flatMap((folder) => {
    const manifest = read(path.join(folder, 'package.json'));
    return fields.flatMap((field) => {
      const wanted = manifest[field] ?? {};
      const known = locked[folder]?.[field] ?? {};
      const names = new Set([...Object.keys(wanted), ...Object.keys(known)]);
      return [...names].flatMap((name) => [
        ...(wanted[name] === known[name]
          ? []
          : [`${folder || '.'}: ${name} is ${wanted[name]} in package.json, ${known[name]} in the lockfile`]),
        ...(name.startsWith('@kist/') || wanted[name] === undefined || exactVersion.test(wanted[name])
          ? []
          : [`${folder || '.'}: ${name} ${wanted[name]} is not an exact version`]),
      ]);
    });
  });
}
