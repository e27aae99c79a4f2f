import { describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { writeJpeg } from '#server/documents/jpeg.ts';
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
});
