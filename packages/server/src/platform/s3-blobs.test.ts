import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { type Fault, s3Server } from '#test/s3-server.ts';
import { assertFolder, createFolderCheck, noteFolder } from './blobs-mark.ts';
import { bytesOf } from './blobs.ts';
import { anyBlob, createBlobs, emptyBlobs } from './kept-files.ts';
import { type S3Patience, type S3Settings, createS3Blobs, isBucketAway, isNotAsPut } from './s3-blobs.ts';

const server = await s3Server(['pictures', 'another']);
const quick: S3Patience = { tries: 4, timeoutMs: 400, firstWaitMs: 5, page: 1000 };
const bucket = (more: Partial<S3Settings> = {}, patience: Partial<S3Patience> = {}) =>
  createS3Blobs({ ...server.settings, ...more }, { ...quick, ...patience });
const blobs = bucket();
afterEach(() => {
  server.faults.length = 0;
  server.asked.length = 0;
});

const listed = async (prefix: string) => {
  const keys: string[] = [];
  for await (const key of blobs.list(prefix)) keys.push(key);
  return keys.toSorted();
};
const read = async (key: string, of = blobs) => {
  const stream = await of.get(key);
  return stream && (await bytesOf(stream)).toString();
};

test('what is put is got, replaced, listed below its beginning, and deleted twice without a word', async () => {
  expect(await read('a/20/one')).toBeUndefined();
  expect(await listed('a')).toEqual([]);
  await blobs.put('a/20/one', Buffer.from('first'));
  await blobs.put('a/20/one', Readable.from([Buffer.from('sec'), Buffer.from('ond')]));
  await blobs.put('a/21/two', Buffer.from('other'));
  await blobs.put('ab/one', Buffer.from('not below a'));
  expect(await read('a/20/one')).toBe('second');
  expect(await listed('a')).toEqual(['a/20/one', 'a/21/two']);
  expect(await listed('a/20')).toEqual(['a/20/one']);
  await blobs.delete('a/20/one');
  await blobs.delete('a/20/one');
  expect(await listed('a')).toEqual(['a/21/two']);
  expect(await read('a/20/one')).toBeUndefined();
});

test('a file may be of any bytes', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
  await blobs.put('b/one', bytes);
  expect(bytes.equals(await bytesOf((await blobs.get('b/one'))!))).toBe(true);
});

/** npm's s3rver seals its tokens with a cipher that Node has no more: these pages are written after Amazon's own. */
/** What no honest server says, word for word. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a list goes on page by page, to its end', async () => {
  const page = (key: string, next?: string) =>
    `<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated><Contents><Key>${key}</Key></Contents>${
      next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
    }</ListBucketResult>`;
  const asked: URLSearchParams[] = [];
  const endpoint = await answering((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    asked.push(searchParams);
    response.end(searchParams.has('continuation-token') ? page('b/two') : page('b/one', '1/+a=&amp;b'));
  });
  const keys: string[] = [];
  for await (const key of bucket({ endpoint }).list('b')) keys.push(key);
  expect(keys).toEqual(['b/one', 'b/two']);
  expect(asked.map((search) => search.get('continuation-token'))).toEqual([null, '1/+a=&b']);
  expect(asked.every((search) => search.get('prefix') === 'b/' && search.get('max-keys') === '1000')).toBe(true);
});

test('what else lies in the bucket is none of ours', async () => {
  const endpoint = await answering((_, response) =>
    response.end(
      '<ListBucketResult><Contents><Key>b/</Key></Contents><Contents><Key>b/Notes.txt</Key></Contents><Contents><Key>b/one</Key></Contents></ListBucketResult>',
    ),
  );
  const keys: string[] = [];
  for await (const key of bucket({ endpoint }).list('b')) keys.push(key);
  expect(keys).toEqual(['b/one']);
});

test('a bucket of another region says so, and is followed nowhere', async () => {
  let asked = 0;
  const elsewhere = await answering((_, response) => {
    asked += 1;
    response.end('x');
  });
  const endpoint = await answering((_, response) =>
    response
      .writeHead(301, { location: `${elsewhere}/pictures/b/one` })
      .end('<Error><Code>PermanentRedirect</Code></Error>'),
  );
  await expect(bucket({ endpoint }).get('b/one')).rejects.toMatchObject({ code: 'PermanentRedirect', isAway: false });
  expect(asked).toBe(0);
});

test('a clock that is wrong is said, and is no bucket that is away', async () => {
  const endpoint = await answering((_, response) =>
    response.writeHead(403).end('<Error><Code>RequestTimeTooSkewed</Code></Error>'),
  );
  const error: unknown = await bucket({ endpoint })
    .put('b/one', Buffer.from('x'))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'RequestTimeTooSkewed' });
  expect(isBucketAway(error)).toBe(false);
});

test.each<Fault>(['busy', 'broken line', 'silence'])('%s for a moment is waited for', async (fault) => {
  server.faults.push(fault, fault);
  await blobs.put('c/one', Buffer.from('kept'));
  expect(server.asked).toEqual(['PUT', 'PUT', 'PUT']);
  server.faults.push(fault);
  expect(await read('c/one')).toBe('kept');
  server.faults.push(fault);
  await blobs.delete('c/one');
  expect(await read('c/one')).toBeUndefined();
});

test.each<[Fault, string]>([
  ['busy', 'SlowDown'],
  ['silence', 'TIMEOUT'],
])('%s for long is said, after so many tries', async (fault, code) => {
  server.faults.push(...Array<Fault>(8).fill(fault));
  await expect(blobs.put('c/two', Buffer.from('x'))).rejects.toMatchObject({ name: 'S3Error', code });
  expect(server.asked).toHaveLength(4);
  await expect(blobs.get('c/two')).rejects.toMatchObject({ code, isAway: true });
});

test('a server that is away is said by what the line says', async () => {
  await expect(bucket({ endpoint: 'http://127.0.0.1:9' }).get('c/one')).rejects.toMatchObject({ name: 'S3Error' });
});

test('bytes that change on the way, there or back, are never taken for the file', async () => {
  server.faults.push('altered');
  await blobs.put('d/one', Buffer.from('as it was sent'));
  expect(server.asked).toEqual(['PUT', 'PUT']);
  server.faults.push('altered answer', 'cut answer');
  expect(await read('d/one')).toBe('as it was sent');
  server.faults.push('altered answer', 'altered answer', 'altered answer', 'altered answer');
  await expect(blobs.get('d/one')).rejects.toMatchObject({ code: 'BROKEN' });
  server.faults.push('altered', 'altered', 'altered', 'altered');
  await expect(blobs.put('d/one', Buffer.from('another'))).rejects.toMatchObject({ code: 'BROKEN' });
});

test('a bucket or an account that is none is a mistake, said at once, never a file that is not there', async () => {
  await expect(bucket({ bucket: 'nowhere' }).get('a/one')).rejects.toMatchObject({ code: 'NoSuchBucket' });
  const stranger = bucket({ secretAccessKey: 'guessed' });
  await expect(stranger.get('a/one')).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
  await expect(stranger.put('a/one', Buffer.from('x'))).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
  expect(server.asked).toHaveLength(3);
  const error = await stranger.delete('a/one').then(String, String);
  expect(error).not.toContain('guessed');
  expect(await read('a/one')).toBeUndefined();
});

test.each(['', '/', '../x', 'a/../../x', 'a//b', 'a/.', 'a\u0000b', '/etc/passwd', 'a?b', 'A'])(
  'no address comes of %j',
  async (key) => {
    await expect(blobs.put(key, Buffer.from('y'))).rejects.toThrow('not a key');
    await expect(blobs.get(key)).rejects.toThrow('not a key');
    await expect(blobs.delete(key)).rejects.toThrow('not a key');
    expect(server.asked).toEqual([]);
  },
);

test('a bucket is known by its mark, as a folder is', async () => {
  const db = await createTestDatabase();
  const owner = new pg.Client(db.owner);
  await owner.connect();
  await owner.query(`insert into installation (mode) values ('production') on conflict do nothing`);
  await noteFolder(owner, blobs).finally(() => owner.end());
  expect(await assertFolder(db.appPool, blobs)).toBe(true);
  expect(await listed('trial')).toEqual([]);
  await expect(assertFolder(db.appPool, bucket({ bucket: 'another' }))).rejects.toThrow(
    /KIST_S3_BUCKET is a bucket without the mark/,
  );
  await expect(assertFolder(db.appPool, bucket({ secretAccessKey: 'guessed' }))).rejects.toThrow(
    /bucket of the pictures \(KIST_S3_BUCKET\) cannot be read and written \(SignatureDoesNotMatch\)/,
  );
  const check = createFolderCheck(db.appPool, blobs);
  expect(await check()).toBeUndefined();
  // No process would have its pictures then: payments and unlocks go on.
  server.faults.push('busy', 'busy', 'busy', 'busy');
  expect(await check()).toBe('away');
  server.faults.push(...Array<Fault>(4).fill('silence'));
  const askedAt = performance.now();
  expect(await check()).toBe('away');
  expect(performance.now() - askedAt).toBeLessThan(1500);
  server.faults.length = 0;
  await expect.poll(check).toBeUndefined();
  await expect(createFolderCheck(db.appPool, bucket({ bucket: 'another' }))()).rejects.toThrow(/without the mark/);
  await expect(createFolderCheck(db.appPool, bucket({ secretAccessKey: 'guessed' }))()).rejects.toThrow(/Signature/);
});

test('is emptied below a beginning, but for what is to stay', async () => {
  expect(await anyBlob(blobs, 'e')).toBeUndefined();
  for (const key of ['e/mark', 'e/20/one', 'e/21/two']) await blobs.put(key, Buffer.from('x'));
  expect(await anyBlob(blobs, 'e')).toMatch(/^e\//);
  await emptyBlobs(blobs, 'e', ['e/mark']);
  expect(await listed('e')).toEqual(['e/mark']);
});

test('is chosen by the settings', () => {
  expect(createBlobs({ blobsDir: '/somewhere', s3: undefined }).place).toEqual({
    setting: 'KIST_BLOBS_DIR',
    kind: 'folder',
    at: '/somewhere',
  });
  const { place } = createBlobs({ blobsDir: '/somewhere', s3: server.settings });
  expect(place).toEqual({ setting: 'KIST_S3_BUCKET', kind: 'bucket', at: `${server.settings.endpoint}/pictures` });
});

test('what answers in the place of the bucket, and keeps nothing, is no bucket that kept it', async () => {
  const endpoint = await answering((_request, reply) =>
    reply.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
  );
  await expect(bucket({ endpoint }).put('c/one', Buffer.from('a picture'))).rejects.toMatchObject({ code: 'BROKEN' });
});

test('of a file that is larger than any of ours no more is read than shows it, and it is not asked for again', async () => {
  const sent = { bytes: 0, times: 0 };
  const piece = Buffer.alloc(64 * 1024);
  const endpoint = await answering((_request, reply) => {
    sent.times += 1;
    const go = (): void => {
      while (!reply.destroyed && sent.bytes < 400_000_000) {
        sent.bytes += piece.length;
        if (!reply.write(piece)) return void reply.once('drain', go);
      }
      reply.end();
    };
    go();
  });
  // Sixteen megabytes are not read within the others' patience on every machine; what ran out of time would be asked for again.
  const error: unknown = await bucket({ endpoint }, { timeoutMs: 30_000 })
    .get('c/one')
    .catch((wrong: unknown) => wrong);
  expect([isNotAsPut(error), isBucketAway(error), sent.times]).toEqual([true, false, 1]);
  expect(sent.bytes).toBeLessThan(40_000_000);
});
