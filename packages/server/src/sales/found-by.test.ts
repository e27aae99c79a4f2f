import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { bookFile } from '#test/book-file.ts';
import { giveKeys, imei, makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { importAgreements } from './importing.ts';
import * as sales from './sales.ts';

/** What a customer is found by, whatever was done to them last. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await giveKeys(world.db, world.shop, { count: 50 });
  await makePenalRule(world.db, ORG);
  await world.at('2026-03-10T12:30:00');
});
afterAll(() => world.close());

const found = async () =>
  (
    await world.db.asOwner<{ search: string; customer_id: string }>(
      `select c.search, c.customer_id from customers c join agreements a using (org_id, customer_id) join historic_agreements h using (org_id, agreement_id)`,
    )
  )[0]!;

it("a customer of the shop's book is found by its number there and by the agreement's, also after an edit and an exchange", async () => {
  const [{ mobile } = { mobile: '' }] = await world.db.asOwner<{ mobile: string }>(
    'select mobile from users where user_id = $1',
    [world.shop.userId],
  );
  const row = {
    row_ref: 'Book-77/A',
    shop_mobile: mobile.slice(3),
    plan_id: '1',
    first_name: 'Savita',
    mobile: '9812345678',
    imei1: imei(610_001),
    brand: 'Redmi',
    model: '13C',
    method: 'FLAT',
    cash_price: '16000',
    down_payment: '2000',
    rate: '18',
    tenure: '12',
    delivered_on: '2026-01-05',
  };
  const report = await world.db.operator.transaction(ORG, (tx) =>
    importAgreements(tx, SYSTEM(ORG), bookFile(row), { isDry: false }),
  );
  expect(report.faults).toEqual([]);
  const agreementNo = report.agreements[0]!.agreement_no!.toLowerCase();
  const { search, customer_id } = await found();
  const numbers = `${agreementNo} book-77/a`;
  expect(search).toBe(`savita +919812345678 ${row.imei1} ${numbers} redmi 13c`);

  const notices = { numberChanges: () => Promise.resolve() };
  await world.inOrg((tx) => sales.changeDetails(tx, notices, world.shop, { customer_id, first_name: 'Kavita' }));
  expect((await found()).search).toBe(`kavita +919812345678 ${row.imei1} ${numbers} redmi 13c`);

  const device = { imei1: imei(610_002), imei2: undefined, brand: 'Vivo', model: 'Y28' };
  const exchange = { customer_id, device, reason: 'display broken' };
  await world.inOrg((tx) => sales.exchangePhone(tx, world.shop, exchange, world.locking.letGoOfExchanged));
  expect((await found()).search).toBe(`kavita +919812345678 ${device.imei1} ${numbers} vivo y28`);
});
