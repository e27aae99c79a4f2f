import { expect, test } from 'vitest';
import { writeJpeg } from '#server/documents/jpeg.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { createSession, createUser, newMobile } from '#test/http.ts';

/** Whom a link lets look, by what they may do when it is opened. */
const desk = useDocumentDesk();
const photo = await writeJpeg({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(120) }, 0.9);
const kept = async (customerId: string) => (await desk.upload('uploadCustomerPhoto', customerId, photo)).data;
const linkOf = async (document_id: string, token: string): Promise<string> =>
  (await desk.http.call('getDocument', { token, query: { document_id } })).data.url;

test('a customer’s link opens their own picture, and none any more that their login does not open', async () => {
  const customerId = await desk.draft();
  const { document_id } = await kept(customerId);
  const mobile = newMobile();
  await desk.db.asOwner('update customers set mobile = $2 where customer_id = $1', [customerId, mobile]);
  const { userId } = await createUser(desk.db, { userType: 'customer', customerId, mobile });
  const url = await linkOf(document_id, await createSession(desk.db, { orgId: 20, userId, mobile }));
  expect(await desk.get(url)).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } });
  await desk.db.asOwner('delete from customer_logins where customer_id = $1', [customerId]);
  expect((await desk.get(url)).status).toBe(404);
});

test('a link opens nothing for a shop that may read no more, though it may have when it asked for it', async () => {
  const { document_id } = await kept(await desk.draft());
  const url = await linkOf(document_id, desk.token);
  const word = (read: '0' | '1') =>
    desk.db.asOwner(
      `update users set lock_access = lock_access || jsonb_build_object('read', $2::text) where user_id = $1`,
      [desk.shop.userId, read],
    );
  await word('0');
  expect((await desk.get(url)).status).toBe(403);
  await word('1');
  expect((await desk.get(url)).status).toBe(200);
});
