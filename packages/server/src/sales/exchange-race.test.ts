import { afterAll, beforeAll, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { giveKeys, imei } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import * as sales from './sales.ts';

/** Money that comes in, and is taken back, while the phone is exchanged. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await giveKeys(world.db, world.shop, { count: 50 });
  await world.at('2026-03-15T12:00:00');
});
afterAll(() => world.close());

let numbers = 770_000;
const exchange = ({ customerId: customer_id }: Sale) => {
  const device = { imei1: imei((numbers += 1)), imei2: undefined, brand: 'Vivo', model: 'Y28' };
  return world.inOrg((tx) =>
    sales.exchangePhone(
      tx,
      world.shop,
      { customer_id, device, reason: 'display broken' },
      world.locking.letGoOfExchanged,
    ),
  );
};
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof KistError ? error.code : String(error)),
  );

it.each([1, 2, 3])('each counts once, whichever came first: %i', async () => {
  const sale = await world.sell();
  const { agreement_id, total_payable_paise } = sale.agreement;
  const { instalmentIds } = await world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id }));
  const pay = (amount: number, paid_at?: string) =>
    world.inOrg((tx) =>
      world.payments.record(tx, world.shop, {
        instalment_id: instalmentIds.get(1)!,
        amount,
        method: 'CASH',
        reference: '',
        paid_at,
      }),
    );
  const gone = await Promise.all([pay(300_00), pay(300_00, '2026-02-15T10:00:00+05:30')]);
  const acts = [
    ...Array.from({ length: 8 }, (_, n) => () => pay(200_00, n % 2 === 0 ? undefined : '2026-02-20T10:00:00+05:30')),
    ...Array.from({ length: 3 }, () => () => exchange(sale)),
    ...gone.map(
      ({ payment_id }) =>
        () =>
          world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'bounced')),
    ),
  ];
  const mixed = acts.flatMap((_, index) => acts[(index * 5) % acts.length]!);
  const outcomes = await Promise.all(mixed.map((act) => outcome(act())));
  expect(outcomes).toEqual(outcomes.map(() => 'accepted'));
  const { agreement } = await world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id }));
  // The phone that came was not set up yet when the next one did: that only puts its number right.
  expect(agreement).toMatchObject({ schedule_version: 2, outstanding_paise: total_payable_paise - 8 * 200_00 });
  const [books, terms] = [
    await world.db.read(ORG, (tx) => checkBooks(tx)),
    await agreements.checkTerms(world.db, ORG, null),
  ];
  expect([books.differences, terms]).toEqual([[], []]);
  expect(await world.violations()).toEqual([]);
});
