import { isoDate } from '@kist/contract/dates';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
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

it('what was taken from the holder stands in it with whose decision it was, and that it went back; so does whose grace it was', async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  const customerId = sale.customerId;
  await world.inOrg((tx) =>
    world.locking.requestSwitch(tx, world.shop, { customerId, type: 'app_lock', reason: 'EMI_OVERDUE' }),
  );
  await world.pay(sale, 1);
  await world.inOrg((tx) =>
    world.locking.hold(tx, SYSTEM(ORG), {
      customerId,
      kind: 'medical',
      untilOn: isoDate('2026-03-20'),
      note: 'In hospital',
    }),
  );
  // Nothing of it is another customer's.
  const other = await world.sell();
  expect((await timelineOf(other))!.events.filter(({ kind }) => /^(taken|given_back)/.test(kind))).toEqual([]);
  const { events } = (await timelineOf(sale))!;
  expect(
    events.filter(({ kind }) => /^(taken|given_back|hold)/.test(kind)).map(({ kind, params }) => [kind, params]),
  ).toEqual([
    ['taken', { taken: 'app_lock', reason: 'EMI_OVERDUE', trigger: 'manual' }],
    ['given_back', { taken: 'app_lock' }],
    ['hold', { kind: 'medical', until_on: '2026-03-20', by: 'organisation' }],
  ]);
});
