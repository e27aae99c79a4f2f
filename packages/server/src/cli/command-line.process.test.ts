import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kist } from '#test/data-folders.ts';
import { programOf } from '#test/programs.ts';

/** The command line as a program of its own: how it ends, and what stands where. */
const root = mkdtempSync(path.join(tmpdir(), 'kist-command-line-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const env = { KIST_DATA_DIR: path.join(root, 'data'), KIST_MODE: 'production' };

beforeAll(async () => {
  const added = await kist(env, 'org', 'add', '20', '--slug', 'asha', '--name', 'Asha Mobiles');
  if (added.code !== 0) throw new Error(added.err);
}, 120_000);

const noSuch = (orgId: number) => ({
  code: 'NOT_FOUND',
  message: `Refused: there is no organisation ${orgId} (kist org list). Nothing was changed.`,
});

describe('unlock-fleet', () => {
  test('of an organisation that is not there is refused, and ends', { timeout: 30_000 }, async () => {
    const { code, out, err } = await kist(env, 'unlock-fleet', '999', '--yes', '--json');
    expect([code, out, JSON.parse(err)]).toEqual([1, '', noSuch(999)]);
  });

  test('of one that is there frees its phones, and says how many', { timeout: 30_000 }, async () => {
    const { code, out, err } = await kist(env, 'unlock-fleet', '20', '--yes', '--json');
    expect([err, code, JSON.parse(out)]).toEqual(['', 0, { phones: 0 }]);
  });
});

/** Without a database: what is wrong is seen before one is opened. */
const nowhere = { KIST_DATA_DIR: path.join(root, 'nowhere') };

describe('what is typed wrongly', () => {
  test.each([
    [['nothing'], /^kist nothing: no such thing\./],
    [['org', 'add'], /^kist org add ORG/],
    [['org', 'list', '--org', '999'], /Unknown option '--org'/],
    [['unlock-fleet', '20', '--yes', '--force'], /Unknown option '--force'/],
    [['openapi', '--verbose'], /Unknown option '--verbose'/],
    [['messages', 'hindi'], /Unexpected argument 'hindi'/],
    [['books', '1e2'], /^the first argument is the organisation id/],
    [['backup'], /^kist backup FILE/],
  ] as const)(
    '%j ends with 2 and is told on the error stream, with --json as an object',
    { timeout: 30_000 },
    async (args, says) => {
      const [said, asObject] = await Promise.all([kist(nowhere, ...args), kist(nowhere, ...args, '--json')]);
      expect([said.code, said.out, asObject.code, asObject.out]).toEqual([2, '', 2, '']);
      expect(said.err).toMatch(says);
      expect(JSON.parse(asObject.err)).toEqual({ code: 'USAGE', message: expect.any(String) });
    },
  );
});

test.each(['--help', 'org import --help', 'audit verify audit-20.jsonl --help', 'books --help', 'backup --help'])(
  'help is no mistake: kist %s',
  { timeout: 30_000 },
  async (line) => {
    const { code, out, err } = await kist(nowhere, ...line.split(' '));
    expect([code, err, out]).toEqual([0, '', expect.stringMatching(/^kist /)]);
  },
);

test.each([
  ['help', '--help', 'kist COMMAND'],
  ['help org', 'org --help', 'kist org import FILE'],
  ['help org import', 'org import --help', 'kist org import FILE'],
  ['help books', 'books --help', 'kist books'],
] as const)('kist %s tells what kist %s tells: %s', { timeout: 30_000 }, async (asked, same, says) => {
  const [told, known] = await Promise.all([asked, same].map((line) => kist(nowhere, ...line.split(' '))));
  expect(told).toEqual(known);
  expect(told).toMatchObject({ code: 0, err: '', out: expect.stringContaining(says) });
});

test('help for what is no word of kist is a mistake, and says where to look', { timeout: 30_000 }, async () => {
  const { code, out, err } = await kist(nowhere, 'help', 'nothing');
  expect([code, out, err]).toEqual([2, '', 'kist nothing: no such thing. What there is: kist help\n']);
});

test(
  'what is asked of an organisation that is not there has no answer, an empty one neither',
  { timeout: 120_000 },
  async () => {
    for (const args of [
      ['retailer', 'list', '999'],
      ['org', 'edit', '999', '--name', 'X'],
      ['audit', 'verify', '999'],
      ['books', '999'],
      ['export', 'dues', '999', '--from', '2026-04-01', '--to', '2026-04-30'],
    ]) {
      const { code, out, err } = await kist(env, ...args);
      expect([args, code, out, err]).toEqual([args, 1, '', `${noSuch(999).message}\n`]);
    }
    expect(await kist(env, 'retailer', 'list', '20')).toMatchObject({ code: 0, err: '' });
  },
);

/** Ends of a program whose output nobody reads, or that nothing takes. */
const ended = (stdout: 'pipe' | number, args: readonly string[]) =>
  new Promise<{ code: number | null; err: string }>((resolve) => {
    const child = spawn(process.execPath, [programOf('kist'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', stdout, 'pipe'],
    });
    child.stdout?.destroy();
    let err = '';
    child.stderr?.on('data', (part: Buffer) => (err += part.toString()));
    child.once('close', (code) => resolve({ code, err }));
  });

test('a pipe that was closed ends it quietly, a full disk does not', { timeout: 60_000 }, async () => {
  for (const args of [['org', 'list', '--json'], ['openapi'], ['books', '20']])
    expect([args, await ended('pipe', args)]).toEqual([args, { code: 0, err: '' }]);
  const full = openSync('/dev/full', 'w');
  expect(await ended(full, ['openapi'])).toEqual({ code: 1, err: expect.stringMatching(/^ENOSPC[^\n]*\n$/) });
  closeSync(full);
});
