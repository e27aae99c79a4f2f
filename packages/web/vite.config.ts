import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import { tokenVars } from '@kist/contract/tokens';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { buildSync, transformSync } from 'esbuild';
import { defineConfig, type IndexHtmlTransformContext, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { CUSTOMER_MARK, FIRST_OF_ALL, FIRST_READS, type PlainCall, plainCall } from './src/api/first-reads.ts';
import { MORE_PARTS } from './src/i18n/backend.ts';
import { partsOf } from './src/i18n/more.ts';
import { isAway } from './away.ts';
import { namedReact, shakenRouter } from './lean.ts';
import { SERVER_NAVIGATIONS, serverProxy } from './src/offline/server-paths.ts';
import { OUTSIDE, patterns } from './src/paths.ts';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const server = process.env.KIST_SERVER ?? 'http://localhost:3000';

/** What login says before any code of the app has come: keys of a locale's `auth`. */
const FRONT_WORDS = ['welcome', 'mobile', 'mobile_hint', 'send_code', 'request_account', 'demo'];

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 6);

/** The locale files: their content hash (the app asks for `locales/hn.json?v=…`, which may be cached for ever) and login's words. */
function locales(): { versions: Record<string, string>; front: Record<string, Record<string, string>> } {
  const folder = join(root, 'public/locales');
  const versions: Record<string, string> = {};
  const front: Record<string, Record<string, string>> = {};
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { auth, shell: frame } = JSON.parse(text) as Record<'auth' | 'shell', Record<string, string>>;
    const code = name.slice(0, -5);
    versions[code] = hashOf(text);
    for (const part of MORE_PARTS) versions[`${part}/${code}`] = hashOf(readFileSync(join(folder, part, name), 'utf8'));
    const words = FRONT_WORDS.map((word) => {
      const said = auth[word];
      if (!said) throw new Error(`${name} lacks auth.${word}, which index.html shows`);
      return [word, said];
    });
    const privacy = frame['privacy'] ?? '';
    front[code] = { lang: LANGUAGE_TAGS[code as Language], privacy, ...Object.fromEntries(words) };
  }
  return { versions, front };
}

/**
 * Which files the app and each route need: index.html asks for them at once instead of three round trips later.
 * @returns first: the entry and all that it imports; files once, and for each route pattern the places of what it needs beyond the first;
 * outside: the paths of the screens that nobody has to sign in for, by their names; more: by their patterns, the folders of `locales` that hold what the others say.
 */
function routeFiles(bundle: IndexHtmlTransformContext['bundle']): {
  first: string[];
  files: string[];
  routes: Record<string, number[]>;
  outside: Record<string, string>;
  more: Record<string, readonly string[]>;
} {
  const chunks = Object.values(bundle ?? {}).filter((part) => part.type === 'chunk');
  const below = (name: string, seen = new Set<string>()): Set<string> => {
    const chunk = chunks.find((part) => part.fileName === name);
    if (!chunk || seen.has(name)) return seen;
    seen.add(name);
    for (const imported of chunk.imports) below(imported, seen);
    return seen;
  };
  const entry = chunks.find((chunk) => chunk.isEntry);
  const first = entry ? below(entry.fileName) : new Set<string>();
  const of = (screen: string) => {
    const chunk = chunks.find((part) => part.facadeModuleId?.endsWith(`/screens/${screen}/screen.tsx`));
    return chunk ? [...below(chunk.fileName)].filter((name) => !first.has(name)) : [];
  };
  const files: string[] = [];
  const place = (name: string) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1);
  const outside = new Set<string>(OUTSIDE);
  const folderOf = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const routes = Object.entries(patterns).map(([key, pattern]) => {
    const screen = folderOf(key);
    const names = new Set([...(outside.has(key) ? [] : of('root')), ...of(screen)]);
    return [pattern, [...names].map(place)] as const;
  });
  const paths = Object.fromEntries(OUTSIDE.map((id) => [id, patterns[id]]));
  const more = Object.fromEntries(
    Object.entries(patterns).flatMap(([key, pattern]) => {
      const parts = partsOf(folderOf(key));
      return parts.length > 0 ? [[pattern, parts] as const] : [];
    }),
  );
  return { first: [...first], files, routes: Object.fromEntries(routes), outside: paths, more };
}

const stylesOf = (file: { type: string; source?: string | Uint8Array } | undefined): string =>
  String(file?.source).trim();

const attribute = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Puts the theme variables (one source: the contract's tokens) into index.html; before Vite's own turn, which minifies them. */
function themeVariables(): Plugin {
  return {
    name: 'kist-theme-variables',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('/*light*/', tokenVars('light')).replace('/*dark*/', tokenVars('dark')),
    },
  };
}

/**
 * Vite leaves a page's own scripts, remarks and indents as they are. Scripts into ES5, as they were written: backticks would keep an old WebView from its update
 * page. `<!--sheets-->` is a place, not a remark.
 */
const minified = (html: string): string =>
  html
    .replaceAll(/(?<=<script>)[\s\S]+?(?=<\/script>)/g, (text) =>
      transformSync(text, { minify: true, target: 'es5' }).code.trim(),
    )
    .replaceAll(/<!-- [\s\S]*? -->/g, '')
    .replaceAll(/\s*\n\s*/g, '\n');

/** What index.html asks of the server while the app's code is on its way: a script of the page itself. */
function earlyScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src/api/early.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'chrome111',
    write: false,
  });
  return outputFiles.map(({ text }) => text.trim()).join('');
}

/** By the pattern of its address, what a screen asks first (src/api/first-reads.ts). */
function firstReads(): Record<string, PlainCall[]> {
  const screens = Object.entries(FIRST_READS) as [keyof typeof patterns, (customerId: string) => CallArgs[]][];
  return Object.fromEntries(screens.map(([id, reads]) => [patterns[id], reads(CUSTOMER_MARK).map(plainCall)]));
}

/** Vite's wrapper of every `import()` preloads what it brings along; index.html and the service worker do that here, and the wrapper would be 3 KB in the first bundle. */
function plainImports(): Plugin {
  return {
    name: 'kist-plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
  };
}

/**
 * Fills index.html with locale versions and files, and puts the styles themselves below the static shell, which paints before they are read: the page comes while
 * the line waits for the first answer to what it asks for, and a file of their own would come behind that, with all the code. The entry's own tags go: index.html
 * starts it.
 */
function shell(): Plugin {
  const inPage: string[] = [];
  return {
    name: 'kist-shell',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const name of inPage) delete bundle[name];
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const { versions, front } = locales();
        const routes = routeFiles(bundle);
        const filled = html
          .replace('{locale-versions}', () => attribute(versions))
          .replace('{front}', () => attribute(front))
          .replace('{route-files}', () => attribute(routes))
          .replace("'{first-files}'", () => routes.first.map((name) => `'${name}'`).join())
          .replace('{first-reads}', () =>
            attribute({ who: plainCall(FIRST_OF_ALL), of: firstReads(), mark: CUSTOMER_MARK }),
          );
        if (!bundle) return filled;
        const started = minified(filled)
          .replace(/\s*<script type="module"[^>]*><\/script>/, '')
          .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '');
        const asking = `<script>${earlyScript()}</script>`;
        return started
          .replaceAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/g, (_link, name: string) => {
            inPage.push(name);
            return '';
          })
          .replace('</head>', () => `${asking}</head>`)
          .replace('<!--sheets-->', () => inPage.map((name) => `<style>${stylesOf(bundle[name])}</style>`).join(''));
      },
    },
  };
}

/** What the worker keeps of `assets/` once it was opened, and does not fetch ahead. The worker's own pattern below says the same: it names nothing from here. */
const KEPT_ONCE_OPENED =
  /^assets\/(screen-away|signing|install-hint|text-form|words-form|asked-of-two|waiting-list|rung|erased|erase-asked|upi-codes|paper-picture)-.*\.js$/;
/** Of two builds, for those of the one before go only when others push them out. */
const KEPT_FILES = 90;

/** More files than the worker keeps would push each other out, and be away without a network although they were opened. */
function roomForKept(): Plugin {
  return {
    name: 'kist-room-for-kept',
    apply: 'build',
    generateBundle(_options, bundle) {
      const count = Object.keys(bundle).filter((name) => KEPT_ONCE_OPENED.test(name)).length;
      if (count * 2 > KEPT_FILES) this.error(`screens-away keeps ${KEPT_FILES} files, two builds have ${count * 2}`);
    },
  };
}

export default defineConfig({
  root,
  define: { __BUILT_AT__: JSON.stringify(new Date().toISOString()), __APP_VERSION__: JSON.stringify(version) },
  plugins: [
    react(),
    tailwindcss(),
    themeVariables(),
    shell(),
    plainImports(),
    namedReact(),
    shakenRouter(),
    roomForKept(),
    VitePWA({
      injectRegister: null,
      registerType: 'prompt',
      filename: 'sw.js',
      // Name, colours and icons are the organisation's: public/manifest.webmanifest is what a server without one of its own serves, and no build keeps it.
      manifest: false,
      workbox: {
        // Half of the repair of the dead Reload button (the other half: src/offline/updates.ts).
        clientsClaim: true,
        globPatterns: ['**/*.{html,js,css}'],
        // Heavy parts load on use only and stay out of the 320 KB precache; so does what only a page without https needs, which has no worker.
        globIgnores: [
          '**/leaflet*',
          '**/scanner*',
          '**/screen-away-*',
          // Two of those share it; and what tells how to install, which needs a network.
          '**/signing-*',
          '**/install-hint-*',
          '**/text-form-*',
          '**/words-form-*',
          // Of what waits for a second person, and of what the bell tells, nothing is kept on this phone.
          '**/asked-of-two-*',
          '**/waiting-list-*',
          '**/rung-*',
          // Looks for a newer build, which needs the network too.
          '**/updates-*',
          // What is erased, and of whom: it needs the network.
          '**/erased-*',
          '**/erase-asked-*',
          // The words of a reminder, which the server tells.
          '**/remind-asked-*',
          // What is scanned to pay a shop: its own picture is the server's.
          '**/upi-codes-*',
          // Draws a receipt that the server has numbered.
          '**/paper-picture-*',
          '**/*.wasm',
          '**/soft-crypto*',
          // A demo's codes, which its server tells.
          '**/demo-otp-*',
          'update-page.js',
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: SERVER_NAVIGATIONS,
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/locales/'),
            handler: 'CacheFirst',
            options: {
              cacheName: 'locales',
              expiration: { maxEntries: 24 },
              // A captive portal answers 200 with its own page: kept, it would take a language's words away for good. Runs in the worker: it names nothing from here.
              plugins: [
                {
                  cacheWillUpdate: async ({ response }) =>
                    response.ok && /json/.test(response.headers.get('content-type') ?? '') ? response : null,
                },
              ],
            },
          },
          // Once opened it is had without a network too.
          {
            urlPattern: ({ url, sameOrigin }) =>
              sameOrigin &&
              /^\/assets\/(screen-away|signing|install-hint|text-form|words-form|asked-of-two|waiting-list|rung|erased|erase-asked|upi-codes|paper-picture)-/.test(
                url.pathname,
              ),
            handler: 'CacheFirst',
            options: {
              cacheName: 'screens-away',
              expiration: { maxEntries: KEPT_FILES },
              plugins: [
                {
                  cacheWillUpdate: async ({ response }) =>
                    response.ok && /javascript/.test(response.headers.get('content-type') ?? '') ? response : null,
                },
              ],
            },
          },
        ],
      },
    }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'chrome111',
    // index.html preloads the route's own files and the service worker fetches the rest: the map of what each needs would cost 2 KB in the first bundle.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) => (hostType === 'html' ? needed : []),
    },
    rolldownOptions: {
      output: {
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId && isAway(facadeModuleId) ? 'assets/screen-away-[hash].js' : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|rolldown[/:]runtime/ },
            // What login needs too, with the libraries that everything begins with: over HTTP/1.1 a phone fetches six files at a time, and each file more is a place
            // in the next six (562 ms on a slow line). What login does not need must not share a file with what it does.
            {
              name: 'front',
              test: /^\0named:|node_modules\/(react-router|i18next|react-i18next)\/|web\/src\/(ui\/(avatar|button|cx|field|icon|icon-paths|link|spinner|text-field)\.|widgets\/(outside-frame|sign-in|use-problem|in-background)|api\/(errors|error-text|use-send)|i18n\/mobile|native\/when-idle|state\/(phone-clock|passkey\.|lost-code|kept-here))/,
            },
            // The store and what asks the server through it: two files, which come side by side.
            {
              name: 'state',
              test: /node_modules\/(@reduxjs\/toolkit\/dist\/(?!query)|react-redux|redux|redux-thunk|reselect|immer)\/?/,
            },
            { name: 'query', test: /node_modules\/@reduxjs\/toolkit\/dist\/query\// },
            { name: 'leaflet', test: /node_modules\/leaflet\// },
            {
              name: 'data',
              test: /web\/src\/(api\/(?!errors|error-text|use-send)|state\/(?!storage|session|ids|passkey|phone-clock|lost-code|kept-here|typed)|offline\/(?!updates)|i18n\/(formats|time-words))/,
              minShareCount: 2,
            },
            // What every screen inside has, and the sheets that some of them open: a file each, for small files compress badly and each names what it takes
            // of all others (9 KB of the precache).
            {
              name: 'inside',
              test: /contract\/src\/(emi-limits|imei|erased|upi)\.|web\/src\/(state\/typed\.|ui\/(?!toast\.ts)|widgets\/(screen|use-access|abilities|query-view|late|code-lost|money|state-chips|use-search-text|search-button|customer-frame|contact-buttons|instalment-bar|kept-\w+|pane|phone-reads|money-reads|place-choices|queued-payments|let-go|shop-field|no-keys)\.|native\/(share|haptics|contacts|geolocation))/,
              minShareCount: 2,
            },
            // What a sale holds from its first step to its last of clause, code and signature; what shows them comes with the later steps.
            {
              name: 'consent',
              test: /web\/src\/widgets\/(clause|consent-field|use-consent-code|drawing|signature-image)\./,
              minShareCount: 2,
            },
            {
              name: 'sheets',
              test: /web\/src\/widgets\/(collect\/(?!paper-picture)|remind-button|claim|consent|rule-text|certificate|purchases|sent-code)/,
              minShareCount: 2,
            },
            // And what is below the fold of a customer's page.
            {
              name: 'below',
              test: /web\/src\/(screens\/customer-details\/(below|device-card|history|holds|message-sheet|orders|person-card|switches|theft|check-status)|widgets\/(customer-data|disputes\/|exchange-phone|cancel-agreement|unclaim-phone|save-file|erase-data|edit-person))/,
            },
            { name: 'updates', test: /web\/src\/offline\/(updates|keep-own)\./ },
            // Camera, paper and pictures: what a sale gets while its first step is filled in.
            {
              name: 'papers',
              test: /signature_pad\/|web\/src\/(widgets\/(signature-pad|signature-capture|signing|consent-code|resend-button|papers\/|scan\/(?!scanner))|native\/images)/,
              minShareCount: 2,
            },
            { name: 'scanner', test: /node_modules\/(barcode-detector|zxing-wasm)\// },
          ],
        },
      },
    },
  },
  server: { proxy: serverProxy(server) },
});
