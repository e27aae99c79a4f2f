import { beforeAll, describe, expect, test } from 'vitest';
import { authorize } from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { createSession } from '#test/http.ts';
import { sessionProcess } from '#test/sessions.ts';
import { SYSTEM } from './actor.ts';
import { ensureStaff } from './staff.ts';

const db = await createTestDatabase();
const ORG = 20;
beforeAll(() => makeOrganisation(db, ORG));

const person = (user_type: 'admin' | 'retailer', mobile: string) => ({
  user_type,
  mobile,
  first_name: 'Meera',
  last_name: '',
  shop_name: '',
  upi_id: null,
});
const ensure = (wanted: ReturnType<typeof person>) => db.transaction(ORG, (tx) => ensureStaff(tx, SYSTEM(ORG), wanted));

describe('staff', () => {
  test('an administrator signs in, and sees no customer of any shop', async () => {
    const admin = await ensure(person('admin', '+918700000100'));
    const shop = await makeRetailer(db, ORG);
    const sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
    const token = await createSession(db, { orgId: ORG, userId: admin.user_id, mobile: '+918700000100' });
    const actor = await sessionProcess(db, 0).authenticate(token, '127.0.0.1', true);
    expect(actor).toMatchObject({ userType: 'admin', visibleOwnerIds: [] });
    await expect(db.read(ORG, (tx) => authorize(tx, actor!, { customer_id: sale.customerId }))).rejects.toThrow(
      'NOT_FOUND',
    );
  });

  test('a second time with the same words changes nothing; with others it does; another kind is refused', async () => {
    const first = await ensure(person('retailer', '+918700000101'));
    expect(first.change).toBe('created');
    expect(await ensure(person('retailer', '+918700000101'))).toEqual({ ...first, change: 'unchanged' });
    const renamed = { ...person('retailer', '+918700000101'), shop_name: 'Asha Mobiles' };
    expect(await ensure(renamed)).toEqual({ ...first, change: 'changed' });
    await expect(ensure(person('admin', '+918700000101'))).rejects.toThrow('signs in as retailer');
  });

  test('somebody who was switched off is not taken in again: refused, and left as it was', async () => {
    const left = person('retailer', '+918700000102');
    const { user_id } = await ensure(left);
    await db.asOwner('update users set is_active = false where user_id = $1', [user_id]);
    const row = () => db.asOwner('select * from users where user_id = $1', [user_id]);
    const before = await row();
    for (const again of [left, { ...left, shop_name: 'Asha Mobiles' }])
      await expect(ensure(again)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await row()).toEqual(before);
  });
});
