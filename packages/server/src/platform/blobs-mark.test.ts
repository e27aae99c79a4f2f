import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { assertFolder, assertOwnFolder, createFolderCheck, noteFolder, notedFolder } from './blobs-mark.ts';
import { createDiskBlobs } from './blobs.ts';

const db = await createTestDatabase();
const root = mkdtempSync(path.join(tmpdir(), 'kist-folder-'));
atEnd(() => rmSync(root, { recursive: true, force: true }));
const folder = (name: string) => path.join(root, name);
const blobsIn = (name: string) => createDiskBlobs(folder(name));
const owner = new pg.Client(db.owner);
beforeAll(async () => {
  await owner.connect();
  await owner.query(`insert into installation (mode) values ('production') on conflict do nothing`);
});
afterAll(() => owner.end());
const look = (name: string) => assertFolder(db.appPool, blobsIn(name));

test('a folder is known by its mark: another one, a new one or a file in its place is none', async () => {
  expect(await look('own')).toBe(false);
  writeFileSync(folder('file'), 'x');
  await expect(noteFolder(owner, blobsIn('file'))).rejects.toThrow(/cannot be read and written \(ENOTDIR\)/);
  await noteFolder(owner, blobsIn('own'));
  const noted = await notedFolder(db.appPool);
  await noteFolder(owner, blobsIn('new'));
  expect(await notedFolder(db.appPool)).toBe(noted);
  expect(await look('own')).toBe(true);
  expect(readdirSync(folder('own/trial'))).toEqual([]);

  await expect(look('new')).rejects.toThrow(/a folder without the mark/);
  expect(readdirSync(root).toSorted()).toEqual(['file', 'own']);
  await expect(look('file')).rejects.toThrow(/\(ENOTDIR\)/);
  await blobsIn('foreign').put('documents/mark', Buffer.from('0'.repeat(32)));
  await expect(look('foreign')).rejects.toThrow(/the folder of another database/);
  cpSync(folder('own'), folder('copy'), { recursive: true });
  expect(await look('copy')).toBe(true);
});

test('a database that forgot it takes the mark that is there', async () => {
  const noted = await notedFolder(db.appPool);
  await owner.query('update installation set folder_mark = null');
  await noteFolder(owner, blobsIn('own'));
  expect(await notedFolder(db.appPool)).toBe(noted);
});

test('before it is read or emptied a folder is the noted one; nothing is written there, and one with a mark is nobody’s who noted none', async () => {
  await assertOwnFolder(db.appPool, blobsIn('own'));
  await expect(assertOwnFolder(db.appPool, blobsIn('never'))).rejects.toThrow(/a folder without the mark/);
  await expect(assertOwnFolder(owner, blobsIn('foreign'))).rejects.toThrow(/the folder of another database/);
  expect(readdirSync(root)).not.toContain('never');
  const noted = await notedFolder(db.appPool);
  await owner.query('update installation set folder_mark = null');
  await expect(assertOwnFolder(owner, blobsIn('own'))).rejects.toThrow(/does not know of it/);
  await assertOwnFolder(owner, blobsIn('never'));
  await owner.query('update installation set folder_mark = $1', [noted]);
});

test('whoever serves notes none', async () => {
  await expect(db.appPool.query('update installation set folder_mark = null')).rejects.toThrow(/permission denied/);
});

test('who is ready says so no longer once the folder is gone, or nothing can be written there any more', async () => {
  cpSync(folder('own'), folder('mounted'), { recursive: true });
  const isReady = createFolderCheck(db.appPool, blobsIn('mounted'));
  await isReady();
  rmSync(folder('mounted'), { recursive: true });
  await expect(isReady()).rejects.toThrow(/without the mark/);
  cpSync(folder('own'), folder('mounted'), { recursive: true });
  await isReady();

  rmSync(folder('mounted/trial'), { recursive: true });
  writeFileSync(folder('mounted/trial'), 'in the way');
  await expect(look('mounted')).rejects.toThrow(/cannot be read and written/);
});
