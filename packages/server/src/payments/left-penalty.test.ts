import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '#server/ledger/ledger.ts';
import { makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

/** Instalments come before penalties, so a penalty may be all that is left of a sale: it can be paid, once, and the sale is over then. */
it('a penalty that is left when every instalment is paid can be collected', async () => {
  const penalty = 100_00;
  await makePenalRule(world.db, ORG, { charge_paise: penalty });
  const sale = await world.sell();
  await world.day('2026-03-14');
  await world.at('2026-08-20T12:00:00');
  for (let no = 1; no <= 6; no += 1) await world.pay(sale, no);
  const left = async () =>
    (
      await world.db.asOwner<{ penal: number; instalments: number; state: string }>(
        `select (select sum(amount_paise - paid_paise)::int from charges c where c.agreement_id = a.agreement_id) as penal,
           a.outstanding_paise::int as instalments, a.state from agreements a where a.agreement_id = $1`,
        [sale.agreement.agreement_id],
      )
    )[0];
  expect(await left()).toMatchObject({ penal: penalty, instalments: 0 });

  const part = await world.pay(sale, 1, 40_00);
  expect(part.allocations).toEqual([{ instalment_no: 1, instalment_place: 1, bucket: 'penal', paise: 40_00 }]);
  await expect(world.pay(sale, 1, penalty)).rejects.toMatchObject({ code: 'MORE_THAN_OWED' });
  await world.pay(sale, 1, 60_00);
  expect(await left()).toMatchObject({ penal: 0, instalments: 0, state: 'completed' });
  // Nothing is left: what still comes in goes back to who paid it.
  expect(await world.pay(sale, 1, 1)).toMatchObject({ allocations: [], advance_paise: 0 });
  expect(await world.db.read(ORG, (tx) => checkBooks(tx))).toMatchObject({ isBalanced: true, differences: [] });
});
