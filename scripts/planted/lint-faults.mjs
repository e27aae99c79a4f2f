/** A function of so many lines, its first and last among them. @param {number} count */
const functionOf = (count) =>
  `export function planted(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(count - 4)}  return sum;\n}\n`;
const lines = (/** @type {number} */ count) => `${'export {};\n'}${'// line\n'.repeat(count - 1)}`;

/**
 * One fault per further lint rule, and beside the sizes the largest file that still passes.
 * @type {{ name: string, rule: string, file: string, source: string, passes?: boolean, also?: [file: string, source: string] }[]}
 */
export const lintFaults = [
  {
    name: 'cycle between two slices',
    rule: 'import(no-cycle)',
    file: 'packages/server/src/payments/planted-cycle.ts',
    source: "import { b } from '#server/agreements/planted-cycle.ts';\nexport const a = (): number => b() + 1;\n",
    also: [
      'packages/server/src/agreements/planted-cycle.ts',
      "import { a } from '#server/payments/planted-cycle.ts';\nexport const b = (): number => a() + 1;\n",
    ],
  },
  {
    name: 'floating promise',
    rule: 'typescript(no-floating-promises)',
    file: 'packages/server/src/payments/planted-promise.ts',
    source: 'async function pay(): Promise<void> {}\nexport function run(): void {\n  pay();\n}\n',
  },
  {
    name: 'switch that forgets a case',
    rule: 'typescript(switch-exhaustiveness-check)',
    file: 'packages/server/src/payments/planted-switch.ts',
    source:
      "export function word(level: 'free' | 'locked'): void {\n  switch (level) {\n    case 'free':\n      return;\n  }\n}\n",
  },
  {
    name: 'file name not in kebab-case',
    rule: 'unicorn(filename-case)',
    file: 'packages/web/src/ui/PlantedButton.tsx',
    source: 'export const planted = 1;\n',
  },
  {
    name: 'file of 401 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/server/src/payments/planted-long.ts',
    source: lines(401),
  },
  {
    name: 'file of 400 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/server/src/payments/planted-full.ts',
    source: lines(400),
    passes: true,
  },
  {
    name: 'test of 601 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/server/src/payments/planted-long.test.ts',
    source: lines(601),
  },
  {
    name: 'test of 600 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/server/src/payments/planted-full.test.ts',
    source: lines(600),
    passes: true,
  },
  ...[
    { folder: 'packages/server/src/payments', called: 'a slice' },
    { folder: 'packages/server/src', called: 'the composition root' },
    ...['contract', 'simulator', 'web'].map((name) => ({ folder: `packages/${name}/src`, called: name })),
  ].flatMap(({ folder, called }) => [
    {
      name: `function of 51 lines in ${called}`,
      rule: 'eslint(max-lines-per-function)',
      file: `${folder}/planted-function.ts`,
      source: functionOf(51),
    },
    {
      name: `function of 50 lines, blank ones and comments beside, in ${called}`,
      rule: 'eslint(max-lines-per-function)',
      file: `${folder}/planted-fitting.ts`,
      source: functionOf(50).replace('\n', '\n\n  // Why.\n'),
      passes: true,
    },
  ]),
  {
    name: 'test of 51 lines',
    rule: 'eslint(max-lines-per-function)',
    file: 'packages/server/src/payments/planted-function.test.ts',
    source: functionOf(51),
    passes: true,
  },
  {
    name: 'contract table of 900 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/contract/src/planted-table.ts',
    source: lines(900),
    passes: true,
  },
  {
    name: 'fixture of 900 lines',
    rule: 'eslint(max-lines)',
    file: 'packages/server/test/fixtures/planted.ts',
    source: lines(900),
    passes: true,
  },
  {
    name: 'barrel file',
    rule: 'oxc(no-barrel-file)',
    file: 'packages/server/src/payments/planted-barrel.ts',
    source: "export * from './planted-target.ts';\n",
    also: ['packages/server/src/payments/planted-target.ts', 'export const target = 1;\n'],
  },
  {
    name: 'default export',
    rule: 'import(no-default-export)',
    file: 'packages/web/src/ui/planted-default.tsx',
    source: 'export default function Planted(): null {\n  return null;\n}\n',
  },
  {
    name: 'any',
    rule: 'typescript(no-explicit-any)',
    file: 'packages/server/src/payments/planted-any.ts',
    source: 'export const anything: any = 1;\n',
  },
  {
    name: 'focused test',
    rule: 'vitest(no-focused-tests)',
    file: 'packages/server/src/payments/planted-focused.test.ts',
    source: "import { expect, it } from 'vitest';\nit.only('adds', () => expect(1 + 1).toBe(2));\n",
  },
  {
    name: 'skipped test',
    rule: 'vitest(no-disabled-tests)',
    file: 'packages/server/src/payments/planted-skipped.test.ts',
    source: "import { expect, it } from 'vitest';\nit.skip('adds', () => expect(1 + 1).toBe(2));\n",
  },
  {
    name: 'mocked module',
    rule: 'vitest(no-restricted-vi-methods)',
    file: 'packages/server/src/payments/planted-mock.test.ts',
    source: "import { vi } from 'vitest';\nvi.mock('./payments.ts');\n",
  },
  {
    name: 'note to self',
    rule: 'eslint(no-warning-comments)',
    file: 'packages/server/src/payments/planted-note.ts',
    source: `// ${'TO'}${'DO'} later\nexport const later = 1;\n`,
  },
  {
    name: 'silenced type error',
    rule: 'typescript(ban-ts-comment)',
    file: 'packages/server/src/payments/planted-silenced.ts',
    source: '// @ts-ignore\nexport const wrong: string = 1;\n',
  },
];
