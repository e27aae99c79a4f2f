import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { assertApart } from './backup.ts';
import { backupKey } from './backup-key.ts';
import { RefusedError, UsageError } from './command.ts';
import { assertPlaceFor, bytesOf, jsonOf, pictureBytesOf } from './named-file.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { readSecretFile } from './secret-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kist-named-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const why = (look: () => unknown): string => {
  try {
    look();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return 'nothing';
};

test('a file that is not there, a folder and what has no end are told for what they are', () => {
  for (const read of [bytesOf, jsonOf, pictureBytesOf]) {
    expect(why(() => read(path.join(folder, 'none.json')))).toBe(`there is no file ${path.join(folder, 'none.json')}`);
    expect(why(() => read(folder))).toBe(`${folder} is a folder, not a file`);
    expect(why(() => read('/dev/zero'))).toBe('/dev/zero is no file, and may have no end');
  }
  const nowhere = path.join(folder, 'none', 'a.kist');
  expect(why(() => assertPlaceFor(nowhere))).toBe(`there is no folder ${path.dirname(nowhere)}`);
  expect(why(() => assertPlaceFor(path.join(folder, 'a.kist')))).toBe('nothing');
  const large = fileOf('large.png', 'x'.repeat(LIMITS.uploadBytes + 1));
  expect(why(() => pictureBytesOf(large))).toBe(`${large} is larger than 5 MB`);
});

test('a secret or the key of a backup is a short file with an end, or what another program writes of one', () => {
  const key = (file: string) => backupKey({}, file);
  for (const read of [key, readSecretFile]) {
    expect(why(() => read('/dev/zero'))).toContain('/dev/zero is no file, and may have no end');
    expect(why(() => read(path.join(folder, 'none')))).toContain(`there is no file ${path.join(folder, 'none')}`);
    const long = fileOf('long', 'x'.repeat(64 * 1024 + 1));
    chmodSync(long, 0o600);
    expect(why(() => read(long))).toContain(`${long} is larger than 64 KB`);
  }
});

test('a pipe whose writer goes on for ever is read no further than a file may be long', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  for (const [read, most] of [
    [(file: string) => bytesOf(file, 2 ** 20), '1 MB'],
    [(file: string) => backupKey({}, file), '64 KB'],
  ] as const) {
    const writer = spawn('sh', ['-c', 'exec yes > "$0"', pipe], { stdio: 'ignore' });
    const ended = new Promise((resolve) => writer.once('exit', resolve));
    expect(why(() => read(pipe))).toBe(`${pipe} is larger than ${most}`);
    await ended;
  }
  const writer = spawn('sh', ['-c', 'exec echo "a key that is long enough" > "$0"', pipe], { stdio: 'ignore' });
  expect(backupKey({}, pipe)).toBe('a key that is long enough');
  await new Promise((resolve) => writer.once('exit', resolve));
});

test('of a file that is no JSON only the place is told: what stands there may be a secret', () => {
  for (const text of ['hunter2-is-my-key', '{"key": hunter2}', '{"a": 1,\n hunter2', '']) {
    const said = why(() => jsonOf(fileOf('wrong.json', text)));
    expect(said).toMatch(/wrong\.json holds no JSON that can be read(?: \(line \d+, column \d+\))?$/);
    expect(said).not.toContain('hunter');
  }
  expect(jsonOf(fileOf('right.json', '[1]'))).toEqual([1]);
});

test('with --json a refusal is an object with its code, and the process ends as it does without', () => {
  const cases = [
    [new UsageError('typed wrongly'), 'USAGE', 2],
    [new RefusedError('not so', 'STATE_CONFLICT'), 'STATE_CONFLICT', 1],
    [new RefusedError('not so'), 'REFUSED', 1],
    [new Error('broken'), 'FAILED', 1],
    [Object.assign(new TypeError('Unknown option'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' }), 'USAGE', 2],
  ] as const;
  for (const [error, code, exitCode] of cases) {
    const refusal = refusalOf(error);
    expect(refusal).toEqual({ code, message: error.message, exitCode });
    expect(JSON.parse(refusalText(refusal, ['set', '--json']))).toEqual({ code, message: error.message });
    for (const args of [['set'], ['set', '--', '--json']])
      expect(refusalText(refusal, args)).toBe(`${error.message}\n`);
  }
});

test('a backup lies in no folder that it is of, by whatever way it is named', () => {
  const dataDir = path.join(folder, 'data');
  const blobsDir = path.join(dataDir, 'blobs');
  for (const part of ['blobs/documents', 'postgres', 'backups'])
    mkdirSync(path.join(dataDir, part), { recursive: true });
  symlinkSync(blobsDir, path.join(folder, 'way'));
  chmodSync(dataDir, 0o700);
  const settings = { dataDir, blobsDir, s3: undefined, database: undefined } as Parameters<typeof assertApart>[1];
  for (const wrong of ['data/blobs/a.kist', 'data/blobs/documents/a.kist', 'data/postgres/a.kist', 'way/a.kist'])
    expect(why(() => assertApart(path.join(folder, wrong), settings))).toContain('part of what is backed up');
  for (const right of ['a.kist', 'data/backups/a.kist', 'data/blobs-elsewhere.kist'])
    expect(why(() => assertApart(path.join(folder, right), settings))).toBe('nothing');
  // Reached by another way and without a picture yet: the folder that pictures will lie in.
  symlinkSync(dataDir, path.join(folder, 'other'));
  const unborn = { ...settings, blobsDir: path.join(folder, 'other', 'pictures') };
  for (const way of [dataDir, path.join(folder, 'other')])
    expect(why(() => assertApart(path.join(way, 'pictures', 'a.kist'), unborn))).toContain('part of what is backed up');
  const elsewhere = { ...settings, s3: {}, database: {} } as Parameters<typeof assertApart>[1];
  expect(why(() => assertApart(path.join(blobsDir, 'a.kist'), elsewhere))).toBe('nothing');
});
