// In two parts, or this file would be one that breaks the law itself.
const call = ['imp', 'ort'].join('');
const glob = [`${call}.meta`, 'glob'].join('.');

const COMPUTED = ': an import whose name is computed';
const may = (/** @type {string} */ specifier) => ` may not import ${specifier}`;

/**
 * What a file may not bring in past the linter, and what it may not say again. The linter sees import statements and import() of a plain text in code.
 * @type {{ file: string, source: string, fault?: string }[]} without a fault: left alone
 */
export const lawImports = [
  ...['packages/server/src/wallet', 'bench', 'sim', 'scripts/lib', 'e2e'].flatMap((folder) =>
    [
      { file: `${folder}/planted-import.mjs`, source: `await ${call}(process.argv[2]);\n`, fault: COMPUTED },
      { file: `${folder}/planted-import.mjs`, source: `await ${call}('node:' + process.argv[2]);\n`, fault: COMPUTED },
      { file: `${folder}/planted-import.mjs`, source: `await ${call} (\`#server/\${name}\`);\n`, fault: COMPUTED },
      { file: `${folder}/planted-import.mjs`, source: `await ${call}('node:fs');\n` },
    ].map((one) => (folder.startsWith('scripts') ? one : { ...one, file: one.file.replace('.mjs', '.ts') })),
  ),
  ...['bench', 'sim', 'e2e'].map((folder) => ({
    file: `${folder}/planted-import.ts`,
    source: `export type Planted = ${call}('@kist/server/main').Planted;\n`,
    fault: may('@kist/server/main'),
  })),
  {
    file: 'scripts/lib/planted-import.mjs',
    source: `/** @type {${call}('@kist/server/main').Planted} */\nexport const planted = 1;\n`,
    fault: may('@kist/server/main'),
  },
  {
    file: 'packages/server/src/wallet/planted-import.ts',
    source: `export type Planted = typeof ${call}('#server/sales/sales.ts');\n`,
    fault: may('#server/sales/sales.ts'),
  },
  {
    file: 'packages/server/src/wallet/planted-import.ts',
    source: `export type Planted = ${call}('#server/identity/store.ts').Planted;\n`,
    fault: may('#server/identity/store.ts'),
  },
  {
    file: 'packages/server/src/wallet/planted-import.ts',
    source: `export type Planted = ${call}('#server/identity/identity.ts').Planted;\n`,
  },
  {
    file: 'packages/web/src/screens/login/planted-import.ts',
    source: `export type Planted = ${call}("#web/screens/otp/screen.tsx").Screen;\n`,
    fault: may('#web/screens/otp/screen.tsx'),
  },
  {
    file: 'packages/contract/src/planted-import.ts',
    source: `export type Planted = ${call}('node:fs').Stats;\n`,
    fault: may('node:fs'),
  },
  {
    file: 'packages/web/src/widgets/planted-import.ts',
    source: `export const planted = ${glob}('../screens/*/screen.tsx');\n`,
    fault: ': import.meta.glob brings',
  },
  ...['24 * 3_600_000', '86400000', '5.5 * HOUR_MS', "'#3538A6'", 'level >= 3', "step.level === 3 ? 'kept' : ''"].map(
    (copy) => ({
      file: 'packages/server/src/wallet/planted-truth.ts',
      source: `export const planted = ${copy};\n`,
      fault: ' says ',
    }),
  ),
  { file: 'packages/server/src/wallet/planted-truth.test.ts', source: 'export const planted = 86_400_000;\n' },
  ...['packages/web/planted-folder/one.js', 'planted-root.mjs', 'packages/planted-package/src/one.ts'].map((file) => ({
    file,
    source: 'export const planted = 1;\n',
    fault: ' stands in no room',
  })),
];
