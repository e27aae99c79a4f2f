import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createSealer } from '#server/platform/crypto.ts';
import { marksOf, noteMarks } from '#server/platform/secret-marks.ts';
import { newSecret, parseKeyRing } from '#server/platform/secrets.ts';
import * as documents from '#server/documents/documents.ts';
import { writePng } from '#server/platform/png.ts';
import { atEnd } from '#test/at-end.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
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
  return asked.verb.run(at, asked.given).then(
    ({ data }) => data,
    (error: unknown) => (error as Error).message,
  );
}

test('pictures are sealed anew only under a key that a start has noted', async () => {
  await note(`1:${first}`);
  const { ports } = desk.services.db;
  const sealer = createSealer(parseKeyRing(`1:${first}`));
  const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, sealer } });
  const bytes = writePng({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4) });
  await documents.keep(db, desk.shop, { customer_id: await desk.draft(), document_type: 'signature', bytes });

  expect(await renew(`2:${second},1:${first}`)).toMatch(/does not know key 2 .* Restart all processes with it first/);
  expect(await renew(`1:${second}`)).toMatch(/key 1 of KIST_SECRET_KEY is another one/);
  expect(await renew(`2:${second}`)).toMatch(/key 1 of KIST_SECRET_KEY is missing/);
  expect(await versions()).toEqual([1]);

  await note(`2:${second},1:${first}`);
  expect(await renew(`2:${second},1:${first}`)).toMatchObject({
    key: 2,
    organisations: [{ org_id: 20, looked_at: 1, renewed: 1, broken: 0 }],
  });
  expect(await versions()).toEqual([2]);
});
