import type { ClaimAnswer } from '@kist/contract/agent';
import { beforeEach, expect, it } from 'vitest';
import type { Sale } from '#test/lock-world.ts';
import { dueTwoDaysAgo, refuseClaim, sayPaid } from '#test/said-paid.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** What the phone is told of "I have paid", by its lease: nothing untrue stays on its screen. */
const world = useLockWorld();
let sale: Sale;
beforeEach(async () => {
  sale = await dueTwoDaysAgo(world);
});

const say = (at: string) => sayPaid(world, sale, at);
async function refuse(): Promise<void> {
  const [open] = await world.db.asOwner<{ claim_id: string }>(
    `select claim_id from phone_claims where customer_id = $1 and state = 'open'`,
    [sale.customerId],
  );
  await refuseClaim(world, open!.claim_id);
}
/** To the minute, in India. */
async function answer(): Promise<string | null> {
  const lease = (await world.leaseOf(sale)) as { claim_answer?: ClaimAnswer };
  if (!lease.claim_answer) return null;
  const { is, at } = lease.claim_answer;
  return `${is} ${new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().slice(0, 16)}`;
}

it('is nothing until the shop says no, and the no until money came or it is said again', async () => {
  expect(await answer()).toBeNull();
  await say('2026-03-12T11:59:00');
  expect(await answer()).toBeNull();
  await world.at('2026-03-12T13:00:00');
  const { seq } = await world.leaseOf(sale);
  await refuse();
  expect((await world.leaseOf(sale)).seq).toBe(seq + 1);
  expect(await answer()).toBe('refused 2026-03-12T13:00');
  await world.at('2026-03-12T14:00:00');
  await world.pay(sale, 1, 100_00);
  expect(await answer()).toBe('paid 2026-03-12T14:00');
  await world.at('2026-03-12T15:00:00');
  await say('2026-03-12T14:59:00');
  expect(await answer()).toBeNull();
});

it('is the money that came while it waited, as long as that stands', async () => {
  await say('2026-03-12T11:59:00');
  await world.at('2026-03-12T13:00:00');
  const { payment_id } = await world.pay(sale, 1, 100_00);
  expect(await answer()).toBe('paid 2026-03-12T13:00');
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the wrong customer'));
  expect(await answer()).toBeNull();
});

it('is the money that stands, where other money that came after it is taken back', async () => {
  await say('2026-03-12T11:59:00');
  await world.at('2026-03-12T13:00:00');
  await world.pay(sale, 1, 100_00);
  await world.at('2026-03-12T14:00:00');
  const { payment_id } = await world.pay(sale, 1, 200_00);
  expect(await answer()).toBe('paid 2026-03-12T14:00');
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the wrong customer'));
  expect(await answer()).toBe('paid 2026-03-12T13:00');
});

it('is the money that came before we heard of it, at the moment at which it came', async () => {
  await world.at('2026-03-12T13:00:00');
  await world.pay(sale, 1, 100_00);
  await world.at('2026-03-12T16:00:00');
  await say('2026-03-12T12:30:00');
  expect(await answer()).toBe('paid 2026-03-12T13:00');
  const rows = await world.db.asOwner('select state from phone_claims where customer_id = $1', [sale.customerId]);
  expect(rows).toEqual([{ state: 'paid' }]);
});

it('is nothing of an agreement that is over', async () => {
  await say('2026-03-12T11:59:00');
  for (const no of [1, 2, 3, 4, 5, 6]) await world.pay(sale, no);
  expect(await answer()).toBeNull();
});
