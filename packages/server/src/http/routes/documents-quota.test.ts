import { describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { checkTotals } from '#server/documents/documents.ts';
import { writeJpeg } from '#server/documents/jpeg.ts';
import { queueUp } from '#server/documents/store.ts';
import { writePng } from '#server/platform/png.ts';
import { useDocumentDesk } from '#test/document-desk.ts';

/** How many pictures there may be. */
const desk = useDocumentDesk();
const pixels = (grey: number) => ({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(grey) });
const photo = await writeJpeg(pixels(120), 0.9);
const drawn = writePng(pixels(0));

const keep = (customerId: string, document_type: string) =>
  desk.upload('uploadCustomerDocument', customerId, document_type.endsWith('signature') ? drawn : photo, {
    fields: { document_type },
  });

describe('there are as many as there may be', () => {
  const plant = (customerId: string, count: number, bytes: number) =>
    desk.db.asOwner(
      `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at)
       select 20, gen_random_uuid(), $1, 'other', 'image/jpeg', $3, '\\x00', '\\x00', $4, kist_now() from generate_series(1, $2)`,
      [customerId, count, bytes, desk.shop.userId],
    );
  const outcome = async (customerId: string, type = 'pan') => {
    const { status, code, details } = await keep(customerId, type);
    return [status, code, details?.scope];
  };
  test('of one customer, counted and weighed', async () => {
    const [many, heavy] = [await desk.draft(), await desk.draft()];
    await plant(many, LIMITS.documentsOfCustomer - 1, 10);
    expect(await outcome(many)).toEqual([200, undefined, undefined]);
    expect(await outcome(many)).toEqual([409, 'DOCUMENT_QUOTA', 'customer']);
    await plant(heavy, 1, LIMITS.documentBytesOfCustomer - 10);
    const before = await desk.files();
    expect(await outcome(heavy)).toEqual([409, 'DOCUMENT_QUOTA', 'customer']);
    expect(await desk.files()).toEqual(before);
  });
  test('of one customer, with room for photo and signature, anew too, and not without end', async () => {
    const [many, heavy] = [await desk.draft(), await desk.draft()];
    await plant(many, LIMITS.documentsOfCustomer, 10);
    for (const type of ['signature', 'signature', 'photo', 'photo'])
      expect([type, ...(await outcome(many, type))]).toEqual([type, 200, undefined, undefined]);
    expect(await outcome(many)).toEqual([409, 'DOCUMENT_QUOTA', 'customer']);
    await plant(many, LIMITS.documentsInReserve - 4, 10);
    expect(await outcome(many, 'signature')).toEqual([409, 'DOCUMENT_QUOTA', 'customer']);
    await plant(heavy, 1, LIMITS.documentBytesOfCustomer);
    expect(await outcome(heavy, 'signature')).toEqual([200, undefined, undefined]);
    await plant(heavy, 1, LIMITS.documentBytesInReserve - 10);
    expect(await outcome(heavy, 'photo')).toEqual([409, 'DOCUMENT_QUOTA', 'customer']);
  });
  test('of one shop, whichever of its customers they are of', async () => {
    const [one, other] = [await desk.draft(), await desk.draft()];
    await plant(one, 11, Math.floor(LIMITS.documentBytesOfShop / 11));
    expect(await outcome(other)).toEqual([409, 'DOCUMENT_QUOTA', 'shop']);
    await desk.db.asOwner('delete from documents where customer_id = $1', [one]);
    expect(await outcome(other)).toEqual([200, undefined, undefined]);
  });
  const total = async () => {
    const [row] = await desk.db.asOwner<{ documents: string; bytes: string }>(
      'select documents, bytes from document_totals where org_id = 20',
    );
    return { documents: Number(row?.documents), bytes: Number(row?.bytes) };
  };
  test('of one organisation, whichever of its shops they are of, exactly, and counted without being looked through', async () => {
    const begun = await desk.http.call('registerCustomer', {
      token: desk.neighbour,
      body: { draft: true, plan_id: 1 },
    });
    const neighbour = begun.data.customer_id;
    const mine = await desk.draft();
    await keep(mine, 'pan');
    const size = (await desk.rows(mine))[0]!.bytes;
    const { documents, bytes } = await total();
    // One that is gone takes no room.
    const [old] = await desk.db.asOwner<{ document_id: string }>(
      `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at, replaced_at)
       values (20, gen_random_uuid(), $1, 'other', 'image/jpeg', 900000000, '\\x00', '\\x00', $2, kist_now(), kist_now() - interval '40 days') returning document_id`,
      [neighbour, desk.shop.userId],
    );
    expect((await total()).documents).toBe(documents + 1);
    await desk.db.asOwner(
      'update documents set gone_at = kist_now(), sealed = null, key_sealed = null where document_id = $1',
      [old!.document_id],
    );
    expect(await total()).toEqual({ documents, bytes });
    const most = 2 ** 31 - 1;
    const rows = Math.floor((LIMITS.documentBytesOfOrganisation - bytes) / most);
    await plant(neighbour, rows, most);
    await plant(neighbour, 1, LIMITS.documentBytesOfOrganisation - bytes - rows * most);
    expect(await total()).toEqual({ documents: documents + rows + 1, bytes: LIMITS.documentBytesOfOrganisation });
    const before = await desk.files();
    expect(await outcome(mine)).toEqual([409, 'DOCUMENT_QUOTA', 'organisation']);
    expect(await desk.files()).toEqual(before);
    // Room for one and a half: another process writes one, and commits only when ours has begun.
    await desk.db.asOwner(
      'delete from documents where document_id = (select document_id from documents where bytes = $1 limit 1)',
      [most],
    );
    await plant(neighbour, 1, most - Math.floor(size * 1.5));
    let [written, commit] = [() => {}, () => {}];
    const isWritten = new Promise<void>((done) => (written = done));
    const commits = new Promise<void>((done) => (commit = done));
    const other = desk.services.db.transaction(20, async (tx) => {
      await queueUp.run(tx, {});
      await tx.query(
        `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
         values (20, gen_random_uuid(), $1, 'other', 'image/jpeg', $2, '', decode(repeat('00', 65), 'hex'), $3, kist_now())`,
        [neighbour, size, desk.shop.userId],
      );
      written();
      await commits;
    });
    await isWritten;
    const late = outcome(mine);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await desk.db.asOwner(waiting)).length, { timeout: 20_000 }).toBe(1);
    commit();
    await other;
    expect(await late).toEqual([409, 'DOCUMENT_QUOTA', 'organisation']);
    const [counted] = await desk.db.asOwner(
      'select count(*) as documents, sum(bytes) as bytes from documents where org_id = 20 and gone_at is null',
    );
    expect(await total()).toEqual({ documents: Number(counted!['documents']), bytes: Number(counted!['bytes']) });
  });
  test('a count that went wrong is found at night', async () => {
    expect(await checkTotals(desk.services.db, 20)).toEqual([]);
    const { documents, bytes } = await total();
    await desk.db.plant(['document_totals'], 'update document_totals set bytes = bytes - 1 where org_id = 20');
    expect(await checkTotals(desk.services.db, 20)).toEqual([
      `document_totals says ${documents} pictures of ${bytes - 1} bytes, and there are ${documents} of ${bytes}`,
    ]);
    await desk.db.plant(['document_totals'], 'update document_totals set bytes = bytes + 1 where org_id = 20');
  });
  test('what is counted nobody writes', async () => {
    await expect(desk.db.asOwner('update document_totals set bytes = 0')).rejects.toThrow(/follows the documents/);
    await expect(desk.db.asOwner('delete from document_totals')).rejects.toThrow(/follows the documents/);
  });
});
