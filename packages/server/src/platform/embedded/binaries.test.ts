import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EmbeddedProgram } from '#test/embedded-program.ts';
import { findBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';

const program = new EmbeddedProgram();
beforeAll(() => program.prepare());
afterAll(() => program.cleanUp());

test('of the operating system are used where npm has none, the first that executes', () => {
  const packaged = { native: program.native, version: '18-test' };
  const { binDir } = findBinaries(undefined, program.folder, { packaged });
  expect(program.linksPresent()).toBe(program.links().length);
  const system = () => ['/nowhere', program.folder, binDir];
  expect(findBinaries(undefined, program.folder, { system })).toEqual({
    binDir: path.join(program.native, 'bin'),
    majorVersion: 18,
  });
});

test('that do not exist are asked for by name, with the way out', () => {
  expect(() => findBinaries(undefined, program.folder, { system: () => ['/nowhere'] })).toThrow(EmbeddedPostgresError);
  expect(() => findBinaries(undefined, program.folder, { system: () => [] })).toThrow(/DATABASE_URL/);
});

test('that npm installed for this machine are found', () => {
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  expect(findBinaries(account, path.join(program.folder, 'copies')).majorVersion).toBe(18);
});
