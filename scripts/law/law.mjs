/**
 * The import law, once: who may import what. `.oxlintrc.json`, the page in AGENTS.md and the planted faults are written from
 * this table (`npm run law`); change it here.
 */

/**
 * The slices, from the one that all may use to those that use others: a slice imports the doors of those before it.
 * The door of a slice is `<slice>/<slice>.ts`; nothing else of it is imported from outside, but for the windows below.
 */
export const SLICES = [
  'audit',
  'organisations',
  'catalogue',
  'identity',
  'ledger',
  'customers',
  'devices',
  'wallet',
  'agreements',
  'documents',
  'commands',
  'notices',
  'locking',
  'payments',
  'sales',
  'reports',
];

/** What is imported of a slice beside its door, from before there were doors. The list only shrinks: nobody adds to it, and one that nobody uses is a fault. */
export const WINDOWS = {
  commands: ['adapter.ts', 'history.ts', 'offered.ts', 'plane.ts', 'reconcile.ts', 'wake.ts'],
  devices: ['changes.ts', 'codes.ts', 'desired.ts', 'enrolment.ts'],
  locking: ['deps.ts', 'fleet.ts', 'invariants.ts', 'policies.ts'],
  notices: [
    'notifications.ts',
    'providers/gateway.ts',
    'providers/http-gateway.ts',
    'providers/provider.ts',
    'receipts.ts',
    'sender.ts',
  ],
};

const SERVER = 'packages/server/src';
const WEB = 'packages/web/src';

/** What bench and sim may import beside the contract: the two packages name there what is measured, or breaks. */
const MEASURED = ['@kist/server/measured', '@kist/simulator/measured'];

/** @param {string} slice @returns {string[]} what others may import of it */
export const openingsOf = (slice) =>
  [`${slice}.ts`, ...(/** @type {Record<string, string[]>} */ (WINDOWS)[slice] ?? [])].map(
    (file) => `#server/${slice}/${file}`,
  );
const ALL_OPENINGS = SLICES.flatMap(openingsOf);

/**
 * @typedef {object} Room
 * @property {string} name
 * @property {string} [row] its name on the page, where several rooms have one
 * @property {string} folder where a fault is planted
 * @property {string[]} files which files stand in it
 * @property {string[]} [except]
 * @property {'server' | 'web' | 'simulator' | 'contract' | 'none'} alias the package whose `#alias/…` it imports
 * @property {string[]} [may] of its own package, as file names or folders that end in `/`; absent: everything
 * @property {string[]} [entries] what other packages offer to it alone: `@kist/<package>/<entry>` of their `exports`
 * @property {boolean} [contract] false: not even the contract
 * @property {boolean} [tests] false: the room's tests are in another room
 * @property {{ regex: string, message: string }[]} [never] beside that
 * @property {string} why
 */

/** @type {Room[]} */
export const ROOMS = [
  {
    name: 'platform',
    folder: `${SERVER}/platform`,
    files: [`${SERVER}/platform/**/*.ts`],
    alias: 'server',
    may: ['#server/platform/'],
    why: 'The platform knows no business: it imports npm, node and itself.',
  },
  ...SLICES.map((slice, place) => ({
    name: `slice ${slice}`,
    row: 'a slice',
    folder: `${SERVER}/${slice}`,
    files: [`${SERVER}/${slice}/**/*.ts`],
    except: slice === 'commands' ? [`${SERVER}/commands/adapters/**`] : [],
    alias: /** @type {const} */ ('server'),
    may: ['#server/platform/', `#server/${slice}/`, ...SLICES.slice(0, place).flatMap(openingsOf)],
    never:
      slice === 'commands'
        ? [
            {
              regex: '^(\\./|#server/commands/)adapters/',
              message: 'The command plane knows no vendor: an adapter is given to it.',
            },
          ]
        : [],
    why: 'A slice imports the platform, its own files and the doors of the slices before it: see scripts/law/law.mjs.',
  })),
  {
    name: 'adapter folder',
    row: 'commands/adapters/x',
    folder: `${SERVER}/commands/adapters/vendor`,
    files: [`${SERVER}/commands/adapters/*/**/*.ts`],
    alias: 'server',
    may: ['#server/platform/', '#server/commands/adapter.ts'],
    why: 'An adapter imports the contract, the platform and commands/adapter.ts: no slice, no other adapter.',
  },
  {
    name: 'http',
    folder: `${SERVER}/http`,
    files: [`${SERVER}/http/**/*.ts`],
    alias: 'server',
    may: ['#server/platform/', '#server/http/', ...ALL_OPENINGS],
    why: 'HTTP calls the doors of slices: no store, no adapter, no job.',
  },
  {
    name: 'jobs',
    folder: `${SERVER}/jobs`,
    files: [`${SERVER}/jobs/**/*.ts`],
    alias: 'server',
    may: ['#server/platform/', '#server/jobs/', ...ALL_OPENINGS],
    why: 'A job calls the doors of slices: no store, no adapter, no HTTP.',
  },
  {
    name: 'demo',
    folder: `${SERVER}/demo`,
    files: [`${SERVER}/demo/**/*.ts`],
    alias: 'server',
    may: [
      '#server/platform/',
      '#server/demo/',
      '#server/compose.ts',
      '#server/jobs/daily-run.ts',
      '#server/http/app-types.ts',
      ...ALL_OPENINGS,
    ],
    why: 'The demo shop is made by the services that would have lived it: no store, no adapter.',
  },
  {
    name: 'command line',
    folder: `${SERVER}/cli`,
    files: [`${SERVER}/cli/**/*.ts`],
    alias: 'server',
    may: [
      '#server/platform/',
      '#server/cli/',
      '#server/compose.ts',
      '#server/config.ts',
      '#server/config-production.ts',
      '#server/config-secrets.ts',
      '#server/http/openapi.ts',
      ...ALL_OPENINGS,
    ],
    why: 'The command line calls the doors of slices: no store, no adapter.',
  },
  {
    name: 'composition root and tests',
    folder: SERVER,
    files: [`${SERVER}/*.ts`, `${SERVER}/**/*.test.ts`, 'packages/server/test/**/*.ts', 'packages/server/*.ts'],
    alias: 'server',
    tests: true,
    entries: ['@kist/simulator/measured'],
    why: 'The composition root knows everything; tests meet the vendors that the simulator plays.',
  },
  {
    name: 'simulator',
    folder: 'packages/simulator/src/phones',
    files: ['packages/simulator/**/*.{ts,tsx,js}'],
    alias: 'simulator',
    tests: true,
    why: 'The simulator knows the contract only.',
  },
  ...['e2e', 'bench', 'sim'].map((folder) => ({
    name: folder,
    row: folder === 'e2e' ? 'e2e, scripts' : folder,
    folder,
    files: folder === 'e2e' ? ['e2e/**/*.ts', 'scripts/**/*.mjs', '*.config.ts'] : [`${folder}/**/*.{ts,mjs}`],
    except: ['packages/**'],
    alias: /** @type {const} */ ('none'),
    tests: true,
    entries: folder === 'e2e' ? [] : MEASURED,
    why: 'What drives the product from outside imports the contract, and to measure what the packages offer for that.',
  })),
  {
    name: 'ui',
    folder: `${WEB}/ui`,
    files: [`${WEB}/ui/**/*.{ts,tsx}`],
    alias: 'web',
    may: ['#web/ui/'],
    contract: false,
    tests: true,
    why: 'ui/ knows nothing: no domain, no api, no words of the shop.',
  },
  {
    name: 'widgets',
    folder: `${WEB}/widgets`,
    files: [`${WEB}/widgets/**/*.{ts,tsx}`],
    alias: 'web',
    may: ['ui/', 'widgets/', 'api/', 'offline/', 'i18n/', 'native/', 'state/', 'theme/', 'paths.ts'].map(inWeb),
    tests: true,
    why: 'A widget serves screens; it never imports one.',
  },
  {
    name: 'screens',
    folder: `${WEB}/screens/login`,
    files: [`${WEB}/screens/**/*.{ts,tsx}`],
    alias: 'web',
    may: ['ui/', 'widgets/', 'api/', 'offline/', 'i18n/', 'native/', 'state/', 'theme/', 'paths.ts'].map(inWeb),
    tests: true,
    why: 'A screen never imports another screen: shared parts are widgets.',
  },
  ...['api', 'offline', 'i18n', 'native', 'state', 'theme'].map((folder) => ({
    name: folder,
    folder: `${WEB}/${folder}`,
    files: [`${WEB}/${folder}/**/*.{ts,tsx}`],
    alias: /** @type {const} */ ('web'),
    may: ['api/', 'offline/', 'i18n/', 'native/', 'state/', 'theme/', 'paths.ts'].map(inWeb),
    tests: true,
    why: 'api, offline, i18n, native, state and theme stand below the markup.',
  })),
  {
    name: 'web root',
    folder: WEB,
    files: [`${WEB}/*.{ts,tsx}`, 'packages/web/test/**/*.{ts,tsx}', 'packages/web/*.ts', 'packages/web/public/**/*.js'],
    alias: 'web',
    tests: true,
    why: 'The app’s own root knows all of the app.',
  },
];

/** @param {string} name */
function inWeb(name) {
  return `#web/${name}`;
}

/** What the contract may import, which names nothing else of anybody. */
export const CONTRACT = {
  files: ['packages/contract/src/**/*.ts'],
  may: ['zod', 'zod/', './', '#contract/'],
  testFiles: ['packages/contract/src/**/*.test.ts', 'packages/contract/test/**/*.ts', 'packages/contract/*.ts'],
};

export const PACKAGES = ['contract', 'server', 'simulator', 'web'];

/** @param {Room} room @param {string} specifier @returns {boolean} what the table says, read another way than oxlint reads it */
export function isAllowed(room, specifier) {
  if ((room.never ?? []).some(({ regex }) => new RegExp(regex).test(specifier))) return false;
  if (specifier.startsWith('.')) return specifier.startsWith('./');
  const [, own, published] = /^(?:#(\w+)|@kist\/(\w+))(?:\/|$)/.exec(specifier) ?? [];
  const name = own ?? published;
  if (name === undefined || !PACKAGES.includes(name)) return true;
  if (name === 'contract') return room.contract !== false;
  if (published) return (room.entries ?? []).includes(specifier);
  if (name !== room.alias) return false;
  return !room.may || room.may.some((one) => (one.endsWith('/') ? specifier.startsWith(one) : specifier === one));
}

export const door = (/** @type {string} */ slice) => `#server/${slice}/${slice}.ts`;

/** One import of every kind of place: each is planted in each room. */
export const PLACES = [
  '@kist/contract/money',
  '@kist/server/main',
  '@kist/simulator/cli',
  '@kist/web/main',
  ...MEASURED,
  '#server/platform/clock.ts',
  ...SLICES.flatMap((slice) => [door(slice), `#server/${slice}/store.ts`, `#server/${slice}/rules/planted.ts`]),
  ...Object.entries(WINDOWS).map(([slice, [first]]) => `#server/${slice}/${first}`),
  '#server/commands/adapters/android-agent/android-agent.ts',
  '#server/http/app.ts',
  '#server/http/routes/auth.ts',
  '#server/jobs/daily-run.ts',
  '#server/demo/demo.ts',
  '#server/cli/command.ts',
  '#server/config.ts',
  '#server/compose.ts',
  '#web/ui/button.tsx',
  '#web/widgets/chip.tsx',
  '#web/screens/otp/screen.tsx',
  '#web/api/auth.ts',
  '#web/paths.ts',
  '#web/routes.tsx',
  '#web/main.tsx',
  './planted-neighbour.ts',
];

/** Where a function fits a screen: at most so many lines, neither blank nor comment. Tests are free. */
export const FUNCTION_LINES = 50;
export const FUNCTIONS_FIT_IN = ['packages/{contract,server,simulator,web}/src/**/*.{ts,tsx}'];
