import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** What React is had by. Each is a file that gives one object (CommonJS). */
const REACT = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];
const NAMED = '\0named:';
const namesOf = (module: string): string[] =>
  Object.keys(require(module) as object).filter((name) => name !== 'default');

/**
 * React by its names. Of a module that gives one object every file asks `(0, react.jsx)(…)` and a helper that makes the object a module; of one with names
 * it says `a(…)`: 3 KB of the precache. What React's own files ask of one another stays as it is.
 */
export function namedReact(): Plugin {
  return {
    name: 'kist-named-react',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      handler(source, importer, { kind }) {
        const isOwn = kind === 'require-call' || importer?.startsWith(NAMED);
        return REACT.includes(source) && !isOwn ? NAMED + source : undefined;
      },
    },
    load(id) {
      if (!id.startsWith(NAMED)) return undefined;
      const module = id.slice(NAMED.length);
      // Reading a name is no effect, as a bundler cannot know: those that nobody takes go.
      const names = namesOf(module).map((name) => `${name} = /*@__PURE__*/ (() => all.${name})()`);
      return `import all from ${JSON.stringify(require.resolve(module))};\nexport default all;\nexport const ${names.join()};`;
    },
  };
}

/** Parts of the router's own file that the app never reaches, by what stands at their only way in. */
const UNREACHED: readonly [wayIn: RegExp, closed: string][] = [
  // Measuring of the router's own steps, and routes that are told later: this app gives neither.
  [/\binit\.(?:instrumentations|patchRoutesOnNavigation)\b/g, 'undefined'],
  // What a fetcher of the router's would call: the data are RTK Query's.
  [/^\t\tfetch,$/gm, ''],
];

/**
 * Names for developers' tools, and calls that nobody marked as without effect, keep the router's forms, fetchers and prefetched links in the
 * bundle, none of which the app draws: 3 KB on the line. What the app never gives it is 2 KB more.
 */
export function shakenRouter(): Plugin {
  return {
    name: 'kist-shaken-router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\/dist\// },
      handler(code, id) {
        const named = code
          .replaceAll(/^\w+\.displayName = ".*";$/gm, '')
          .replaceAll(/(?<= = )(?=React\$1\.(?:createContext|forwardRef)\()/g, '/*@__PURE__*/ ');
        if (!id.endsWith('/lib/router/router.js')) return { code: named, map: null };
        return {
          code: UNREACHED.reduce((text, [wayIn, closed]) => {
            if (text.search(wayIn) < 0) this.error(`react-router is written otherwise: ${wayIn.source} is nowhere`);
            return text.replaceAll(wayIn, closed);
          }, named),
          map: null,
        };
      },
    },
  };
}
