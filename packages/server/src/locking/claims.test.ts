import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { makeBuyer } from '#test/factories.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

const world = useLockWorld();
beforeEach(() => world.forgetDays());

const claim = ({ agreement }: Sale) =>
  world.inOrg((tx) =>
    world.locking.paymentClaimed(tx, SYSTEM(ORG), agreement, { paymentId: newId(), amountPaise: 2_674_00 }),
  );
const holdsOf = ({ agreement }: Sale) =>
  world.db.asOwner('select due_on::text, until_on::text from holds where agreement_id = $1', [agreement.agreement_id]);
const climb = async (sale: Sale, days: readonly string[]) => {
  const levels: number[] = [];
  for (const day of days) {
    await world.day(day);
    levels.push(await world.levelOf(sale));
  }
  return levels;
};

it('a customer’s word that it is paid rests the ladder for two days and the day it is said on, once for each instalment', async () => {
  await world.at('2026-03-05T12:00:00');
  const [sale, other] = [await world.sell(), await world.sell()];
  expect(await climb(sale, ['2026-03-11'])).toEqual([1]);
  await claim(sale);
  const days = ['2026-03-12', '2026-03-13', '2026-03-14', '2026-03-15'];
  expect(await climb(sale, days)).toEqual([1, 1, 2, 3]);
  // The other phone, of which nobody said anything, went on meanwhile.
  expect(await world.levelOf(other)).toBeGreaterThanOrEqual(3);
  const held = [{ due_on: sale.agreement.oldest_due_on, until_on: '2026-03-13' }];
  expect(await holdsOf(sale)).toEqual(held);
  await claim(sale);
  expect(await holdsOf(sale)).toEqual(held);
});

/** Both doors: the phone's button, which names no sum, and the app's word with one. */
const doors: Record<'phone' | 'app', (sale: Sale, at: string) => Promise<unknown>> = {
  phone: (sale: Sale, at: string) => world.tell(sale, { kind: 'payment_claimed', at }),
  app: async ({ customerId }: Sale) => {
    const buyer = await makeBuyer(world.db, world.shop, customerId);
    const told = { payment_id: newId(), amount: 500_00, method: 'UPI' as const, reference: '', again: true };
    await world.inOrg((tx) => world.payments.claim(tx, buyer, told));
  },
};

describe.each(['phone', 'app'] as const)('said in the %s while nothing is due or late', (door) => {
  let sale: Sale;
  const sayAt = async (at: string) => {
    await world.at(at);
    await doors[door](sale, at);
  };
  beforeEach(async () => {
    await world.at('2026-03-05T12:00:00');
    sale = await world.sell();
  });

  it('rests nothing and spends nothing: said again when it is late, the ladder rests', async () => {
    const { seq } = await world.leaseOf(sale);
    await sayAt('2026-03-05T12:00:00');
    // The phone takes no step of its own until it hears of it; by the app it may go on.
    expect((await world.leaseOf(sale)).seq).toBe(door === 'phone' ? seq + 1 : seq);
    expect(await holdsOf(sale)).toEqual([]);
    expect(await climb(sale, ['2026-03-11', '2026-03-12'])).toEqual([1, 2]);
    await sayAt('2026-03-12T12:40:00');
    expect(await holdsOf(sale)).toEqual([{ due_on: '2026-03-10', until_on: '2026-03-14' }]);
    expect(await climb(sale, ['2026-03-13', '2026-03-14', '2026-03-15'])).toEqual([2, 2, 3]);
    expect(await world.violations()).toEqual([]);
  });

  it('weeks after one was paid, it leaves the next one’s rest alone; on its day it takes it', async () => {
    await world.at('2026-03-11T12:00:00');
    await world.pay(sale, 1);
    await sayAt('2026-03-25T12:00:00');
    await sayAt('2026-04-09T12:00:00');
    expect(await holdsOf(sale)).toEqual([]);
    await sayAt('2026-04-10T12:00:00');
    expect(await holdsOf(sale)).toEqual([{ due_on: '2026-04-10', until_on: '2026-04-12' }]);
  });
});
