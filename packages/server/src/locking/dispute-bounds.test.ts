import { beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import { ORG, type Sale, customerOf } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

const world = useLockWorld();
beforeAll(async () => {
  await world.at('2026-03-05T12:00:00');
});

const ownerOf = (sale: Sale) => customerOf(world, sale);

test('nobody disputes an EMI of which nothing is left, in the app as by the link', async () => {
  const sale = await world.sell();
  await world.pay(sale, 1);
  const [paid] = await world.db.asOwner<{ id: string }>(
    'select instalment_id as id from instalments where agreement_id = $1 and no = 1',
    [sale.agreement.agreement_id],
  );
  const about = { customerId: sale.customerId, instalmentId: paid!.id, text: 'I paid in cash.' };
  for (const actor of [ownerOf(sale), world.shop])
    await expect(world.inOrg((tx) => world.locking.openDispute(tx, actor, about))).rejects.toThrow('STATE_CONFLICT');
});

test('an answer about an agreement that is over is not taken further', async () => {
  const sale = await world.sell({ isEnrolled: false });
  const { customerId } = sale;
  const { dispute_id: disputeId } = await world.inOrg((tx) =>
    world.locking.openDispute(tx, ownerOf(sale), { customerId, text: 'I paid in cash.' }),
  );
  await world.inOrg((tx) =>
    sales.cancelAgreement(
      tx,
      world.shop,
      { customer_id: customerId, reason: 'given back' },
      world.locking.letGoOfCancelled,
    ),
  );
  for (const actor of [ownerOf(sale), world.shop])
    await expect(
      world.inOrg((tx) => world.locking.escalateDispute(tx, actor, { disputeId, text: 'No.' })),
    ).rejects.toThrow('STATE_CONFLICT');
});

test('a cancellation answers as every answer is given: the customer is told that it is over, and each step has its line', async () => {
  for (const [actor, as] of [
    [world.shop, 'shop'],
    [SYSTEM(ORG), 'organisation'],
  ] as const) {
    const sale = await world.sell({ isEnrolled: false });
    const { customerId, agreement } = sale;
    const { dispute_id } = await world.inOrg((tx) =>
      world.locking.openDispute(tx, ownerOf(sale), { customerId, text: 'I paid in cash.' }),
    );
    const about = { customer_id: customerId, reason: 'given back' };
    await world.inOrg((tx) => sales.cancelAgreement(tx, actor, about, world.locking.letGoOfCancelled));
    const told = await world.db.asOwner<{ body: string }>(
      `select body from notices where agreement_id = $1 and kind = 'dispute'`,
      [agreement.agreement_id],
    );
    expect(told.map(({ body }) => body)).toEqual([
      expect.stringContaining('has ended. Your complaint about the EMI of'),
    ]);
    const lines = await world.db.asOwner<{ data: object }>(
      `select data from audit_lines where subject_kind = 'agreement' and subject_id = $1 and action = 'dispute_moved'`,
      [agreement.agreement_id],
    );
    expect(lines).toEqual([{ data: { dispute_id, from: 'open', state: 'answered', as } }]);
  }
});
