import { beforeAll, expect, test } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import { writeJpeg } from '#server/documents/jpeg.ts';
import * as sales from '#server/sales/sales.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeRetailer } from '#test/factories.ts';
import { createSession } from '#test/http.ts';

/** What becomes of a picture while its pixels are looked at. */
const desk = useDocumentDesk();
const photo = await writeJpeg({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(120) }, 0.9);

/** By whose turn pictures were made anew. */
const owners: string[] = [];
/** The same product, where something happens while pixels are looked at. */
function whileItLooks(happens: () => Promise<unknown>) {
  const { ports } = desk.services.db;
  const images: typeof ports.documents.images = {
    remake: async (owner, bytes, to) => {
      owners.push(owner);
      await happens();
      return ports.documents.images.remake(owner, bytes, to);
    },
  };
  return desk.services.db.with({ ...ports, documents: { ...ports.documents, images } });
}

let shop: Actor & { sessionId: string };
const over = () =>
  desk.db.asOwner('update sessions set revoked_at = kist_now() where session_id = $1', [shop.sessionId]);
beforeAll(async () => {
  await createSession(desk.db, { orgId: 20, userId: desk.shop.userId, mobile: '' });
  const [newest] = await desk.db.asOwner<{ sessionId: string }>(
    'select session_id as "sessionId" from sessions where user_id = $1 order by session_id desc limit 1',
    [desk.shop.userId],
  );
  shop = { ...desk.shop, sessionId: newest!.sessionId };
});

test('a picture whose pixels took so long that its shop may not keep it any more is not kept', async () => {
  const customer_id = await desk.draft();
  const before = await desk.files();
  const keptWhile = (happens: () => Promise<unknown>) =>
    documents.keep(whileItLooks(happens), shop, { customer_id, document_type: 'pan', bytes: photo });
  const word = (value: string) =>
    desk.db.asOwner(
      `update users set user_access = user_access || '{"active_deactive": "${value}"}' where user_id = $1`,
      [shop.userId],
    );
  await expect(keptWhile(() => word('0'))).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  await word('1');
  await expect(keptWhile(over)).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
  expect(await desk.files()).toEqual(before);
});

test('nor is one of the shop itself, when its session is over meanwhile', async () => {
  await desk.db.asOwner('update sessions set revoked_at = null where session_id = $1', [shop.sessionId]);
  const keptWhile = (happens: () => Promise<unknown>) =>
    documents.keepPicture(whileItLooks(happens), shop, { user_id: undefined, kind: 'qr', bytes: photo });
  const kept = () => desk.db.asOwner('select picture_id from user_pictures where user_id = $1', [shop.userId]);
  await keptWhile(async () => undefined);
  const before = await kept();
  expect(before).toHaveLength(1);
  await expect(keptWhile(over)).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
  expect(await kept()).toEqual(before);
});

test('pictures of a shop and its mini-retailers are one owner’s: more mini-retailers take no more places', async () => {
  const mini = await makeRetailer(desk.db, 20, desk.shop);
  const db = whileItLooks(async () => undefined);
  const body = registerBodySchema.parse({ draft: true, plan_id: 1 });
  const { customer_id } = await db.transaction(20, (tx) => sales.register(tx, mini, body));
  owners.length = 0;
  await documents.keep(db, mini, { customer_id, document_type: 'pan', bytes: photo });
  await documents.keepPicture(db, mini, { user_id: undefined, kind: 'qr', bytes: photo });
  await documents.keep(db, desk.shop, { customer_id: await desk.draft(), document_type: 'pan', bytes: photo });
  expect(owners).toEqual([desk.shop.userId, desk.shop.userId, desk.shop.userId]);
});
