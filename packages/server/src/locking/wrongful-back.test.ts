import { beforeEach, describe, expect, it } from 'vitest';
import type { Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { cureActs } from '#test/wrong-lock.ts';

/** Money of before a lock that is told when less is owed than it is. */
const world = useLockWorld();
let sale: Sale;
const { locked, curesOf, recorded, payFor } = cureActs(world);
beforeEach(async () => {
  sale = await locked();
});
const payAt = (paidAt: string, amount?: number, which?: number) => payFor(sale, paidAt, { amount, which });

describe('money that was there before a lock and goes back, since it is told when less is owed', () => {
  const HELD = { held: '13 12:30', cured: '13 14:00', confirmed: '13 15:00' };
  const RIGHT = { ...HELD, held: null };
  const goesBack = async (payment_id: string) =>
    (
      await world.db.asOwner<{ goes_to: string }>('select goes_to from payments where payment_id = $1', [payment_id])
    )[0]!.goes_to === 'suspense';
  const takeBack = (payment_id: string) =>
    world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'written down by mistake'));
  const withdrawn = ({ agreement }: Sale) =>
    world.db.asOwner('select from cures where agreement_id = $1 and withdrawn_at is not null', [
      agreement.agreement_id,
    ]);

  it('counts after the last EMI too, when the phone is long let go; taken back itself, the lock was right', async () => {
    sale = await locked({ tenure: 1 });
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-13T14:00:00');
    await world.at('2026-03-13T15:00:00');
    await world.obey(sale);
    await world.at('2026-03-20T15:00:00');
    expect(await curesOf(sale)).toEqual([RIGHT]);
    const { payment_id } = await payAt('2026-03-12T19:00:00', sale.agreement.emi_paise);
    expect(await goesBack(payment_id)).toBe(true);
    expect(await curesOf(sale)).toEqual([HELD]);
    expect(await recorded(sale)).toHaveLength(1);
    await takeBack(payment_id);
    expect(await withdrawn(sale)).toHaveLength(1);
    expect(await recorded(sale, 'lock_found_right')).toHaveLength(1);
    expect(await world.violations()).toEqual([]);
  });

  it('counts with the part of it that pays what is left', async () => {
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-13T14:00:00', sale.agreement.outstanding_paise - 500_00);
    await world.at('2026-03-13T15:00:00');
    await world.obey(sale);
    await world.at('2026-03-20T15:00:00');
    expect(await curesOf(sale)).toEqual([RIGHT]);
    const paid = await payAt('2026-03-12T19:00:00', sale.agreement.emi_paise, 6);
    expect(paid).toMatchObject({ amount_paise: 500_00, overpaid: { amount_paise: sale.agreement.emi_paise - 500_00 } });
    expect(await curesOf(sale)).toEqual([HELD]);
    expect(await recorded(sale)).toHaveLength(1);
    await takeBack(paid.overpaid!.payment_id);
    expect(await withdrawn(sale)).toHaveLength(1);
    expect(await world.violations()).toEqual([]);
  });

  it('says nothing of a lock that it came after', async () => {
    await world.at('2026-03-13T14:00:00');
    await payAt('2026-03-13T14:00:00', sale.agreement.outstanding_paise);
    await world.at('2026-03-13T15:00:00');
    await world.obey(sale);
    const { payment_id } = await payAt('2026-03-13T13:00:00', sale.agreement.emi_paise);
    expect(await goesBack(payment_id)).toBe(true);
    expect(await curesOf(sale)).toEqual([RIGHT]);
    expect(await recorded(sale)).toEqual([]);
  });
});
