import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keepPicture, latest } from '#server/documents/documents.ts';
import { readJpeg, writeJpeg } from '#server/documents/jpeg.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { png } from '#test/png-file.ts';

const CANARY = Buffer.from('GPS 19.9975 N <script>alert(1)</script>');
const desk = useDocumentDesk();
const draft = () => desk.draft();
const upload = (...args: Parameters<typeof desk.upload>) => desk.upload(...args);
const documentsOf = (customerId: string) => desk.rows(customerId);
const opened = (documentId: string) => desk.opened(documentId);

const picture = { width: 40, height: 30, data: new Uint8Array(40 * 30 * 4).fill(200) };
const photo = await writeJpeg(picture, 0.9);
const signature = writePng(picture);

/** Noise in the first row, and the same step down from each to the next: packed by rows it is small, packed as we do it is not. */
function slopes(width: number, height: number): Buffer {
  const [asIs, fromAbove, withAlpha] = [0, 2, 6];
  const step = randomBytes(width * 4);
  const rows = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.of(y === 0 ? asIs : fromAbove), step]));
  const made = png({ width, height, colour: withAlpha, rows: Buffer.concat(rows) });
  expect(made.length).toBeLessThan(60_000);
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
    ['uploadSignature', 'text', Buffer.from('Asha'), 'FILE_TYPE_UNSUPPORTED', 'field.file_type'],
    [
      'uploadSignature',
      'a small file that is large as it would be kept',
      slopes(1190, 1190),
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
      expect(await upload('uploadCustomerPhoto', customerId, bytes, { token: desk.neighbour })).toMatchObject({
        code: 'NOT_FOUND',
      });
  });
});

describe('what is kept', () => {
  it('opens in its own row alone: moved to another document it is refused, moved back it is whole', async () => {
    const customerId = await draft();
    const ids: string[] = [];
    for (const colour of [10, 240]) {
      const drawn = writePng({ ...picture, data: new Uint8Array(40 * 30 * 4).fill(colour) });
      const sent = { fields: { document_type: 'other' } };
      ids.push((await upload('uploadCustomerDocument', customerId, drawn, sent)).data.document_id);
    }
    const swap = () =>
      desk.db.asOwner(
        `update documents d set key_sealed = o.key_sealed from documents o
         where d.document_id = any($1) and o.document_id = any($1) and o.document_id <> d.document_id`,
        [ids],
      );
    const statuses = async () => {
      const found: number[] = [];
      for (const document_id of ids) {
        const { data } = await desk.http.call('getDocument', { token: desk.token, query: { document_id } });
        found.push((await desk.get(data.url)).status);
      }
      return found;
    };
    expect(await statuses()).toEqual([200, 200]);
    await swap();
    expect(await statuses()).toEqual([409, 409]);
    await swap();
    expect(await statuses()).toEqual([200, 200]);
  });
  it('of before, in its row, opens as it did', async () => {
    const customerId = await draft();
    const { data } = await upload('uploadCustomerPhoto', customerId, photo);
    const { document_id } = data;
    const { sealer } = desk.services.db.ports.documents;
    await desk.db.asOwner('update documents set key_sealed = null, sealed = $2 where document_id = $1', [
      document_id,
      sealer.seal('as it lay in its row', `20|documents|sealed|${document_id}`),
    ]);
    expect((await opened(document_id)).bytes.toString()).toBe('as it lay in its row');
  });
  it('of a signature on paper is taken as any photo is, and up to the 5 MB of every upload', async () => {
    const customerId = await draft();
    const { data: signed } = await upload('uploadSignature', customerId, Buffer.concat([photo, CANARY]));
    const { mime, bytes } = await opened(signed.document_id);
    expect([mime, bytes.includes('script')]).toEqual(['image/jpeg', false]);
    const noise = writePng({ width: 400, height: 400, data: randomBytes(640_000) });
    expect(noise.length).toBeGreaterThan(400_000);
    expect(await upload('uploadSignature', customerId, noise)).toMatchObject({ status: 200 });
  });
  it('as a photo is the customer’s from then on; another picture is not', async () => {
    const customerId = await draft();
    const own = async () =>
      (await desk.db.asOwner('select photo_document_id as id from customers where customer_id = $1', [customerId]))[0];
    for (let time = 0; time < 2; time += 1) {
      const { data } = await upload('uploadCustomerPhoto', customerId, photo);
      await upload('uploadSignature', customerId, signature);
      expect(await own()).toEqual({ id: data.document_id });
    }
  });
  it('as a signature counts when it is the newest', async () => {
    const customerId = await draft();
    const signed = async () =>
      desk.services.db.read(20, (tx) => latest(tx, { customer_id: customerId, document_type: 'signature' }));
    expect(await signed()).toBeNull();
    const { data: first } = await upload('uploadSignature', customerId, signature);
    expect(await signed()).toBe(first.document_id);
    const { data: second } = await upload('uploadSignature', customerId, signature);
    await upload('uploadCustomerPhoto', customerId, photo);
    expect(await signed()).toBe(second.document_id);
  });
});

it('a picture of a shop that is kept, or takes the place of another, stands in the shop’s audit: which one, and who kept it', async () => {
  const mini = await makeRetailer(desk.db, 20, desk.shop);
  const keep = (kind: 'qr' | 'signature') =>
    keepPicture(desk.services.db, desk.shop, { user_id: mini.userId, kind, bytes: signature });
  const kept = [
    { kind: 'qr', picture_id: await keep('qr') },
    { kind: 'signature', picture_id: await keep('signature') },
    { kind: 'qr', picture_id: await keep('qr') },
  ];
  expect(
    await desk.db.asOwner(
      `select subject_kind, actor ->> 'user_id' as by, data from audit_lines where subject_id = $1 and action = 'picture_kept' order by seq`,
      [mini.userId],
    ),
  ).toEqual(kept.map((data) => ({ subject_kind: 'user', by: desk.shop.userId, data })));
});

describe('a draft that is deleted', () => {
  it('takes its photo and its signature with it, and says so in the audit', async () => {
    const customerId = await draft();
    const { data: first } = await upload('uploadCustomerPhoto', customerId, photo);
    const { data: second } = await upload('uploadSignature', customerId, signature);
    expect(
      (await desk.http.call('deleteDraft', { token: desk.neighbour, body: { customer_id: customerId } })).code,
    ).toBe('NOT_FOUND');
    expect(
      (await desk.http.call('deleteDraft', { token: desk.token, body: { customer_id: customerId } })).data,
    ).toEqual({
      keys_returned: 0,
    });
    expect(await documentsOf(customerId)).toEqual([]);
    const lines = await desk.db.asOwner<{ action: string; data: object }>(
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
    await desk.db.asOwner('update customers set is_draft = false where customer_id = $1', [signed]);
    await desk.sell(consented);
    // As if a mistake had made it a draft again.
    await desk.db.plant(['customers'], 'update customers set is_draft = true where customer_id = $1', [consented]);
    const deleted = await desk.db.transaction(20, (tx) => tx.query('delete from documents where true'));
    for (const customerId of [signed, consented]) expect(await documentsOf(customerId)).toHaveLength(1);
    expect(deleted.rowCount).toBeGreaterThan(0);
    expect((await desk.http.call('deleteDraft', { token: desk.token, body: { customer_id: signed } })).code).toBe(
      'STATE_CONFLICT',
    );
  });
  it('of another organisation stays out of reach', async () => {
    const customerId = await draft();
    await upload('uploadSignature', customerId, signature);
    await makeOrganisation(desk.db, 21);
    await desk.db.transaction(21, (tx) => tx.query('delete from documents where true'));
    expect(await documentsOf(customerId)).toHaveLength(1);
  });
});
