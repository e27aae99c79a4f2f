import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './bundle.mjs';
import { runTool } from './exec.mjs';
import { withLock } from './lock.mjs';
import { createProgress } from './progress.mjs';
import { inRoot, root } from './root.mjs';

/**
 * @typedef {object} Target
 * @property {string[]} inputs files and folders whose content decides whether the target is stale
 * @property {string} output a file that exists once the target is built
 * @property {() => Promise<void>} build
 */

/** @type {Record<'server' | 'simulator' | 'web', Target>} */
const targets = {
  server: {
    inputs: ['packages/contract/src', 'packages/server/src', 'packages/server/package.json'],
    output: 'dist/server.js',
    build: () =>
      bundle({
        server: 'packages/server/src/main.ts',
        kist: 'packages/server/src/cli.ts',
        'image-worker': 'packages/server/src/documents/image-worker.ts',
      }),
  },
  simulator: {
    inputs: ['packages/contract/src', 'packages/simulator'],
    output: 'dist/simulator.js',
    build: () => bundle({ simulator: 'packages/simulator/src/cli.ts' }),
  },
  web: {
    inputs: ['packages/contract/src', 'packages/web'],
    output: 'packages/web/dist/index.html',
    build: buildWeb,
  },
};

/** @typedef {keyof typeof targets} TargetName */

/**
 * Builds the named targets whose sources changed since their last build; an unchanged one costs a read of its sources.
 * @param {TargetName[]} names
 * @param {import('./progress.mjs').Progress} [progress]
 * @returns {Promise<TargetName[]>} the targets that were built
 */
export function ensureBuilt(names, progress = createProgress()) {
  return withLock(inRoot('dist', '.lock'), async () => {
    /** @type {TargetName[]} */
    const built = [];
    for (const name of names) {
      const { inputs, output, build } = targets[name];
      const stamp = inRoot('dist', `.${name}.hash`);
      const hash = contentHash(inputs);
      if (existsSync(inRoot(output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue;
      progress.show(`Building the ${name === 'web' ? 'app' : name}`);
      await build();
      mkdirSync(inRoot('dist'), { recursive: true });
      writeFileSync(stamp, hash);
      built.push(name);
    }
    progress.end();
    return built;
  });
}

async function buildWeb() {
  const { code, output } = await runTool('vite', ['build'], { cwd: inRoot('packages', 'web') });
  if (code !== 0) throw new Error(`The app could not be built:\n${output}`);
}

/** The tools count as inputs too: their versions stand in the lockfile, their options in scripts/lib. */
const toolInputs = ['package-lock.json', 'scripts/lib/build.mjs', 'scripts/lib/bundle.mjs', 'tsconfig.base.json'];
const ignored = new Set(['node_modules', 'dist', 'coverage', 'test']);

/**
 * @param {string[]} inputs
 * @returns {string} a hash over the paths and contents of every file below the inputs, tests left out
 */
function contentHash(inputs) {
  // Bundles hold absolute paths of their sources, so a moved checkout is stale.
  const hash = createHash('sha256').update(root);
  for (const file of [...inputs, ...toolInputs].flatMap((input) => filesBelow(inRoot(input)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} start a file or a folder; nothing there counts as empty
 * @returns {string[]}
 */
function filesBelow(start) {
  if (!existsSync(start)) return [];
  if (statSync(start).isFile()) return [start];
  return readdirSync(start, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(start, entry.name);
      return entry.isDirectory() ? filesBelow(full) : [full];
    });
}
