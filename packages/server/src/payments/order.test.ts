import { beforeAll, expect, it } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { allocationsOf } from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});

const sell = () => db.transaction(ORG, (tx) => makeSale(tx, shop));
const accountOf = (agreement_id: string) => db.read(ORG, (tx) => account(tx, { agreement_id }));
async function pay(agreementId: string, amount: number, payment_id = newId()) {
  const instalment_id = (await accountOf(agreementId)).instalmentIds.get(1)!;
  return db.transaction(ORG, (tx) =>
    payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', payment_id }),
  );
}
const reverse = (paymentId: string) =>
  db
    .transaction(ORG, (tx) => payments.reverse(tx, shop, paymentId, 'typed wrong'))
    .then(
      () => 'accepted',
      (error: { code?: string }) => error.code,
    );

it('payments of one day lie by their ids, whichever came first', async () => {
  const { agreement_id } = (await sell()).agreement;
  const [early, late] = [newId(), newId()];
  await pay(agreement_id, 100_00, late);
  await pay(agreement_id, 300_00, early);
  const parts = await db.read(ORG, (tx) => allocationsOf(tx, agreement_id));
  const laid = (id: string) =>
    Object.fromEntries(parts.get(id)!.flatMap((part) => (part.paise === 0 ? [] : [[part.bucket, part.paise]])));
  // The first 155 rupees of the instalment are interest.
  expect(laid(early)).toEqual({ interest: 155_00, principal: 145_00 });
  expect(laid(late)).toEqual({ principal: 100_00 });
});

it('an id of a payment that comes again for another customer of the shop is a conflict, not that customer’s receipt', async () => {
  const [first, second] = [(await sell()).agreement, (await sell()).agreement];
  const { payment_id } = await pay(first.agreement_id, 500_00);
  await expect(pay(second.agreement_id, 500_00, payment_id)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect((await accountOf(second.agreement_id)).agreement.outstanding_paise).toBe(second.total_payable_paise);
});

it('two reversals of a payment that both saw it standing: one takes it back, the other is told that it is gone', async () => {
  const { agreement_id, total_payable_paise } = (await sell()).agreement;
  const { payment_id } = await pay(agreement_id, 500_00);
  let both: Promise<(string | undefined)[]> = Promise.resolve([]);
  await db.transaction(ORG, async (tx) => {
    await tx.query('select from agreements where agreement_id = $1 for update', [agreement_id]);
    both = Promise.all([reverse(payment_id), reverse(payment_id)]);
    await expect.poll(() => waiting(), { timeout: 10_000, interval: 10 }).toBe(2);
  });
  expect(new Set(await both)).toEqual(new Set(['ALREADY_REVERSED', 'accepted']));
  expect((await accountOf(agreement_id)).agreement.outstanding_paise).toBe(total_payable_paise);
});
const waiting = async () =>
  (
    await db.asOwner<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )[0]!.n;

it('every change of what is paid is a later version of the agreement', async () => {
  const { agreement_id, version } = (await sell()).agreement;
  const versionNow = async () => (await accountOf(agreement_id)).agreement.version;
  const { payment_id } = await pay(agreement_id, 500_00);
  expect(await versionNow()).toBe(version + 1);
  await reverse(payment_id);
  expect(await versionNow()).toBe(version + 2);
});
