import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { account } from '#server/agreements/agreements.ts';
import { lockTimeline } from '#server/locking/locking.ts';
import { type LockWorld, ORG, type Sale } from './lock-world.ts';

/** What an hour under a lock that was wrong is owed with, here. */
export const HOUR = 250_00;
export const PAYS_PER_HOUR = { ...POLICY_PRESETS.dealer, compensationPaisePerHour: HOUR };

/** A phone that is locked, money that is told later, and what is owed for the lock then. */
export function cureActs(world: LockWorld) {
  const cureOf = async ({ agreement }: Sale) =>
    (await world.db.read(ORG, (tx) => lockTimeline(tx, agreement.agreement_id)))!.cure;
  return {
    /** Due on the tenth, locked on the thirteenth at half past twelve, and its phone has said so. */
    async locked(): Promise<Sale> {
      await world.forgetDays();
      await world.at('2026-03-05T12:00:00');
      const sale = await world.sell({ policy: PAYS_PER_HOUR });
      for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
      await world.obey(sale);
      return sale;
    },
    cureOf,
    owedOf: async (sale: Sale) => (await cureOf(sale))?.compensation_paise,
    /** The EMI that is due, or a part of it, which was paid at a moment and is told now. */
    async payFor(
      { agreement: { agreement_id } }: Sale,
      paidAt: string,
      { amount, which = 1 }: { amount?: number | undefined; which?: number | undefined } = {},
    ): Promise<{ payment_id: string }> {
      const { instalmentIds, instalments } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
      const row = instalments.find(({ no }) => no === which)!;
      const left = row.interest_paise + row.principal_paise - row.paid_interest_paise - row.paid_principal_paise;
      return world.inOrg((tx) =>
        world.payments.record(tx, world.shop, {
          instalment_id: instalmentIds.get(which)!,
          amount: amount ?? left,
          method: 'CASH',
          reference: '',
          paid_at: new Date(`${paidAt}+05:30`).toISOString(),
        }),
      );
    },
  };
}
