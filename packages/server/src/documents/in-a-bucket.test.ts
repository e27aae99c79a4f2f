import { AwsClient } from 'aws4fetch';
import { expect, test } from 'vitest';
import { asKistError } from '#server/http/errors.ts';
import type { Blobs } from '#server/platform/blobs.ts';
import { writePng } from '#server/platform/png.ts';
import { createS3Blobs } from '#server/platform/s3-blobs.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { s3Server } from '#test/s3-server.ts';
import * as documents from './documents.ts';

const desk = useDocumentDesk();
const { settings, faults } = await s3Server();
const blobs = createS3Blobs(settings);
const bytes = writePng({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4) });

/** The services of the desk, whose pictures lie elsewhere. */
function keepingIn(where: Blobs) {
  const { ports } = desk.services.db;
  return desk.services.db.with({ ...ports, documents: { ...ports.documents, blobs: where } });
}
const keep = async (db: ReturnType<typeof keepingIn>) =>
  documents.keep(db, desk.shop, { customer_id: await desk.draft(), document_type: 'signature', bytes });
const linkTo = async (document_id: string) => {
  const { url } = (await desk.http.call('getDocument', { token: desk.token, query: { document_id } })).data;
  return documents.readFileLink(desk.services.db.ports.documents.linkKey, url.slice('/files/'.length))!;
};
const keys = async () => {
  const found: string[] = [];
  for await (const key of blobs.list('documents')) found.push(key);
  return found;
};

test('a picture lies sealed in the bucket, is found there, and is missed when it is gone', async () => {
  const db = keepingIn(blobs);
  faults.push('busy');
  await keep(db);
  const [key = '', ...rest] = await keys();
  expect(rest).toEqual([]);
  const keeping = { sealer: db.ports.documents.sealer, blobs };
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({
    lookedAt: 1,
    missing: 0,
    broken: 0,
  });
  await blobs.put(key, Buffer.from('somebody else’s bytes, whole as they came'));
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({ missing: 0, broken: 1 });
  await blobs.delete(key);
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({ missing: 1, broken: 0 });
});

test('a file that lies in the place of another, of this organisation or of another one, does not open', async () => {
  const db = keepingIn(blobs);
  const [one, two] = [await keep(db), await keep(db)];
  const keyOf = (id: string, orgId = 20) => `documents/${orgId}/${id.slice(-2)}/${id}`;
  const file = await blobs.get(keyOf(two));
  await blobs.put(keyOf(one), file!);
  await expect(documents.openLink(db, await linkTo(one), '')).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED' });
  expect((await documents.openLink(db, await linkTo(two), '')).mime).toBe('image/png');
  expect((await keys()).every((key) => key.startsWith('documents/20/'))).toBe(true);
});

test('a bucket that is away is said to be, and nothing is kept of what was sent to it', async () => {
  const quick = createS3Blobs(settings, { tries: 2, timeoutMs: 300, firstWaitMs: 1, page: 1000 });
  const db = keepingIn(quick);
  const before = await desk.db.asOwner('select from documents');
  faults.push('busy', 'busy');
  const refusal: unknown = await keep(db).catch((error: unknown) => error);
  expect(asKistError(refusal)).toMatchObject({ code: 'UNAVAILABLE', options: { retryAfterS: 5 } });
  faults.length = 0;
  expect(await desk.db.asOwner('select from documents')).toHaveLength(before.length);
});

test.each([
  [
    'a key that is not its account’s',
    { secretAccessKey: 'guessed' },
    /SignatureDoesNotMatch.*KIST_S3_SECRET_ACCESS_KEY/,
  ],
  ['a bucket that is not there', { bucket: 'nowhere' }, /NoSuchBucket.*KIST_S3_BUCKET/],
])(
  '%s is no matter of time: it has a code of its own, and the log says what is to be mended',
  async (_, wrong, said) => {
    const refused = keepingIn(createS3Blobs({ ...settings, ...wrong }));
    const error = asKistError(await keep(refused).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ code: 'PICTURES_UNAVAILABLE', message: expect.stringMatching(said) });
    expect(error.message).not.toContain('guessed');
    const link = await linkTo(await keep(keepingIn(blobs)));
    const look = await documents.openLink(refused, link, '').catch((thrown: unknown) => thrown);
    expect(asKistError(look)).toMatchObject({ code: 'PICTURES_UNAVAILABLE' });
  },
);

test('other bytes under the digest of the first are a damaged picture, not a bucket that is busy', async () => {
  const db = keepingIn(blobs);
  const id = await keep(db);
  const [key] = (await keys()).filter((one) => one.endsWith(id));
  const somebody = new AwsClient({ ...settings, service: 's3' });
  const at = `${settings.endpoint}/${settings.bucket}/${key}`;
  const lying = await somebody.fetch(at);
  const headers = { 'x-amz-meta-sha256': lying.headers.get('x-amz-meta-sha256')! };
  const put = await somebody.fetch(at, { method: 'PUT', body: (await lying.bytes()).reverse(), headers });
  expect(put.status).toBe(200);
  await expect(documents.openLink(db, await linkTo(id), '')).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED' });
});

test('pictures that wait for a slow bucket hold no connection, and a session that ended meanwhile sees nothing', async () => {
  const link = await linkTo(await keep(keepingIn(blobs)));
  const asked: (() => void)[] = [];
  const slow: Blobs = {
    ...blobs,
    async get(key) {
      await new Promise<void>((done) => asked.push(done));
      return blobs.get(key);
    },
  };
  const db = keepingIn(slow);
  const looks = Array.from({ length: 12 }, () => documents.openLink(db, link, ''));
  const outcomes = Promise.allSettled(looks);
  await expect.poll(() => asked.length).toBe(12);
  await desk.db.asOwner('update sessions set revoked_at = now() where session_id = $1', [link.sessionId]);
  for (const go of asked) go();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
});
