import { bps } from '@kist/contract/money';
import { account, revise } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { createPayments } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from './database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from './factories.ts';
import { agreedTerms } from './whole-consent.ts';

/** One shop on a database of its own, and the sale that its acts are about: put another into `sale`, and they are about that. */
export async function saleWorld(orgId: number) {
  const db = await createTestDatabase();
  const payments = createPayments({
    duesChanged: async () => null,
    claimed: async () => {},
    sendReceipt: async () => async () => '',
  });
  await makeOrganisation(db, orgId);
  const shop = await makeRetailer(db, orgId);
  await makePenalRule(db, orgId, { cap_bps: 500, waiver_limit_paise: 1_000_00 });
  const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(orgId, work);
  const sold = (given?: Parameters<typeof makeSale>[2]) => inOrg((tx) => makeSale(tx, shop, given));
  await setClock(db, '2026-02-01T11:00:00');
  const world = {
    db,
    shop,
    payments,
    inOrg,
    sold,
    sale: await sold(),
    opened: () => db.read(orgId, (tx) => account(tx, world.sale.agreement)),
    pay: async (amount: number, paidOn?: string) => {
      const { instalments, instalmentIds } = await world.opened();
      const instalment_id = instalmentIds.get(instalments.at(-1)!.no)!;
      const paid_at = paidOn && `${paidOn}T12:00:00+05:30`;
      return inOrg((tx) =>
        payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', paid_at }),
      );
    },
    /** The customer of the sale says what was paid. */
    claim: (amount: number, more: object = {}) => {
      const person: Actor = {
        ...shop,
        userId: newId(),
        userType: 'customer',
        visibleOwnerIds: [],
        customerIds: [world.sale.customerId],
      };
      const told = { payment_id: newId(), amount, method: 'UPI' as const, reference: '', again: true, ...more };
      return inOrg((tx) => payments.claim(tx, person, told));
    },
    takeBack: (paymentId: string) => inOrg((tx) => payments.reverse(tx, shop, paymentId, 'typed wrong')),
    /** New terms, to which the customer said yes. */
    change: (given: { rate_bps?: number; tenure?: number; cause?: 'edit' | 'reschedule' } = {}) =>
      inOrg(async (tx) =>
        revise(tx, shop, {
          consent: await agreedTerms(tx, db, world.sale.customerId),
          agreement_id: world.sale.agreement.agreement_id,
          cause: given.cause ?? 'reschedule',
          reason: 'lost his job',
          terms: {
            method: 'REDUCING',
            rate_bps: bps(given.rate_bps ?? 1200),
            tenure: given.tenure ?? 8,
            rounding: 'RUPEE',
          },
        }),
      ),
    /** What the check of the books finds in the organisation. */
    faults: async () => (await db.read(orgId, (tx) => checkBooks(tx))).differences,
    /** How many journals of each kind are about the sale. */
    journals: async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        (
          await db.asOwner<{ kind: string; n: number }>(
            `select kind, count(distinct journal_id)::int as n from journals join journal_lines l using (org_id, journal_id)
             where l.agreement_id = $1 group by kind`,
            [world.sale.agreement.agreement_id],
          )
        ).map(({ kind, n }) => [kind, n]),
      ),
  };
  return world;
}
