import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { PLAN } from '@kist/contract/codes';
import { latest } from '#server/documents/documents.ts';
import { readJpeg, writeJpeg } from '#server/documents/jpeg.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from '#test/database.ts';
import { imei, makeOrganisation, makeRetailer } from '#test/factories.ts';
import { createSession, createTestApp, emmHeader, type TestApp } from '#test/http.ts';
import * as sales from '#server/sales/sales.ts';
import { customerRoutes } from './customers.ts';
import { documentRoutes } from './documents.ts';
import { png } from '#test/png-file.ts';
import { createServices, type TestServices } from '#test/services.ts';

const CANARY = Buffer.from('GPS 19.9975 N <script>alert(1)</script>');
const db = await createTestDatabase();
let services: TestServices;
let http: TestApp;
let shop: Actor;
let token: string;
let neighbour: string;

const picture = { width: 40, height: 30, data: new Uint8Array(40 * 30 * 4).fill(200) };
const photo = await writeJpeg(picture, 0.9);
const signature = writePng(picture);

beforeAll(async () => {
  services = createServices(db);
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await db.transaction(20, (tx) =>
    wallet.credit(tx, { userId: shop.userId, planType: PLAN.DPC, lot: 'paid', count: 10, effectKey: 'test' }),
  );
  http = await createTestApp({
    database: services.db,
    register: (app) => {
      customerRoutes(app, services);
      documentRoutes(app);
    },
  });
  const session = (actor: Actor) => createSession(db, { orgId: 20, userId: actor.userId, mobile: '' });
  token = await session(shop);
  neighbour = await session(await makeRetailer(db, 20));
});
afterAll(() => services.waker.close());

type Upload = 'uploadSignature' | 'uploadCustomerPhoto';
async function upload(name: Upload, customerId: string, bytes: Buffer, who = token, type = 'image/png') {
  const { path } = ENDPOINTS[name];
  const head = `--b\r\nContent-Disposition: form-data; name="customer_id"\r\n\r\n${customerId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="photo.png"\r\nContent-Type: ${type}\r\n\r\n`;
  const reply = await http.app.fastify.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'multipart/form-data; boundary=b',
      'x-emm-auth-session': emmHeader(path),
      authorization: `bearer ${who}`,
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]),
  });
  return reply.json<{
    status: number;
    code?: string;
    errors?: { path: string; message: string }[];
    data: { document_id: string };
  }>();
}
async function draft(): Promise<string> {
  const body = registerBodySchema.parse({ draft: true, plan_id: 1 });
  return (await services.db.transaction(20, (tx) => sales.register(tx, shop, body))).customer_id;
}
const documentsOf = (customerId: string) =>
  db.asOwner<{ document_id: string; mime: string; bytes: number }>(
    'select document_id, mime, bytes from documents where customer_id = $1',
    [customerId],
  );
const opened = async (documentId: string) => {
  const { mime, data_url: url } = (await http.call('getDocument', { token, query: { document_id: documentId } })).data;
  return { mime, bytes: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') };
};

/** Noise in the first row, and the same step down from each to the next: packed by rows it is small, packed as we do it is not. */
function slopes(width: number, height: number): Buffer {
  const [asIs, fromAbove] = [0, 2];
  const step = randomBytes(width * 3);
  const rows = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.of(y === 0 ? asIs : fromAbove), step]));
  const made = png({ width, height, rows: Buffer.concat(rows) });
  expect(made.length).toBeLessThan(20_000);
  return made;
}

describe('an upload', () => {
  it('is made anew: the picture comes back, and nothing that the file carried beside it', async () => {
    const customerId = await draft();
    const { data: kept } = await upload('uploadCustomerPhoto', customerId, Buffer.concat([photo, CANARY]));
    const { mime, bytes } = await opened(kept.document_id);
    expect(mime).toBe('image/jpeg');
    expect(bytes.includes('script')).toBe(false);
    expect(await readJpeg(bytes, 10_000)).toMatchObject({ width: 40, height: 30 });
    const { data: signed } = await upload('uploadSignature', customerId, Buffer.concat([signature, CANARY]));
    const drawn = await opened(signed.document_id);
    expect(drawn.mime).toBe('image/png');
    expect(readPng(drawn.bytes, 10_000)).toEqual(picture);
  });
  it.each([
    ['uploadCustomerPhoto', 'a cut photo', photo.subarray(0, -30), 'FILE_UNREADABLE', 'field.file_unreadable'],
    ['uploadSignature', 'a cut drawing', signature.subarray(0, -30), 'FILE_UNREADABLE', 'field.file_unreadable'],
    [
      'uploadCustomerPhoto',
      'SVG that calls itself PNG',
      Buffer.from('<svg onload="alert(1)"/>'),
      'FILE_TYPE_UNSUPPORTED',
      'field.file_type',
    ],
    ['uploadSignature', 'a photo', photo, 'FILE_TYPE_UNSUPPORTED', 'field.signature_png'],
    [
      'uploadSignature',
      'noise of 400 KB',
      writePng({ width: 400, height: 400, data: randomBytes(640_000) }),
      'TOO_LARGE',
      'field.too_large',
    ],
    [
      'uploadSignature',
      'a small file that is large as it would be kept',
      slopes(300, 400),
      'TOO_LARGE',
      'field.too_large',
    ],
  ] as const)(
    '%s refuses %s, says what is wrong with the file and keeps nothing',
    async (name, _what, bytes, code, field) => {
      const customerId = await draft();
      expect(await upload(name, customerId, bytes)).toMatchObject({ code, errors: [{ path: 'file', code: field }] });
      expect(await documentsOf(customerId)).toEqual([]);
    },
  );
  it("to a neighbour's customer finds nobody, whatever the bytes", async () => {
    const customerId = await draft();
    for (const bytes of [photo, CANARY])
      expect(await upload('uploadCustomerPhoto', customerId, bytes, neighbour)).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is kept', () => {
  it('opens in its own row alone: moved to another document it is refused, moved back it is whole', async () => {
    const customerId = await draft();
    const ids: string[] = [];
    for (const colour of [10, 240]) {
      const drawn = writePng({ ...picture, data: new Uint8Array(40 * 30 * 4).fill(colour) });
      ids.push((await upload('uploadSignature', customerId, drawn)).data.document_id);
    }
    const swap = () =>
      db.asOwner(
        `update documents d set sealed = o.sealed from documents o
         where d.document_id = any($1) and o.document_id = any($1) and o.document_id <> d.document_id`,
        [ids],
      );
    const statuses = () =>
      Promise.all(
        ids.map(async (document_id) => (await http.call('getDocument', { token, query: { document_id } })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await swap();
    expect(await statuses()).toEqual([500, 500]);
    await swap();
    expect(await statuses()).toEqual([200, 200]);
  });
  it('as a signature counts when it is the newest', async () => {
    const customerId = await draft();
    const signed = async () =>
      services.db.read(20, (tx) => latest(tx, { customer_id: customerId, document_type: 'signature' }));
    expect(await signed()).toBeNull();
    const { data: first } = await upload('uploadSignature', customerId, signature);
    expect(await signed()).toBe(first.document_id);
    const { data: second } = await upload('uploadSignature', customerId, signature);
    await upload('uploadCustomerPhoto', customerId, photo);
    expect(await signed()).toBe(second.document_id);
  });
});

describe('a draft that is deleted', () => {
  it('takes its photo and its signature with it, and says so in the audit', async () => {
    const customerId = await draft();
    const { data: first } = await upload('uploadCustomerPhoto', customerId, photo);
    const { data: second } = await upload('uploadSignature', customerId, signature);
    expect((await http.call('deleteDraft', { token: neighbour, body: { customer_id: customerId } })).code).toBe(
      'NOT_FOUND',
    );
    expect((await http.call('deleteDraft', { token, body: { customer_id: customerId } })).data).toEqual({
      keys_returned: 0,
    });
    expect(await documentsOf(customerId)).toEqual([]);
    const lines = await db.asOwner<{ action: string; data: object }>(
      `select action, data from audit_lines where subject_id = $1 and action like '%deleted' order by seq`,
      [customerId],
    );
    expect(lines).toEqual([
      {
        action: 'documents_deleted',
        data: { document_ids: expect.arrayContaining([first.document_id, second.document_id]) },
      },
      { action: 'draft_deleted', data: {} },
    ]);
  });
  it('is the only one whose documents the database lets go of, and not what a consent refers to', async () => {
    const [signed, consented] = [await draft(), await draft()];
    for (const customerId of [signed, consented]) await upload('uploadSignature', customerId, signature);
    await db.asOwner('update customers set is_draft = false where customer_id = $1', [signed]);
    const body = registerBodySchema.parse({
      plan_id: 1,
      customer: { first_name: 'Savita', mobile: '9812345678' },
      device: { imei1: imei(77), brand: 'Redmi', model: '13C' },
      emi: {
        method: 'ZERO',
        frequency: 'MONTHLY',
        rate_bps: 0,
        tenure: 4,
        cash_price: 10_000_00,
        down_payment: 8_000_00,
        delivered_on: (await db.asOwner<{ on: string }>(`select kist_now()::date::text as on`))[0]?.on,
      },
      consent: { text_version: '1', language: 'en', method: 'signature', accepted: true },
      customer_id: consented,
    });
    await services.db.transaction(20, (tx) => sales.register(tx, shop, body));
    // As if a mistake had made it a draft again.
    await db.asOwner('update customers set is_draft = true where customer_id = $1', [consented]);
    const deleted = await db.transaction(20, (tx) => tx.query('delete from documents where true'));
    for (const customerId of [signed, consented]) expect(await documentsOf(customerId)).toHaveLength(1);
    expect(deleted.rowCount).toBeGreaterThan(0);
    expect((await http.call('deleteDraft', { token, body: { customer_id: signed } })).code).toBe('STATE_CONFLICT');
  });
  it('of another organisation stays out of reach', async () => {
    const customerId = await draft();
    await upload('uploadSignature', customerId, signature);
    await makeOrganisation(db, 21);
    await db.transaction(21, (tx) => tx.query('delete from documents where true'));
    expect(await documentsOf(customerId)).toHaveLength(1);
  });
});
