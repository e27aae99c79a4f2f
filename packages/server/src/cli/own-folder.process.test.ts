import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { noteFolder } from '#server/platform/blobs-mark.ts';
import { createDiskBlobs } from '#server/platform/blobs.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { createLog } from '#server/platform/log.ts';
import { kist } from '#test/data-folders.ts';
import { migrationsDirectory } from '#test/template.ts';

/** Two installations on one machine, and a command line that was told the database of one and the folder of the other. */
const root = mkdtempSync(path.join(tmpdir(), 'kist-own-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const [one, other] = [path.join(root, 'one'), path.join(root, 'other')];
const pictureOf = (dataDir: string) => path.join(dataDir, 'blobs/documents/20/ab/picture');

beforeAll(async () => {
  for (const dataDir of [one, other]) {
    const booted = await bootDatabase({
      connection: undefined,
      ownerConnection: undefined,
      dataDir,
      migrationsDirectory,
      mode: 'demo',
      demoSlug: DEMO_SLUG,
      whileOwner: (owner) => noteFolder(owner, createDiskBlobs(path.join(dataDir, 'blobs'))),
      log: createLog('silent'),
    });
    await booted.stop();
    mkdirSync(path.dirname(pictureOf(dataDir)), { recursive: true });
    writeFileSync(pictureOf(dataDir), 'sealed pixels');
  }
}, 120_000);

const KEY = { KIST_BACKUP_KEY: 'a key of this test, long enough' };
const mixed = { ...KEY, KIST_DATA_DIR: one, KIST_BLOBS_DIR: path.join(other, 'blobs') };

test('the pictures of another installation stay when a demo is emptied: it is refused before anything goes', async () => {
  const refused = await kist(mixed, 'demo', 'reset', '--yes', '--json');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(JSON.parse(refused.err)).toEqual({
    code: 'REFUSED',
    message: expect.stringMatching(/^KIST_BLOBS_DIR is the folder of another database.*Nothing was touched/),
  });
  expect([one, other].map((dataDir) => existsSync(pictureOf(dataDir)))).toEqual([true, true]);
  expect(await kist({ KIST_DATA_DIR: one }, 'demo', 'reset', '--yes')).toMatchObject({ code: 0 });
  expect([one, other].map((dataDir) => existsSync(pictureOf(dataDir)))).toEqual([false, true]);
}, 60_000);

test.each([
  ['another database’s', mixed.KIST_BLOBS_DIR, /the folder of another database/],
  ['a new one', path.join(root, 'new'), /a folder without the mark/],
])(
  'no backup is made of a folder that is %s: it would be whole, and without the pictures',
  async (_whose, blobs, why) => {
    const file = path.join(root, 'backup.kist');
    const { code, err } = await kist({ ...mixed, KIST_BLOBS_DIR: blobs }, 'backup', file);
    expect([code, err]).toEqual([1, expect.stringMatching(why)]);
    expect(existsSync(file)).toBe(false);
  },
  60_000,
);
