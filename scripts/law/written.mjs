import { FUNCTIONS_FIT_IN, FUNCTION_LINES, PACKAGES, ROOMS, SLICES, WINDOWS } from './law.mjs';

/** @typedef {import('./law.mjs').Room} Room */

const TESTS = ['**/*.test.ts', '**/*.test.tsx'];

const COMMON = [
  { regex: '^\\.\\.(/|$)|/\\.\\./', message: "No climbing: './' inside a folder, '#alias/' across." },
  { regex: '(^\\.|/|/index(\\.tsx?)?)$', message: 'No barrel files: import the file that defines it.' },
];

/** @param {Room} room @returns {object} its entry among the overrides of .oxlintrc.json */
function overrideOf(room) {
  const others = PACKAGES.filter((name) => name !== 'contract');
  const strangers = others.filter((name) => name !== room.alias);
  const entries = room.entries ?? [];
  const published = others.filter((name) => !entries.some((entry) => entry.startsWith(`@kist/${name}/`)));
  const message = 'Packages meet in the contract only, and a file of one’s own package has a shorter name.';
  const patterns = [
    ...COMMON,
    { regex: `^(@kist/(${published.join('|')})|#(${strangers.join('|')}))(/|$)`, message },
    ...(entries.length > 0
      ? [{ group: ['@kist/**', '!@kist/contract/**', ...entries.map((entry) => `!${entry}`)], message: room.why }]
      : []),
    // Before the list of what may be: where that takes an import in, oxlint asks nothing after it.
    ...(room.never ?? []),
    ...(room.may
      ? [
          {
            group: [
              `#${room.alias}/**`,
              ...(room.contract === false ? ['@kist/contract', '@kist/contract/**'] : []),
              ...room.may.map((one) => (one.endsWith('/') ? `!${one}**` : `!${one}`)),
            ],
            message: room.why,
          },
        ]
      : []),
  ];
  return {
    files: room.files,
    ...(room.tests ? {} : { excludeFiles: [...TESTS, ...(room.except ?? [])] }),
    ...(room.tests && room.except ? { excludeFiles: room.except } : {}),
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

/** The contract's own: it imports zod and itself, its tests also what tests need. */
const CONTRACT = [
  {
    files: ['packages/contract/src/**/*.ts'],
    excludeFiles: TESTS,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...COMMON,
            {
              group: ['*', '!zod', '!zod/**', '!./**', '!#contract/**'],
              message: 'The contract imports zod and itself, nothing else.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['packages/contract/src/**/*.test.ts', 'packages/contract/test/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...COMMON,
            { regex: '^(@kist/|#)(server|web|simulator)(/|$)', message: 'Packages meet in the contract only.' },
          ],
        },
      ],
    },
  },
];

/** How long a function may be, as oxlint reads it. */
export const FUNCTION_RULE = {
  'max-lines-per-function': ['error', { max: FUNCTION_LINES, skipBlankLines: true, skipComments: true }],
};

/** The rules that are written from the law and by nobody's hand. */
export const WRITTEN_RULES = ['no-restricted-imports', ...Object.keys(FUNCTION_RULE)];

/** @returns {object[]} the law as oxlint reads it, one room a zone, no file in two of them; and the size of functions */
export const overrides = () => [
  ...CONTRACT,
  ...ROOMS.map(overrideOf),
  { files: FUNCTIONS_FIT_IN, excludeFiles: TESTS, rules: FUNCTION_RULE },
];

/** @returns {string} the law as people read it: the part of AGENTS.md between its marks */
export function page() {
  const windows = Object.entries(WINDOWS).map(([slice, files]) => `${slice}: ${files.join(', ')}`);
  return [
    '| from | may import | never |',
    '| --- | --- | --- |',
    '| contract | zod, itself | node, dom, anything of ours |',
    '| platform | npm, node, itself | a slice |',
    '| a slice | contract, platform, its own files, the doors of the slices before it | a later slice, an inside of another, http, jobs, adapters |',
    '| commands/adapters/x | contract, platform, `commands/adapter.ts` | slices, other adapters |',
    '| http, jobs, cli, demo | contract, platform, doors of all slices | stores and insides, adapters, each other |',
    '| simulator, e2e, scripts | contract | server, web |',
    '| bench, sim | contract, `@kist/server/measured`, `@kist/simulator/measured` | anything else of server, simulator, web |',
    '| screens, widgets | contract, ui, widgets, api, offline, i18n, native, state, theme | another screen (a widget: any), `../`, server |',
    '| api, offline, i18n, native, state, theme | contract, each other | markup |',
    '| ui | itself | everything else of ours |',
    '',
    `The slices, each before those that may use it: ${SLICES.join(' → ')}.`,
    '',
    'A slice has one door, `<slice>/<slice>.ts`. Windows from before there were doors, which only become fewer:',
    ...windows.map((line) => `- ${line}`),
  ].join('\n');
}
