import { bps } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import { account, revise } from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { oweBack } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from './database.ts';
import { imei, makeBuyer, makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from './factories.ts';
import { quietPayments } from './quiet-payments.ts';
import { agreedTerms } from './whole-consent.ts';

/** One shop on a database of its own, and the sale that its acts are about: put another into `sale`, and they are about that. */
export async function saleWorld(orgId: number) {
  const db = await createTestDatabase();
  const payments = quietPayments();
  await makeOrganisation(db, orgId);
  const shop = await makeRetailer(db, orgId);
  const mini = await makeRetailer(db, orgId, shop);
  let phones = 900_000;
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
    pay: async (amount: number, paidOn?: string, charge_id?: string) => {
      const { instalments, instalmentIds } = await world.opened();
      const instalment_id = instalmentIds.get(instalments.at(-1)!.no)!;
      const paid_at = paidOn && `${paidOn}T12:00:00+05:30`;
      return inOrg((tx) =>
        payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', paid_at, charge_id }),
      );
    },
    /** The customer of the sale says what was paid. */
    claim: async (amount: number, more: object = {}) => {
      const person = await makeBuyer(db, shop, world.sale.customerId);
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
    /** Another phone comes, of one that was set up: the next version, with the same terms. */
    swap: () =>
      inOrg(async (tx) => {
        const to_device_id = newId();
        const { agreement } = await agreements.accountToChange(tx, world.sale.agreement);
        await tx.query('update devices set released_at = kist_now() where device_id = $1', [agreement.device_id]);
        await tx.query(
          `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, serial, brand, model, created_at)
           select org_id, $1, $2, provisioning_type, $3, 'S' || $3, 'Redmi', '13C', kist_now() from devices where device_id = $4`,
          [to_device_id, world.sale.customerId, imei(++phones), agreement.device_id],
        );
        const first_enrolled_at = new Date('2026-01-31T12:00:00+05:30');
        const phone = { to_device_id, was_set_up: true, first_enrolled_at, reason: 'display broken' };
        await agreements.exchange(tx, shop, agreement, phone);
      }),
    /** The customer passes to the other shop of the two. */
    passOn: () =>
      inOrg(async (tx) => {
        const { agreement } = await agreements.accountToChange(tx, world.sale.agreement);
        const from_user_id = agreement.owner_user_id;
        const to_user_id = from_user_id === shop.userId ? mini.userId : shop.userId;
        const customer_ids = await customers.holdForTransfer(tx, {
          from_user_id,
          customer_ids: [world.sale.customerId],
          limit: 1,
        });
        const transfer = { transfer_id: newId(), from_user_id, to_user_id, customer_ids, reason: 'moved', limit: 1 };
        await customers.passOn(tx, shop, customer_ids, transfer);
        await agreements.passOn(tx, shop, { customer_ids, to_user_id });
      }),
    /** Given up, and what was paid is owed back. */
    cancel: () =>
      inOrg(async (tx) => {
        const opened = await agreements.accountToChange(tx, world.sale.agreement);
        await oweBack(tx, await agreements.cancel(tx, shop, opened, { reason: 'the phone came back' }));
      }),
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
