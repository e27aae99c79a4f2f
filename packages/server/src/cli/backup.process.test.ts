import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { bytesOf, createDiskBlobs } from '#server/platform/blobs.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { createLog } from '#server/platform/log.ts';
import { opened, sealed } from '#server/platform/backup/sealed-stream.ts';
import { createS3Blobs } from '#server/platform/s3-blobs.ts';
import { makeDataDir } from '#server/platform/secrets.ts';

import { type Ended, contentsOf, fill, kist, whileServed } from '#test/data-folders.ts';
import { s3Server } from '#test/s3-server.ts';

const root = mkdtempSync(path.join(tmpdir(), 'kist-backup-'));
chmodSync(root, process.getuid?.() === 0 ? 0o711 : 0o700);
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const source = path.join(root, 'source');
const keyFile = path.join(root, 'key');
const backup = path.join(root, 'backup.kist');
const live = path.join(root, 'live.kist');
const PICTURE = 'documents/20/ab/01900000-0000-7000-8000-0000000000ab';
const SECRETS = ['agent-key.pem', 'kist-secret-pepper', 'kist-secret-key'];

/** What the backups say is in them: of one made while it was served, and of one at rest. */
const said: Record<'live' | 'atRest', { mode?: string; organisations?: number[]; files?: number; rows?: number }> = {
  live: {},
  atRest: {},
};
async function made(ending: Promise<Ended>): Promise<object> {
  const { code, out, err } = await ending;
  if (code !== 0 || err !== '') throw new Error(`${code}: ${err}`);
  return JSON.parse(out) as object;
}

/** A new folder with the secrets that no backup has. */
function newPlace(name: string): string {
  const folder = path.join(root, name);
  mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  for (const secret of SECRETS) cpSync(path.join(source, secret), path.join(folder, secret));
  return folder;
}

beforeAll(async () => {
  makeDataDir(source);
  await fill(source);
  writeFileSync(keyFile, 'a key of this test, long enough\n', { mode: 0o600 });
  await whileServed(source, async () => {
    await createDiskBlobs(path.join(source, 'blobs')).put(PICTURE, Buffer.from('sealed pixels'));
    said.live = await made(kist({ KIST_DATA_DIR: source }, 'backup', live, '--key-file', keyFile, '--json'));
  });
  // Nothing moves any more: what is restored can be held against it row by row.
  said.atRest = await made(kist({ KIST_DATA_DIR: source }, 'backup', backup, '--key-file', keyFile, '--json'));
}, 400_000);

describe('a backup of a demo with money and phones', () => {
  test('made while it is served is whole', { timeout: 60_000 }, async () => {
    const { code, out } = await kist({ KIST_BACKUP_KEY_FILE: keyFile }, 'backup', live, '--check');
    expect([code, out]).toEqual([0, expect.stringContaining('Every part is what its list says')]);
    for (const one of [said.live, said.atRest])
      expect(one).toMatchObject({
        mode: 'demo',
        organisations: expect.arrayContaining([20]),
        files: expect.any(Number),
      });
    expect(said.atRest.rows).toBeGreaterThan(10_000);
  });

  test('is sealed, for this account alone, has no secret in it and says so', { timeout: 60_000 }, async () => {
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(backup);
    expect(bytes.includes('sealed pixels')).toBe(false);
    expect(bytes.includes('Asha')).toBe(false);
    expect((await kist({}, 'backup', '--help')).out).toContain('NOT in it');
  });

  test(
    'restored elsewhere is row for row and guard for guard what it was, in order, and answers',
    { timeout: 300_000 },
    async () => {
      const target = newPlace('target');
      const { code, out, err } = await kist(
        { KIST_DATA_DIR: target },
        'restore',
        backup,
        '--key-file',
        keyFile,
        '--json',
      );
      expect(err).toBe('');
      const restored = JSON.parse(out);
      // The picture of this test has no row; a row without its file would stand here.
      expect(
        restored.organisations.filter(
          (one: { books: unknown[]; audit: number }) => one.books.length > 0 || one.audit > 0,
        ),
      ).toEqual([]);
      const { files, rows } = said.atRest;
      expect(restored).toMatchObject({ is_in_order: true, files, rows, secrets_missing: [] });
      expect(code).toBe(0);
      expect(existsSync(path.join(target, 'restore-unfinished'))).toBe(false);
      expect(readFileSync(path.join(target, 'blobs', ...PICTURE.split('/')), 'utf8')).toBe('sealed pixels');

      const [was, is] = [await contentsOf(source), await contentsOf(target)];
      expect(is.triggers).toEqual(was.triggers);
      // Functions of one name stand in the order in which they lie there.
      expect(is.schema.split('\n').toSorted()).toEqual(was.schema.split('\n').toSorted());
      expect(is.sums['agreements']).not.toBe('0 ');
      expect(is.sums['devices']).not.toBe('0 ');
      expect(is.sums).toEqual(was.sums);

      const roots = await whileServed(target, async (url) =>
        (await fetch(`${url}/public/audit/${DEMO_SLUG}.json`)).json(),
      );
      expect(roots).toMatchObject({ missing: 0, roots: expect.any(Array) });
    },
  );

  test(
    'is refused with a byte changed, a part cut out, its end missing, another key: and nothing is left behind',
    { timeout: 120_000 },
    async () => {
      const bytes = readFileSync(backup);
      const flipped = Buffer.from(bytes);
      flipped[Math.floor(bytes.length / 2)]! ^= 1;
      const piece = 4 + 64 * 1024 + 16;
      const cases: [string, Buffer, RegExp][] = [
        ['flipped', flipped, /was changed/],
        [
          'part-missing',
          Buffer.concat([bytes.subarray(0, 28), bytes.subarray(28 + piece)]),
          /does not open|was changed/,
        ],
        ['end-missing', bytes.subarray(0, -1000), /not whole/],
      ];
      for (const [name, content, says] of cases) {
        const file = path.join(root, `${name}.kist`);
        writeFileSync(file, content, { mode: 0o600 });
        const target = path.join(root, name);
        const { code, err } = await kist({ KIST_DATA_DIR: target }, 'restore', file, '--key-file', keyFile);
        expect([name, code]).toEqual([name, 1]);
        expect(err).toMatch(says);
        expect(existsSync(target)).toBe(false);
      }
      const wrong = await kist(
        { KIST_DATA_DIR: path.join(root, 'w'), KIST_BACKUP_KEY: 'not the key of it at all' },
        'restore',
        backup,
      );
      expect([wrong.code, existsSync(path.join(root, 'w'))]).toEqual([1, false]);
      expect(wrong.err).toContain('does not open');
    },
  );

  test('carries out nothing that only stands where a function should', { timeout: 120_000 }, async () => {
    const plain = gunzipSync(
      await bytesOf(Readable.from(opened(createReadStream(backup), readFileSync(keyFile, 'utf8').trim()))),
    );
    const end = 5 + plain.readUInt32BE(1);
    const about = JSON.parse(plain.subarray(5, end).toString());
    const ran = path.join(root, 'ran');
    for (const [n, text] of [
      `copy (select 1) to '${ran}'`,
      `CREATE OR REPLACE FUNCTION public.f() returns int language sql as 'select 1'; copy (select 1) to '${ran}'`,
    ].entries()) {
      const said = Buffer.from(JSON.stringify({ ...about, functions: [...about.functions, text] }));
      const head = Buffer.from(plain.subarray(0, 5));
      head.writeUInt32BE(said.length, 1);
      const forged = gzipSync(Buffer.concat([head, said, plain.subarray(end)]));
      const file = path.join(root, `forged-${n}.kist`);
      writeFileSync(
        file,
        await bytesOf(Readable.from(sealed(Readable.from([forged]), readFileSync(keyFile, 'utf8').trim()))),
        {
          mode: 0o600,
        },
      );
      const { code, err } = await kist(
        { KIST_DATA_DIR: newPlace(`forged-${n}`) },
        'restore',
        file,
        '--key-file',
        keyFile,
      );
      expect([code, err]).toEqual([1, expect.stringMatching(/makes no function|multiple commands/)]);
      expect(existsSync(ran)).toBe(false);
    }
  });

  test('goes into an empty bucket only, and one of it brings the pictures along', { timeout: 240_000 }, async () => {
    const { settings: s3 } = await s3Server();
    const env = {
      KIST_S3_ENDPOINT: s3.endpoint,
      KIST_S3_BUCKET: s3.bucket,
      KIST_S3_ACCESS_KEY_ID: s3.accessKeyId,
      KIST_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      KIST_BACKUP_KEY_FILE: keyFile,
    };
    const target = newPlace('of-bucket');
    const { code, err } = await kist({ ...env, KIST_DATA_DIR: target }, 'restore', backup, '--json');
    expect([code, err, existsSync(path.join(target, 'blobs'))]).toEqual([0, '', false]);
    const kept = await createS3Blobs(s3).get(PICTURE);
    expect((await bytesOf(kept!)).toString()).toBe('sealed pixels');
    const again = await kist({ ...env, KIST_DATA_DIR: newPlace('bucket-again') }, 'restore', backup);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('an empty bucket only')]);

    const second = path.join(root, 'of-bucket.kist');
    const { files } = said.atRest;
    expect(await made(kist({ ...env, KIST_DATA_DIR: target }, 'backup', second, '--json'))).toMatchObject({ files });
  });

  test('goes into an empty folder only, of its own mode, under its own secrets', { timeout: 120_000 }, async () => {
    const full = newPlace('full');
    writeFileSync(path.join(full, 'notes.txt'), 'mine');
    const refused = await kist({ KIST_DATA_DIR: full }, 'restore', backup, '--key-file', keyFile);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('not empty (notes.txt)')]);
    expect(readdirSync(full).toSorted()).toEqual([...SECRETS, 'notes.txt'].toSorted());

    // One before it was killed in the middle, or still runs: what lies there may be somebody's by now.
    const cut = newPlace('cut');
    const pictures = path.join(root, 'pictures', 'documents');
    mkdirSync(pictures, { recursive: true });
    writeFileSync(path.join(pictures, 'one'), 'sealed pixels');
    mkdirSync(path.join(cut, 'postgres'));
    writeFileSync(path.join(cut, 'restore-unfinished'), '');
    const again = await kist(
      { KIST_DATA_DIR: cut, KIST_BLOBS_DIR: path.dirname(pictures) },
      'restore',
      backup,
      '--key-file',
      keyFile,
    );
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('was cut off, or still runs')]);
    expect([existsSync(path.join(cut, 'postgres')), existsSync(path.join(pictures, 'one'))]).toEqual([true, true]);

    const other = await kist(
      { KIST_DATA_DIR: path.join(root, 'p'), KIST_MODE: 'production' },
      'restore',
      backup,
      '--key-file',
      keyFile,
    );
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('backup of a demo database')]);

    const strange = newPlace('strange');
    writeFileSync(
      path.join(strange, 'kist-secret-pepper'),
      Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('base64'),
    );
    const secrets = await kist({ KIST_DATA_DIR: strange }, 'restore', backup, '--key-file', keyFile);
    expect([secrets.code, secrets.err]).toEqual([1, expect.stringContaining('KIST_SECRET_PEPPER is another one')]);
    expect(readdirSync(strange).toSorted()).toEqual(SECRETS.toSorted());
  });

  test(
    'its key is never an argument, never short, never open to others; a file of that name stays',
    { timeout: 120_000 },
    async () => {
      const open = path.join(root, 'open-key');
      writeFileSync(open, 'a key that everybody may read', { mode: 0o644 });
      const codes = [
        await kist({ KIST_DATA_DIR: source }, 'backup', path.join(root, 'b')),
        await kist({ KIST_DATA_DIR: source, KIST_BACKUP_KEY: 'short' }, 'backup', path.join(root, 'b')),
        await kist({ KIST_DATA_DIR: source }, 'backup', path.join(root, 'b'), '--key-file', open),
        await kist({ KIST_DATA_DIR: source }, 'backup'),
      ];
      expect(codes.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
      expect(codes[2]?.err).toContain('chmod 600');
      const again = await kist({ KIST_DATA_DIR: source }, 'backup', backup, '--key-file', keyFile);
      expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);
      expect(readdirSync(root).filter((name) => name.includes('.part'))).toEqual([]);
    },
  );
});

test(
  'an owner who is no superuser backs up and restores the same, between servers of its own',
  { timeout: 200_000 },
  async () => {
    // On one server, where row-level security binds its owner: two databases, one account that owns both.
    const folder = path.join(root, 'server');
    const server = await startEmbedded({ dataDir: folder, log: createLog('silent') });
    const { host, port } = server.connectionConfig;
    const superuser = new pg.Client(server.connectionConfig);
    await superuser.connect();
    try {
      await superuser.query(`create role own_owner login createrole password 'p'; create role own_server login password 'p';
      create role kist_app; create role kist_device; create role kist_operator; grant kist_app to kist_operator;
      grant kist_app, kist_device, kist_operator to own_owner with admin option`);
      for (const name of ['one', 'two']) await superuser.query(`create database ${name} owner own_owner`);
      const url = (user: string, database: string) =>
        `postgres://${user}:p@${encodeURIComponent(host)}:${port}/${database}`;
      const at = (database: string, dataDir: string) => ({
        KIST_DATA_DIR: dataDir,
        DATABASE_URL: url('own_server', database),
        KIST_OWNER_URL: url('own_owner', database),
        KIST_BACKUP_KEY: 'a key of this test, long enough',
      });
      // What the demo made goes into a server's database as it is.
      const first = await kist(at('one', newPlace('one')), 'restore', backup, '--json');
      expect([first.err, first.code]).toEqual(['', 0]);
      const moved = path.join(root, 'moved.kist');
      const again = await kist(at('one', path.join(root, 'one')), 'backup', moved, '--json');
      expect([again.err, again.code]).toEqual(['', 0]);
      const second = await kist(at('two', newPlace('two')), 'restore', moved, '--json');
      expect([second.err, second.code]).toEqual(['', 0]);
      expect(JSON.parse(second.out)).toMatchObject({
        is_in_order: true,
        files: said.atRest.files,
        rows: JSON.parse(again.out).rows,
      });
      const full = await kist(at('two', newPlace('again')), 'restore', moved);
      expect([full.code, full.err]).toEqual([1, expect.stringContaining('The database is not empty')]);
    } finally {
      await superuser.end();
      await server.stop();
    }
  },
);
