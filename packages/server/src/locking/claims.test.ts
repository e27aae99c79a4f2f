import { beforeAll, expect, it } from 'vitest';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});

const claim = ({ agreement }: Sale) =>
  world.inOrg((tx) =>
    world.locking.paymentClaimed(tx, SYSTEM(ORG), agreement, { paymentId: newId(), amountPaise: 2_674_00 }),
  );
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
  const holds = () =>
    world.db.asOwner('select due_on::text, until_on::text from holds where agreement_id = $1', [
      sale.agreement.agreement_id,
    ]);
  const held = [{ due_on: sale.agreement.oldest_due_on, until_on: '2026-03-13' }];
  expect(await holds()).toEqual(held);
  await claim(sale);
  expect(await holds()).toEqual(held);
});
