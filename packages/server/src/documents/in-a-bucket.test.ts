import { expect, test } from 'vitest';
import { writePng } from '#server/platform/png.ts';
import { createS3Blobs } from '#server/platform/s3-blobs.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { s3Server } from '#test/s3-server.ts';
import * as documents from './documents.ts';

const desk = useDocumentDesk();
const { settings, faults } = await s3Server();

test('a picture lies sealed in the bucket, is found there, and is missed when it is gone', async () => {
  const blobs = createS3Blobs(settings);
  const { ports } = desk.services.db;
  const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, blobs } });
  const bytes = writePng({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4) });
  faults.push('busy');
  await documents.keep(db, desk.shop, { customer_id: await desk.draft(), document_type: 'signature', bytes });
  const keys: string[] = [];
  for await (const key of blobs.list('documents')) keys.push(key);
  expect(keys).toHaveLength(1);
  const keeping = { sealer: ports.documents.sealer, blobs };
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({
    lookedAt: 1,
    missing: 0,
    broken: 0,
  });
  await blobs.put(keys[0]!, Buffer.from('somebody else’s bytes, whole as they came'));
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({ missing: 0, broken: 1 });
  await blobs.delete(keys[0]!);
  expect(await documents.lookAtFiles(db, desk.shop.orgId, keeping)).toMatchObject({ missing: 1, broken: 0 });
});
