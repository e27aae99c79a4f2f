import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { makeBuyer } from '#test/factories.ts';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';
import { emiDetails } from './emi-details.ts';
import { payTo } from './pay-to.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-04T12:00:00');
});

const personOf = ({ customerId }: Sale): Actor => ({
  ...world.shop,
  userId: newId(),
  userType: 'customer',
  visibleOwnerIds: [],
  customerIds: [customerId],
});
const asked = (sale: Sale, actor = personOf(sale)) =>
  world.inOrg((tx) => payTo(tx, actor, { customer_id: sale.customerId }));
describe('whom a customer pays', () => {
  it('is the shop of the agreement by the address that it has; what is asked for is the next EMI, then what is overdue', async () => {
    const sale = await world.sell();
    await world.db.asOwner('update users set upi_id = $2, shop_name = $3 where user_id = $1', [
      world.shop.userId,
      'asha@upi',
      'Asha\u202E Mobiles',
    ]);
    const before = await asked(sale);
    expect(before).toMatchObject({ upi_id: 'asha@upi', shop: 'Asha Mobiles', rests_until_on: null });
    expect(before.amount_paise).toBe(sale.agreement.emi_paise);
    expect(before.shop_phone).toMatch(/^\+91\d{10}$/);
    await world.at('2026-04-11T12:00:00');
    expect((await asked(sale)).amount_paise).toBeGreaterThan(sale.agreement.emi_paise);
    await world.at('2026-03-04T12:00:00');
  });

  it('is nobody of another customer’s', async () => {
    const [one, other] = [await world.sell(), await world.sell()];
    await expect(asked(one, personOf(other))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what a customer said was paid', () => {
  it('names the day until which no lock rises, and the shop’s reason where it was refused', async () => {
    const sale = await world.sell();
    const person = await makeBuyer(world.db, world.shop, sale.customerId);
    await world.at('2026-03-11T12:00:00');
    const payment_id = newId();
    await world.inOrg((tx) =>
      world.payments.claim(tx, person, { payment_id, amount: 2_674_00, method: 'CASH', reference: '' }),
    );
    expect((await asked(sale)).rests_until_on).toBe('2026-03-13');
    const own = async () =>
      (await world.inOrg((tx) => emiDetails(tx, person, { customer_id: sale.customerId }))).payments.filter(
        (one) => one.payment_id === payment_id,
      );
    expect(await own()).toMatchObject([{ state: 'claimed', refuse_reason: null }]);
    await world.inOrg((tx) =>
      world.payments.answerClaim(tx, world.shop, { payment_id, is_received: false, reason: 'Nothing came in' }),
    );
    expect(await own()).toMatchObject([{ state: 'refused', refuse_reason: 'Nothing came in', receipt_no: null }]);
  });
});
