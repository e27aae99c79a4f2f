import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveAgreement } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { recordReport } from './manual.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const unclaim = ({ customerId }: Sale, by = world.shop) =>
  world.inOrg((tx) => world.locking.unclaim(tx, by, { customerId, note: 'sold elsewhere' }));
const deviceOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ is_released: boolean; status: number; held: number }>(
      `select d.released_at is not null as is_released, c.status,
         (select count(*)::int from locks l where l.device_id = d.device_id and l.level > 0) as held
       from devices d join customers c using (org_id, customer_id) where d.device_id = $1`,
      [deviceId],
    )
  )[0]!;
const actionsOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ action: string }>(
      `select action from audit_lines where subject_kind = 'device' and subject_id = $1 order by seq desc limit 2`,
      [deviceId],
    )
  ).map(({ action }) => action);

it('a phone that was never set up is let go: nothing held it, and it cannot be set up any more', async () => {
  await world.at('2026-02-11T12:00:00');
  const sale = await world.sell({ isEnrolled: false });
  expect(await unclaim(sale)).toMatchObject({ channel: 'NEVER_OPENED', lock: 'NONE', keys_returned: 0 });
  expect(await deviceOf(sale)).toMatchObject({ is_released: true, held: 0 });
  expect(await actionsOf(sale)).toEqual(['device_unclaimed', 'device_released']);
  await expect(unclaim(sale)).rejects.toThrow('STATE_CONFLICT');
});

it('of an agreement that is over everything comes off first, whatever level the phone is on', async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  await expect(unclaim(sale)).rejects.toThrow('STATE_CONFLICT');
  await moveAgreement(world.db, sale.agreement.agreement_id, 'cancelled');
  expect(await unclaim(sale)).toMatchObject({ channel: 'ENDS_WHEN_FREE', lock: 'LIFTED', keys_returned: 0 });
  expect([await deviceOf(sale), await world.levelOf(sale)]).toEqual([{ is_released: true, status: 2, held: 0 }, 0]);
  await world.obey(sale);
  const open = await world.db.asOwner('select from enrolments where device_id = $1 and ended_at is null', [
    sale.deviceId,
  ]);
  expect(open).toEqual([]);
});

it('a phone under a running agreement stays claimed, and one that its owner reported stolen stays held', async () => {
  await world.at('2026-02-11T12:00:00');
  const sale = await world.sell();
  await expect(unclaim(sale)).rejects.toThrow('STATE_CONFLICT');
  const owner = customerOf(world, sale);
  await world.inOrg((tx) =>
    world.locking.reportLost(tx, owner, { customerId: sale.customerId, kind: 'theft', note: '' }),
  );
  await moveAgreement(world.db, sale.agreement.agreement_id, 'cancelled');
  await expect(unclaim(sale)).rejects.toThrow('STATE_CONFLICT');
  expect(await deviceOf(sale)).toMatchObject({ is_released: false, held: 1 });
});

it('a phone that is reported stolen stays claimed, also where nothing holds it yet', async () => {
  const sale = await world.sell();
  await world.inOrg((tx) =>
    recordReport(tx, customerOf(world, sale), sale.customerId, { kind: 'theft', note: 'on the bus' }),
  );
  await moveAgreement(world.db, sale.agreement.agreement_id, 'cancelled');
  await expect(unclaim(sale)).rejects.toThrow('STATE_CONFLICT');
  expect(await deviceOf(sale)).toMatchObject({ is_released: false, held: 0 });
});

it('whoever watches a phone hears that it was let go', async () => {
  const sale = await world.sell({ isEnrolled: false });
  let heard = 0;
  const off = world.waker.on('changed', sale.deviceId, () => (heard += 1));
  await unclaim(sale);
  off();
  expect(heard).toBe(1);
});

it('is the shop’s that activates phones, not the customer’s and not another shop’s', async () => {
  const sale = await world.sell({ isEnrolled: false });
  const owner = customerOf(world, sale);
  const barred = { ...world.shop, access: { ...world.shop.access, active_deactive: '0' as const } };
  await expect(unclaim(sale, owner)).rejects.toThrow('FEATURE_NOT_ALLOWED');
  await expect(unclaim(sale, barred)).rejects.toThrow('FEATURE_NOT_ALLOWED');
  await expect(unclaim(sale, { ...world.shop, visibleOwnerIds: [] })).rejects.toThrow('NOT_FOUND');
  expect(await world.db.read(ORG, async () => (await deviceOf(sale)).is_released)).toBe(false);
});
