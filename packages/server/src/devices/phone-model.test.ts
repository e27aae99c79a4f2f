import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVISIONING } from '@kist/contract/codes';
import * as payments from '#server/payments/payments.ts';
import * as sales from '#server/sales/sales.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { imei } from '#test/factories.ts';
import { type LockWorld, createLockWorld } from '#test/lock-world.ts';
import * as devices from './devices.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
const { sell, cancel } = cancellingActs(() => world);

const named = (tac: string) => world.db.read(world.shop.orgId, (tx) => devices.phoneModel(tx, world.shop, { tac }));
let made = 0;
const register = (tac: string, model: string, at = '2026-02-11T12:00:00') => {
  made += 1;
  const imei1 = `${tac}${String(made).padStart(7, '0')}`;
  return world.at(at).then(() =>
    world.inOrg((tx) =>
      devices.create(tx, world.shop, {
        customerId: null,
        provisioningType: PROVISIONING.DPC,
        imei1,
        brand: 'Redmi',
        model,
      }),
    ),
  );
};

test('what a phone taught stays known once it was let go and its customer is erased, and is the maker and model alone', async () => {
  const sale = await sell({ isEnrolled: false });
  const tac = imei(1).slice(0, 8);
  expect(await named(tac)).toEqual({ brand: 'Redmi', model: '13C' });
  await cancel(sale);
  const open = await world.db.asOwner<{ payment_id: string }>(
    `select payment_id from refund_tasks where customer_id = $1 and state = 'open'`,
    [sale.customerId],
  );
  for (const { payment_id } of open)
    await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id, method: 'CASH', reference: '' }));
  await world.inOrg((tx) => sales.eraseCustomer(tx, world.shop, { customer_id: sale.customerId }));
  const phones = await world.db.asOwner<{ is_gone: boolean }>(
    'select released_at is not null as is_gone from devices where left(imei1, 8) = $1',
    [tac],
  );
  expect(phones).toEqual([{ is_gone: true }]);
  expect(await named(tac)).toEqual({ brand: 'Redmi', model: '13C' });
});

test('a name that was mistyped once gives way to the next one that is right, and is never the majority’s', async () => {
  const tac = '35391806';
  await register(tac, 'Z-typo', '2026-02-11T12:00:00');
  expect(await named(tac)).toMatchObject({ model: 'Z-typo' });
  await register(tac, 'Note 14', '2026-02-12T12:00:00');
  expect(await named(tac)).toMatchObject({ model: 'Note 14' });
  await register(tac, 'Note 14', '2026-02-13T12:00:00');
  await register(tac, 'A-typo', '2026-02-14T12:00:00');
  expect(await named(tac)).toMatchObject({ model: 'Note 14' });
  expect(await named('35391807')).toBeUndefined();
});
