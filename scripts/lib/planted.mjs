import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyTree, plant } from '#scripts/planted/copy.mjs';
import { PLACES, ROOMS, isAllowed } from '#scripts/law/law.mjs';
import { contractLaw, refusedEverywhere } from '#scripts/planted/import-law.mjs';
import { lawImports } from '#scripts/planted/law-imports.mjs';
import { lintFaults } from '#scripts/planted/lint-faults.mjs';
import { typeFaults } from '#scripts/planted/type-faults.mjs';
import { KEPT_ALIVE } from './checkers.mjs';
import { docFaults } from './docs.mjs';
import { runTool } from './exec.mjs';
import { firstDifference } from './goldens.mjs';
import { lawFaults } from './law-files.mjs';
import { lockfileFaults } from './lockfile.mjs';
import { printResult } from './results.mjs';
import { runVitest } from './vitest.mjs';

/**
 * @typedef {{ name: string, holds: boolean }} Proof one planted fault that its checker reported, or one correct file that
 *   it left alone
 */

/**
 * Plants one fault for every rule in a copy of the tree and proves that each checker reports it; prints as it goes.
 * @param {string} [only] checkers that have this word in their name
 * @returns {Promise<import('./results.mjs').Result[]>} one result per checker
 */
export async function checkPlanted(only = '') {
  const copy = copyTree();
  try {
    const checkers = {
      'import law': lawProofs,
      'lint rules': lintProofs,
      types: typeProofs,
      'dead code': knipProofs,
      format: formatProofs,
      'test runner': vitestProofs,
      'golden files': goldenProofs,
      lockfile: lockfileProofs,
      documents: docProofs,
      'written law': writtenLawProofs,
    };
    const results = [];
    for (const [name, prove] of Object.entries(checkers).filter(([of]) => of.includes(only))) {
      const started = performance.now();
      const proofs = await prove(copy);
      const broken = proofs.filter(({ holds }) => !holds);
      const result = {
        name: `planted faults: ${name}`,
        passed: proofs.length - broken.length,
        failed: broken.length,
        elapsedMs: performance.now() - started,
        output: broken.map((proof) => `not as planted: ${proof.name}`).join('\n'),
      };
      printResult(result);
      results.push(result);
    }
    return results;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** @param {string} copy */
async function lawProofs(copy) {
  const { folder: contract, refused, allowed } = contractLaw;
  const cases = [
    ...[...refused, ...refusedEverywhere].map((specifier) => cell('contract', contract, specifier, true)),
    ...allowed.map((specifier) => cell('contract', contract, specifier, false)),
    ...ROOMS.flatMap((room) => [
      ...refusedEverywhere.map((specifier) => cell(room.name, room.folder, specifier, true)),
      ...PLACES.map((specifier) => cell(room.name, room.folder, specifier, !isAllowed(room, specifier))),
      ...['fastify', 'node:fs'].map((specifier) => cell(room.name, room.folder, specifier, false)),
    ]),
  ];
  const files = cases.map(({ folder, specifier }, index) => {
    const file = `${folder}/planted-import-${index}.ts`;
    // Every third as a type, every third as a dynamic import: the law knows no side door.
    const forms = [
      `import { thing } from '${specifier}';\nexport const planted = thing;\n`,
      `import type { Thing } from '${specifier}';\nexport const planted: Thing[] = [];\n`,
      `export const planted = await import('${specifier}');\n`,
    ];
    plant(copy, file, forms[index % forms.length] ?? '');
    return file;
  });
  const reported = await lint(copy);
  files.forEach((file) => rmSync(path.join(copy, file)));
  return cases.map(({ room, specifier, isRefused }, index) => ({
    name: `${room} ${isRefused ? 'must not' : 'may'} import ${specifier}`,
    holds: reported.has(`${files[index]} eslint(no-restricted-imports)`) === isRefused,
  }));
}

/** @param {string} room @param {string} folder @param {string} specifier @param {boolean} isRefused */
const cell = (room, folder, specifier, isRefused) => ({ room, folder, specifier, isRefused });

/** @param {string} copy */
async function lintProofs(copy) {
  for (const { file, source, also } of lintFaults) {
    plant(copy, file, source);
    if (also) plant(copy, ...also);
  }
  const reported = await lint(copy);
  lintFaults.forEach(({ file, also }) => [file, also?.[0]].forEach((name) => name && rmSync(path.join(copy, name))));
  return lintFaults.map(({ name, rule, file, passes = false }) => ({
    name: `${name} (${rule})`,
    holds: reported.has(`${file} ${rule}`) === !passes,
  }));
}

/**
 * @param {string} copy
 * @returns {Promise<Set<string>>} `file rule` of every finding
 */
async function lint(copy) {
  const { stdout } = await runTool('oxlint', ['-f', 'json'], { cwd: copy });
  /** @type {{ diagnostics: { filename: string, code: string }[] }} */
  const { diagnostics } = JSON.parse(stdout);
  return new Set(diagnostics.map(({ filename, code }) => `${filename} ${code}`));
}

/** @param {string} copy */
async function typeProofs(copy) {
  for (const { file, source, also } of typeFaults) {
    plant(copy, file, source);
    if (also) plant(copy, ...also);
  }
  /** @type {Record<string, string>} */
  const said = {};
  for (const project of new Set(typeFaults.map((fault) => fault.project))) {
    said[project] = (await runTool('tsc', ['-p', project, '--pretty', 'false'], { cwd: copy })).output;
  }
  typeFaults.forEach(({ file, also }) =>
    [file, also?.[0]].forEach((name) => name && rmSync(path.join(copy, name), { force: true })),
  );
  return typeFaults.map(({ name, project, file, says }) => ({
    name: `types: ${name}`,
    holds: (said[project] ?? '').split('\n').some((line) => line.includes(path.basename(file)) && says.test(line)),
  }));
}

/** @param {string} copy */
async function knipProofs(copy) {
  const folder = 'packages/server';
  plant(copy, `${folder}/src/planted-unused-file.ts`, 'export const planted = 1;\n');
  plant(
    copy,
    `${folder}/src/planted-used.ts`,
    "import react from 'react';\nexport const used = react;\nexport const spare = 1;\n",
  );
  const main = path.join(copy, folder, 'src', 'main.ts');
  appendFileSync(main, "\nimport { used } from './planted-used.ts';\nvoid used;\n");
  const manifestFile = path.join(copy, folder, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.dependencies['leaflet'] = '1.9.4';
  writeFileSync(manifestFile, JSON.stringify(manifest));
  plant(
    copy,
    'packages/contract/src/planted-tested.ts',
    'export const tested = 1;\n/** @internal for tests */\nexport const marked = 1;\n',
  );
  plant(
    copy,
    'packages/contract/src/planted-tested.test.ts',
    "import { expect, it } from 'vitest';\nimport { marked, tested } from './planted-tested.ts';\nit('is', () => expect(tested).toBe(marked));\n",
  );
  plant(copy, `${folder}/src/planted-lonely.ts`, 'export const lonely = 1;\n');
  plant(
    copy,
    `${folder}/src/planted-lonely.test.ts`,
    "import { expect, it } from 'vitest';\nimport { lonely } from './planted-lonely.ts';\nit('is', () => expect(lonely).toBe(1));\n",
  );
  const { stdout } = await runTool('knip', ['--reporter', 'json', '--no-config-hints'], { cwd: copy });
  const { stdout: kept } = await runTool('knip', KEPT_ALIVE, { cwd: copy });
  /** @typedef {{ name: string }[]} Names */
  /** @type {{ issues: { file: string, files: Names, exports: Names, dependencies: Names, unlisted: Names }[] }} */
  const { issues } = JSON.parse(stdout);
  /**
   * @param {string} file
   * @param {'files' | 'exports' | 'dependencies' | 'unlisted'} kind
   * @param {string} name
   */
  const found = (file, kind, name) =>
    issues.some(
      (issue) => issue.file === `${folder}/${file}` && issue[kind].some((entry) => entry.name.endsWith(name)),
    );
  return [
    { name: 'unused file', holds: found('src/planted-unused-file.ts', 'files', 'planted-unused-file.ts') },
    { name: 'unused export', holds: found('src/planted-used.ts', 'exports', 'spare') },
    { name: 'used export left alone', holds: !found('src/planted-used.ts', 'exports', 'used') },
    { name: 'unused dependency', holds: found('package.json', 'dependencies', 'leaflet') },
    { name: 'export that a test alone uses', holds: /\btested\b/.test(kept) },
    { name: 'file that a test alone uses', holds: kept.includes('planted-lonely.ts') },
    { name: 'export marked for tests left alone', holds: !/\bmarked\b/.test(kept) },
    { name: 'undeclared (hoisted) dependency', holds: found('src/planted-used.ts', 'unlisted', 'react') },
  ];
}

/** @param {string} copy */
async function formatProofs(copy) {
  plant(copy, 'packages/server/src/planted-ugly.ts', 'export  const ugly = "1"\n');
  plant(copy, 'packages/server/src/planted-neat.ts', "export const neat = '1';\n");
  const { stdout } = await runTool('oxfmt', ['--list-different'], { cwd: copy });
  return [
    { name: 'unformatted file', holds: stdout.includes('planted-ugly.ts') },
    { name: 'formatted file left alone', holds: !stdout.includes('planted-neat.ts') },
  ];
}

/** @param {string} copy */
async function vitestProofs(copy) {
  const folder = 'packages/contract/src';
  const test = (/** @type {string} */ body) => `import { expect, it } from 'vitest';\nit('adds', () => ${body});\n`;
  plant(copy, `${folder}/planted-right.test.ts`, test('expect(1 + 1).toBe(2)'));
  plant(copy, `${folder}/planted-wrong.test.ts`, test('expect(1 + 1).toBe(3)'));
  plant(copy, `${folder}/planted-broken.test.ts`, "import './planted-nowhere.ts';\n");
  const outcome = async (/** @type {string} */ filter) => {
    const { passed, failed } = await runVitest({
      cwd: copy,
      filters: ['--project', '@kist/contract', filter],
      echo: false,
    });
    return `${passed} passed, ${failed} failed`;
  };
  return [
    { name: 'failing test', holds: (await outcome('planted-wrong')) === '0 passed, 1 failed' },
    { name: 'test file that cannot be loaded', holds: (await outcome('planted-broken')) === '0 passed, 1 failed' },
    { name: 'no test at all', holds: (await outcome('planted-absent')) === '0 passed, 1 failed' },
    { name: 'passing test', holds: (await outcome('planted-right')) === '1 passed, 0 failed' },
  ];
}

/** @param {string} copy */
async function goldenProofs(copy) {
  return ['docs/openapi.json', 'docs/schema.sql'].map((file) => {
    const kept = existsSync(path.join(copy, file)) ? readFileSync(path.join(copy, file), 'utf8') : '';
    const changed = kept.replace(/\n/, ' \n');
    const isCaught = kept !== changed && firstDifference(kept, changed) !== undefined;
    return { name: `${file} with one character more`, holds: isCaught && firstDifference(kept, kept) === undefined };
  });
}

/** @param {string} copy */
async function lockfileProofs(copy) {
  const file = 'packages/simulator/package.json';
  const manifest = JSON.parse(readFileSync(path.join(copy, file), 'utf8'));
  const faultsWith = (/** @type {Record<string, string>} */ dependencies) => {
    plant(copy, file, JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, ...dependencies } }));
    return lockfileFaults(copy).filter((fault) => fault.startsWith('packages/simulator'));
  };
  return [
    { name: 'dependency that the lockfile does not know', holds: faultsWith({ leaflet: '1.9.4' }).length === 1 },
    { name: 'version range', holds: faultsWith({ zod: '^4.0.0' }).length === 2 },
    { name: 'manifest as locked', holds: faultsWith({}).length === 0 },
  ];
}

/** @param {string} copy */
async function docProofs(copy) {
  plant(
    copy,
    'docs/planted.md',
    '[gone](./gone.md) `packages/gone/src` npm run gone [kept](./glossary.md) `scripts/lib` npm run check\n',
  );
  const config = path.join(copy, 'packages/server/src/config.ts');
  appendFileSync(config, '\nexport const planted = {\n  KIST_PLANTED: optional(z.string()),\n};\n');
  const all = docFaults(copy);
  const faults = all.filter((fault) => fault.startsWith('docs/planted.md'));
  return [
    { name: 'dead link', holds: faults.some((fault) => fault.includes('gone.md')) },
    { name: 'file that is not there', holds: faults.some((fault) => fault.includes('packages/gone')) },
    { name: 'command that is not there', holds: faults.some((fault) => fault.includes('npm run gone')) },
    { name: 'undescribed setting', holds: all.some((fault) => fault.includes('KIST_PLANTED')) },
    { name: 'what is there left alone', holds: faults.length === 3 },
  ];
}

/** @param {string} copy */
async function writtenLawProofs(copy) {
  const faultOf = (/** @type {string} */ of) => lawFaults(copy).some((fault) => fault.includes(of));
  const before = lawFaults(copy).length === 0;
  const planted = lawImports.map((one, index) => ({ ...one, file: one.file.replace('planted-', `planted-${index}-`) }));
  planted.forEach(({ file, source }) => plant(copy, file, source));
  const said = lawFaults(copy);
  planted.forEach(({ file }) => rmSync(path.join(copy, file)));
  const imports = planted.map(({ file, source, fault }) => ({
    name: `${file}: ${source.trim()}`,
    holds: said.some((one) => one.startsWith(`${file}${fault ?? ''}`)) === (fault !== undefined),
  }));
  const agents = path.join(copy, 'AGENTS.md');
  writeFileSync(agents, readFileSync(agents, 'utf8').replace('| platform | contract', '| platform | anything'));
  const written = faultOf('AGENTS.md');
  // Nobody looks through any window any more.
  const window = path.join(copy, 'packages/server/src/cli/fleet.ts');
  const own = readFileSync(window, 'utf8');
  writeFileSync(window, own.replaceAll(/from '#server\/locking\/fleet.ts'/g, "from '#server/locking/locking.ts'"));
  const unused = faultOf('#server/locking/fleet.ts');
  return [
    { name: 'a tree as it is passes', holds: before },
    ...imports,
    { name: 'a page that says something else than the table', holds: written },
    { name: 'a window that nobody needs', holds: unused },
  ];
}
