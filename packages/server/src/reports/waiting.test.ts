import { beforeAll, expect, test } from 'vitest';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import { LIMITS } from '@kist/contract/limits';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { refundDone } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeBuyer, makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { customerIds } from './customer-list.ts';
import { dashboard } from './dashboard.ts';

const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
let below: Actor;
let rival: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  below = await makeRetailer(db, ORG, shop);
  rival = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

/** Whom the line lists, of each who asks; the count of the line is of the same people. */
async function waiting(todo: NonNullable<CustomerFilter['todo']>) {
  const of = (actor: Actor) =>
    inOrg(async (tx) => {
      const ids = await customerIds(tx, actor, { filter: { todo }, max: 9 });
      const line = (await dashboard(tx, actor)).do_now.find(({ kind }) => kind === todo);
      expect(line?.count ?? 0).toBe(ids.length);
      return ids;
    });
  return { shop: await of(shop), below: await of(below), rival: await of(rival) };
}
const NOBODY = { shop: [], below: [], rival: [] };

test('what a customer says was paid waits for the shop until it answers', async () => {
  const { customerId } = await inOrg((tx) => makeSale(tx, shop));
  const person = await makeBuyer(db, shop, customerId);
  const payment_id = newId();
  await inOrg((tx) =>
    payments.claim(tx, person, { payment_id, amount: 500_00, method: 'UPI', reference: '4123 4567 8901' }),
  );
  expect(await waiting('claim_waiting')).toEqual({ ...NOBODY, shop: [customerId] });
  await inOrg((tx) => payments.answerClaim(tx, shop, { payment_id, is_received: true }));
  expect(await waiting('claim_waiting')).toEqual(NOBODY);
});

test('money for an agreement that is over waits until it was given back', async () => {
  const { customerId, agreement } = await inOrg((tx) => makeSale(tx, below));
  const instalment_ids = await inOrg(async (tx) => [...(await account(tx, agreement)).instalmentIds.values()]);
  const cash = { method: 'CASH' as const, reference: '' };
  await inOrg((tx) => payments.recordMany(tx, below, { customer_id: customerId, instalment_ids, ...cash }));
  const { payment_id } = await inOrg((tx) =>
    payments.record(tx, below, { instalment_id: instalment_ids[0]!, amount: 50_00, ...cash }),
  );
  expect(await waiting('refund_open')).toEqual({ ...NOBODY, shop: [customerId], below: [customerId] });
  await inOrg((tx) => refundDone(tx, shop, { payment_id, ...cash }));
  expect(await waiting('refund_open')).toEqual(NOBODY);
});

test(`a SIM that came into a phone waits to be looked at for ${LIMITS.simChangedDays} days, and no longer`, async () => {
  const { customerId, deviceId } = await inOrg((tx) => makeSale(tx, shop));
  const changedBefore = (off: string) =>
    db.asOwner(
      `insert into device_events (org_id, device_id, event_id, kind, at)
       values ($1, $2, $3, 'sim_changed', kist_now() - make_interval(days => $4) + $5::interval)`,
      [ORG, deviceId, newId(), LIMITS.simChangedDays, off],
    );
  expect(await waiting('sim_changed')).toEqual(NOBODY);
  await changedBefore('-1 minute');
  expect(await waiting('sim_changed')).toEqual(NOBODY);
  await changedBefore('1 minute');
  expect(await waiting('sim_changed')).toEqual({ ...NOBODY, shop: [customerId] });
  await db.asOwner(`update clock_offset set shift = shift + interval '2 minutes'`);
  expect(await waiting('sim_changed')).toEqual(NOBODY);
});
