import { describe, expect, test } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import * as documents from '#server/documents/documents.ts';
import { writeJpeg } from '#server/documents/jpeg.ts';
import type { Actor } from '#server/identity/identity.ts';
import { writePng } from '#server/platform/png.ts';
import * as sales from '#server/sales/sales.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';

/** What nobody can make of pictures who writes to the database as the account that serves, and who would see it. */
const desk = useDocumentDesk();
const pixels = (grey: number) => ({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(grey) });
const photo = await writeJpeg(pixels(120), 0.9);
const drawn = writePng(pixels(0));

const keep = (customerId: string, document_type: string) =>
  desk.upload('uploadCustomerDocument', customerId, document_type.endsWith('signature') ? drawn : photo, {
    fields: { document_type },
  });
const linkOf = async (document_id: string) =>
  (await desk.http.call('getDocument', { token: desk.token, query: { document_id } })).data.url;
const draftOf = async (shop: Actor) => {
  const body = registerBodySchema.parse({ draft: true, plan_id: 1 });
  return (await desk.services.db.transaction(shop.orgId, (tx) => sales.register(tx, shop, body))).customer_id;
};

describe('as the account that serves', () => {
  const zeros = `decode(repeat('00', 65), 'hex')`;
  const say = (...texts: string[]) =>
    desk.db.transaction(20, async (tx) => {
      for (const text of texts) await tx.query(text);
    });
  test('nobody changes what opens a picture; the operator does', async () => {
    const customerId = await desk.draft();
    const id = (await keep(customerId, 'signature')).data.document_id;
    const where = `where document_id = '${id}'`;
    for (const change of [`key_sealed = ${zeros}`, `key_sealed = null, sealed = '\\x00'`])
      await expect(say(`update documents set ${change} ${where}`), change).rejects.toThrow(/by the operator alone/);
    expect((await desk.get(await linkOf(id))).status).toBe(200);
    await desk.db.operator.transaction(20, (tx) => tx.query(`update documents set key_sealed = ${zeros} ${where}`));
    expect((await desk.get(await linkOf(id))).status).toBe(409);
  });
  test('a picture is replaced now, whatever time is said, and kept for its month', async () => {
    const customerId = await desk.draft();
    const id = (await keep(customerId, 'pan')).data.document_id;
    const where = `where document_id = '${id}'`;
    await expect(
      say(
        `update documents set replaced_at = kist_now() - interval '31 days' ${where}`,
        `update documents set gone_at = kist_now(), key_sealed = null ${where}`,
      ),
    ).rejects.toThrow(/just replaced/);
    await say(`update documents set replaced_at = kist_now() - interval '31 days' ${where}`);
    const [row] = await desk.db.asOwner(
      `select replaced_at > kist_now() - interval '1 minute' as now from documents ${where}`,
    );
    expect(row).toEqual({ now: true });
  });
  test('the hash of what was kept stands in the audit', async () => {
    const customerId = await desk.draft();
    await keep(customerId, 'pan');
    const rows = await desk.db.asOwner<{ told: string; kept: string }>(
      `select l.data ->> 'sha256' as told, encode(d.sha256, 'hex') as kept from audit_lines l join documents d on d.document_id::text = l.data ->> 'document_id'
       where l.subject_id = $1 and l.action = 'document_kept'`,
      [customerId],
    );
    expect(rows).toEqual([{ told: rows[0]?.kept, kept: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });
});

test('of a customer who was erased no picture is taken, whatever it is of, and nothing stays of what was sent', async () => {
  const customerId = await desk.draft();
  await keep(customerId, 'signature');
  await desk.sell(customerId);
  await desk.db.plant(
    ['agreements', 'erasures'],
    `insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until)
     values (20, $1, now(), $2, 'shop', '2035-01-01', '2036-01-01')`,
    [customerId, desk.shop.userId],
  );
  const [rows, files] = [await desk.rows(customerId), await desk.files()];
  for (const type of ['pan', 'other', 'photo', 'signature'])
    expect(await keep(customerId, type), type).toMatchObject({ status: 409, code: 'STATE_CONFLICT' });
  expect(await desk.rows(customerId)).toEqual(rows);
  expect(await desk.files()).toEqual(files);
});

describe('whoever looks at some of the pictures', () => {
  test('tells those without a file, those that do not open, are too long or are others than were kept', async () => {
    await makeOrganisation(desk.db, 32);
    const shop = await makeRetailer(desk.db, 32);
    const keeping = desk.services.db.ports.documents;
    const look = () => documents.lookAtFiles(desk.services.db, 32, keeping);
    expect(await look()).toEqual({ lookedAt: 0, missing: 0, broken: 0 });
    const customer_id = await draftOf(shop);
    const ids: string[] = [];
    for (const image_name of ['one', 'two', 'three', 'four'])
      ids.push(
        await documents.keep(desk.services.db, shop, { customer_id, document_type: 'pan', image_name, bytes: photo }),
      );
    expect(await look()).toEqual({ lookedAt: 4, missing: 0, broken: 0 });
    const keyOf = (id: string) => `documents/32/${id.slice(-2)}/${id}`;
    await keeping.blobs.delete(keyOf(ids[0]!));
    await keeping.blobs.put(keyOf(ids[1]!), Buffer.from('half a picture, and then nothing more of it'));
    await desk.db.plant(['documents'], `update documents set sha256 = '\\x00' where document_id = $1`, [ids[2]]);
    expect(await look()).toEqual({ lookedAt: 4, missing: 1, broken: 2 });
    // Longer than any picture can be: the others are looked at all the same.
    await keeping.blobs.put(keyOf(ids[1]!), Buffer.alloc(2 * LIMITS.uploadBytes + 1));
    expect(await look()).toEqual({ lookedAt: 4, missing: 1, broken: 2 });
  });
});
