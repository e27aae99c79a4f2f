import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { createSealer } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { marksOf, noteMarks } from '#server/platform/secret-marks.ts';
import { newSecret, parseKeyRing } from '#server/platform/secrets.ts';
import * as documents from '#server/documents/documents.ts';
import { writePng } from '#server/platform/png.ts';
import * as sales from '#server/sales/sales.ts';
import { atEnd } from '#test/at-end.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { secretVerbs } from './secret-verbs.ts';
import { read } from './verbs.ts';

const desk = useDocumentDesk();
const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-keys-'));
atEnd(() => rmSync(dataDir, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const [first, second] = [newSecret(), newSecret()];
const note = (ring: string) => desk.db.operator.unscoped((tx) => noteMarks(tx, marksOf({ keys: parseKeyRing(ring) })));
const versions = async () =>
  (
    await desk.db.asOwner<{ key: number }>('select distinct get_byte(key_sealed, 4) as key from documents order by 1')
  ).map(({ key }) => key);

async function renew(ring: string): Promise<unknown> {
  vi.stubEnv('KIST_DATA_DIR', dataDir);
  vi.stubEnv('KIST_MODE', 'production');
  vi.stubEnv('KIST_SECRET_KEY', ring);
  const asked = read('secrets', secretVerbs, ['renew']);
  if (typeof asked === 'string') return asked;
  const at = { ...deskOf(desk.db), database: desk.services.db };
  return asked.verb.run(at, asked.given).catch((error: unknown) => (error as Error).message);
}

const bytes = writePng({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4) });
/** A server that has the first key alone. */
function underFirst(): Database {
  const { ports } = desk.services.db;
  const sealer = createSealer(parseKeyRing(`1:${first}`));
  return desk.services.db.with({ ...ports, documents: { ...ports.documents, sealer } });
}

test('pictures are sealed anew only under a key that a start has noted', async () => {
  await note(`1:${first}`);
  await documents.keep(underFirst(), desk.shop, { customer_id: await desk.draft(), document_type: 'signature', bytes });

  expect(await renew(`2:${second},1:${first}`)).toMatch(/does not know key 2 .* Restart all processes with it first/);
  expect(await renew(`1:${second}`)).toMatch(/key 1 of KIST_SECRET_KEY is another one/);
  expect(await renew(`2:${second}`)).toMatch(/key 1 of KIST_SECRET_KEY is missing/);
  expect(await versions()).toEqual([1]);

  await note(`2:${second},1:${first}`);
  expect(await renew(`2:${second},1:${first}`)).toMatchObject({
    isInOrder: true,
    data: { key: 2, organisations: [{ org_id: 20, looked_at: 1, renewed: 1, broken: 0 }] },
  });
  expect(await versions()).toEqual([2]);
});

test('how many pictures open with no key is told, of customers and of shops, and is not in order; those beside them are renewed', async () => {
  await makeOrganisation(desk.db, 33);
  const shop = await makeRetailer(desk.db, 33);
  const customer_id = (
    await desk.services.db.transaction(33, (tx) =>
      sales.register(tx, shop, registerBodySchema.parse({ draft: true, plan_id: 1 })),
    )
  ).customer_id;
  const db = underFirst();
  const papers: string[] = [];
  for (const image_name of ['one', 'two', 'three'])
    papers.push(await documents.keep(db, shop, { customer_id, document_type: 'pan', image_name, bytes }));
  for (const kind of ['qr', 'signature'] as const)
    await documents.keepPicture(db, shop, { user_id: undefined, kind, bytes });
  const zeros = `decode(repeat('00', 65), 'hex')`;
  await desk.db.operator.transaction(33, async (tx) => {
    await tx.query(`update documents set key_sealed = ${zeros} where document_id = $1`, [papers[0]]);
    await tx.query(`update user_pictures set sealed = ${zeros} where user_id = $1 and kind = 'qr'`, [shop.userId]);
  });

  await note(`2:${second},1:${first}`);
  for (const renewed of [3, 0])
    expect(await renew(`2:${second},1:${first}`)).toMatchObject({
      isInOrder: false,
      data: { organisations: expect.arrayContaining([{ org_id: 33, looked_at: 5, renewed, broken: 2 }]) },
      lines: expect.arrayContaining([`33: ${renewed} of 5 pictures renewed, 2 open with no key of KIST_SECRET_KEY`]),
    });
});
