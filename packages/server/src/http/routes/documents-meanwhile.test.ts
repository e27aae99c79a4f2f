import { expect, test } from 'vitest';
import * as documents from '#server/documents/documents.ts';
import * as identity from '#server/identity/identity.ts';
import { writeJpeg } from '#server/documents/jpeg.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeRetailer } from '#test/factories.ts';
import { createSession } from '#test/http.ts';

/** What becomes of a picture while its pixels are looked at. */
const desk = useDocumentDesk();
const photo = await writeJpeg({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(120) }, 0.9);

test('a picture whose pixels took so long that its shop may not keep it any more is not kept', async () => {
  const customerId = await desk.draft();
  const before = await desk.files();
  const { ports } = desk.services.db;
  await createSession(desk.db, { orgId: 20, userId: desk.shop.userId, mobile: '' });
  const [newest] = await desk.db.asOwner<{ sessionId: string }>(
    'select session_id as "sessionId" from sessions where user_id = $1 order by session_id desc limit 1',
    [desk.shop.userId],
  );
  const { sessionId } = newest!;
  const owners: string[] = [];
  const meanwhile = (sql: string, id: string) => {
    const images: typeof ports.documents.images = {
      remake: async (owner, bytes, to) => {
        owners.push(owner);
        await desk.db.asOwner(sql, [id]);
        return ports.documents.images.remake(owner, bytes, to);
      },
    };
    const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, images } });
    const given = { customer_id: customerId, document_type: 'pan', bytes: photo } as const;
    return documents.keep(db, { ...desk.shop, sessionId }, given);
  };
  const words = (value: string) =>
    `update users set user_access = user_access || '{"active_deactive": "${value}"}' where user_id = $1`;
  await expect(meanwhile(words('0'), desk.shop.userId)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  await desk.db.asOwner(words('1'), [desk.shop.userId]);
  const over = 'update sessions set revoked_at = kist_now() where session_id = $1';
  await expect(meanwhile(over, sessionId)).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
  expect(await desk.files()).toEqual(before);
  expect(owners).toEqual([desk.shop.userId, desk.shop.userId]);
});
test('pictures of a shop and its mini-retailers are one owner’s: more mini-retailers take no more places', async () => {
  const mini = await makeRetailer(desk.db, 20, desk.shop);
  expect(await desk.db.read(20, (tx) => identity.headOf(tx, mini))).toBe(desk.shop.userId);
});
