import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, isoDate } from '@kist/contract/dates';
import { chargeLeft, instalmentLeft } from '#server/agreements/agreements.ts';
import { newId } from '#server/platform/ids.ts';
import { setClock, terms } from '#test/factories.ts';
import { saleWorld } from '#test/sale-world.ts';
import { chargePenalties, refundTasks } from './payments.ts';

/** Money that is told late, dated before a penal charge, and is more than what is owed without it. */
const ORG = 20;
const world = await saleWorld(ORG);
const { db, shop, payments, inOrg, opened, pay, claim, takeBack, faults } = world;

/** ₹2,674 on 28 February and on the last day of five months more; ₹100 late fee for the first. */
beforeEach(async () => {
  await setClock(db, '2026-08-10T11:00:00');
  world.sale = await world.sold();
  await charge('2026-03-04');
});

const charge = (on: string) => chargePenalties(db, { send: async () => 0 }, ORG, isoDate(on));
const late = async (amount: number, paidOn: string, more: object = {}) => {
  const instalment_id = (await opened()).instalmentIds.get(1)!;
  const given = { amount, paid_at: `${paidOn}T10:00:00+05:30`, method: 'CASH' as const, reference: '' };
  return inOrg((tx) => payments.record(tx, shop, { instalment_id, ...given, ...more }));
};
const left = async () => {
  const { agreement, instalments, charges } = await opened();
  const of = { instalments: instalments.reduce((sum, row) => sum + instalmentLeft(row), 0) };
  return { ...of, charges: charges.map(chargeLeft), advance: agreement.advance_paise, state: agreement.state };
};
const goesBack = async () =>
  (await db.read(ORG, (tx) => refundTasks(tx, shop)))
    .filter(({ state, customer_id }) => state === 'open' && customer_id === world.sale.customerId)
    .map(({ amount_paise }) => amount_paise);
const NOTHING = { instalments: 0, charges: [], advance: 0, state: 'completed' };

describe('money of an earlier day that is more than is owed', () => {
  test('takes the charge back by all of it, though what is laid out of it would be too little', async () => {
    await pay(6 * 2_674_00 - 10_00);
    const { instalments, charges } = await left();
    expect(charges).toEqual([100_00]);
    const asked = late(2_674_00, '2026-02-28');
    const details = { owed_paise: instalments, rest_paise: 2_674_00 - instalments };
    await expect(asked).rejects.toMatchObject({ code: 'MORE_THAN_OWED', options: { details } });
    const receipt = await late(2_674_00, '2026-02-28', { accept_overpayment: true });
    expect(receipt).toMatchObject({ amount_paise: instalments, outstanding_paise: 0, agreement_state: 'completed' });
    expect([await left(), await goesBack()]).toEqual([NOTHING, [details.rest_paise]]);
    expect(await faults()).toEqual([]);
  });

  describe('where only the charge is owed', () => {
    beforeEach(async () => {
      const { agreement } = await opened();
      await pay(agreement.outstanding_paise);
    });

    test('goes back whole, and the charge is taken back, whatever becomes of the payment', async () => {
      const details = { owed_paise: 0, rest_paise: 2_674_00 };
      const asked = late(2_674_00, '2026-02-28');
      await expect(asked).rejects.toMatchObject({ code: 'MORE_THAN_OWED', options: { details } });
      const sent = { payment_id: newId(), accept_overpayment: true };
      const receipt = await late(2_674_00, '2026-02-28', sent);
      expect(receipt).toMatchObject({ amount_paise: 2_674_00, allocations: [], agreement_state: 'completed' });
      expect([await left(), await goesBack()]).toEqual([NOTHING, [2_674_00]]);
      expect(await faults()).toEqual([]);
      expect(await late(2_674_00, '2026-02-28', sent)).toEqual(receipt);
      await takeBack(sent.payment_id);
      expect([await left(), await goesBack()]).toEqual([NOTHING, []]);
      expect(await faults()).toEqual([]);
    });

    test('pays it where it is too little to take it back', async () => {
      const receipt = await late(100_00, '2026-02-28');
      expect(receipt).toMatchObject({ amount_paise: 100_00, agreement_state: 'completed' });
      expect([await left(), await goesBack()]).toEqual([{ ...NOTHING, charges: [0] }, []]);
      expect(await faults()).toEqual([]);
    });

    test('is what a customer claimed, and the shop can say yes', async () => {
      const { payment_id } = await claim(2_674_00, { paid_at: '2026-02-28T12:00:00+05:30' });
      const answer = { payment_id, is_received: true };
      const { state, receipt } = await inOrg((tx) => payments.answerClaim(tx, shop, answer));
      expect([state, receipt]).toMatchObject(['posted', { amount_paise: 2_674_00, agreement_state: 'completed' }]);
      expect([await left(), await goesBack()]).toEqual([NOTHING, [2_674_00]]);
      expect(await faults()).toEqual([]);
    });
  });

  test('goes back whole where what the charge had been paid pays the rest; what is left of that is an advance', async () => {
    await pay(2_774_00, '2026-03-10');
    const { agreement } = await opened();
    await pay(agreement.outstanding_paise - 10_00);
    expect(await left()).toMatchObject({ instalments: 10_00, charges: [0] });
    const receipt = await late(2_674_00, '2026-02-28', { accept_overpayment: true });
    expect(receipt).toMatchObject({ amount_paise: 2_674_00, outstanding_paise: 0, agreement_state: 'completed' });
    expect([await left(), await goesBack()]).toEqual([{ ...NOTHING, advance: 90_00 }, [2_674_00]]);
    expect(await faults()).toEqual([]);
  });
});

describe('any history of payments, charges and money that is told late', () => {
  const day = (min: number, max: number) =>
    fc.integer({ min, max }).map((days) => addDays(isoDate('2026-02-01'), days));
  const paid = fc.integer({ min: 1_00, max: 3_000_00 });
  const history = fc.record({
    first: fc.option(fc.record({ on: day(0, 60), amount: paid }), { nil: undefined }),
    charges: fc.array(day(31, 100), { minLength: 1, maxLength: 2 }).map((days) => days.toSorted()),
    /** Paid after the charges, and a charge with it. */
    second: fc.option(paid, { nil: undefined }),
    /** Left of everything when the money is told. */
    left: fc.integer({ min: 0, max: 150_00 }),
    late: fc.record({ on: day(0, 60), amount: paid }),
  });

  test('leaves nothing owed where something of it goes back', async () => {
    let wentBack = 0;
    await fc.assert(
      fc.asyncProperty(history, async ({ first, charges, second, left: rest, late: told }) => {
        await setClock(db, '2026-06-10T11:00:00');
        world.sale = await world.sold({ terms: terms({ tenure: 3 }) });
        if (first) await pay(first.amount, first.on);
        for (const on of charges) await charge(on);
        if (second !== undefined) await pay(second, '2026-05-12');
        const owed = await left();
        const all = owed.charges.reduce((sum, paise) => sum + paise, owed.instalments);
        if (all > rest) await pay(all - rest);
        await late(told.amount, told.on, { accept_overpayment: true });
        expect(await faults()).toEqual([]);
        if ((await goesBack()).length === 0) return;
        wentBack += 1;
        const after = await left();
        expect({ ...after, charges: after.charges.filter((paise) => paise > 0), advance: 0 }).toEqual(NOTHING);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    expect(wentBack).toBeGreaterThan(5);
  }, 120_000);
});
