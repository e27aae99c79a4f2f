import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { lockTimeline } from './locking.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const ownerOf = (sale: Sale) => customerOf(world, sale);
const timelineOf = ({ agreement }: Sale) => world.db.read(ORG, (tx) => lockTimeline(tx, agreement.agreement_id));

it.each(['theft', 'lost'] as const)(
  'a phone that its owner had locked (%s) asks for no payment to open it, whatever is overdue besides',
  async (kind) => {
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    await world.day('2026-03-11');
    expect(await timelineOf(sale)).toMatchObject({ level: 1, pay_to_open_paise: 2_674_00, is_owners: false });
    await world.inOrg((tx) =>
      world.locking.reportLost(tx, ownerOf(sale), { customerId: sale.customerId, kind, note: '' }),
    );
    expect(await timelineOf(sale)).toMatchObject({ level: 4, pay_to_open_paise: 0, is_owners: true });
    await world.inOrg((tx) => world.locking.withdrawLost(tx, ownerOf(sale), { customerId: sale.customerId, kind }));
    expect(await timelineOf(sale)).toMatchObject({ level: 1, pay_to_open_paise: 2_674_00, is_owners: false });
  },
);
