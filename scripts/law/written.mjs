import path from 'node:path';
import { CONTRACT, FUNCTIONS_FIT_IN, FUNCTION_LINES, PACKAGES, ROOMS } from './law.mjs';

/** @typedef {import('./law.mjs').Room} Room */

const TESTS = ['**/*.test.ts', '**/*.test.tsx'];

const COMMON = [
  { regex: '^\\.\\.(/|$)|/\\.\\./', message: "No climbing: './' inside a folder, '#alias/' across." },
  { regex: '(^\\.|/|/index(\\.tsx?)?)$', message: 'No barrel files: import the file that defines it.' },
];

/**
 * @typedef {{ files: string[], excludeFiles?: string[], rules: object }} Zone
 * @param {Room} room
 * @returns {Zone} its entry among the overrides of .oxlintrc.json
 */
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
const CONTRACT_ZONES = [
  {
    files: CONTRACT.files,
    excludeFiles: TESTS,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...COMMON,
            {
              group: ['*', ...CONTRACT.may.map((one) => (one.endsWith('/') ? `!${one}**` : `!${one}`))],
              message: 'The contract imports zod and itself, nothing else.',
            },
          ],
        },
      ],
    },
  },
  {
    files: CONTRACT.testFiles,
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
export const overrides = () => [...zones(), { files: FUNCTIONS_FIT_IN, excludeFiles: TESTS, rules: FUNCTION_RULE }];

/** @returns {Zone[]} the rooms alone: the contract's two, then those of the table, in its order */
const zones = () => [...CONTRACT_ZONES, ...ROOMS.map(overrideOf)];

/**
 * @param {string} file
 * @returns {('contract' | 'tests of the contract' | Room)[]} the rooms in which it stands: one, or the law has a hole
 */
export function roomsOf(file) {
  const rooms = /** @type {const} */ (['contract', 'tests of the contract', ...ROOMS]);
  return zones().flatMap(({ files, excludeFiles = [] }, index) => {
    const room = rooms[index];
    return room && matches(file, files) && !matches(file, excludeFiles) ? [room] : [];
  });
}

/** A pattern without a folder means files of every folder, as in oxlint. @param {string} file @param {string[]} patterns */
const matches = (file, patterns) =>
  patterns.some((pattern) => path.matchesGlob(file, pattern.includes('/') ? pattern : `**/${pattern}`));
