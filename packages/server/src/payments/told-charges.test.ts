import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { chargeByHand } from './payments.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await makePenalRule(world.db, ORG);
});
afterAll(() => world.close());

test('every late fee is told to the customer: each by hand of one day, and what the daily run makes beside them', async () => {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  await world.at('2026-03-14T11:00:00');
  const byHand = (amount: number) =>
    world.inOrg((tx) => chargeByHand(tx, world.notices, world.shop, { customer_id: sale.customerId, amount }));
  await byHand(30_00);
  await byHand(20_00);
  await world.day('2026-03-14');
  const told = await world.db.asOwner<{ body: string }>(
    `select n.body from notices n where n.agreement_id = $1 and n.kind = 'penal' order by n.created_at, n.notice_id`,
    [sale.agreement.agreement_id],
  );
  expect(told.map(({ body }) => /Rs\. ?(\d+)/.exec(body)?.[1])).toEqual(['30', '20', '50']);
});
