import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, moveAgreement, setClock, terms } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import * as agreements from './agreements.ts';

/** What somebody could write of an agreement who has the server's own account, and no check of the books sees. */
const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});
beforeEach(async () => {
  sale = await inOrg((tx) => makeSale(tx, shop));
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

describe('a customer has one running agreement', () => {
  const openAnother = () =>
    inOrg(async (tx) => {
      const device_id = newId();
      await tx.query(
        `insert into devices (org_id, device_id, customer_id, provisioning_type, serial, brand, model, created_at)
         values (kist_org(), $1, $2, $3, $4, 'Redmi', '13C', kist_now())`,
        [device_id, sale.customerId, PROVISIONING.DPC, `S${device_id}`],
      );
      const of = { customer_id: sale.customerId, device_id, owner_user_id: shop.userId, plan_type: PLAN.DPC };
      return agreements.open(tx, shop, { ...of, terms: terms({ down_payment: 0 }), policy: POLICY_PRESETS.dealer });
    });

  test('another is refused while it runs', async () => {
    await expect(openAnother()).rejects.toMatchObject({ constraint: 'agreements_one_runs' });
  });

  test('and one that was completed does not come back beside the next, whoever writes it', async () => {
    await moveAgreement(db, sale.agreement.agreement_id, 'completed');
    await openAnother();
    await expect(moveAgreement(db, sale.agreement.agreement_id, 'active')).rejects.toMatchObject({
      constraint: 'agreements_one_runs',
    });
  });
});

describe('an agreement is completed at the moment at which it is', () => {
  const write = (set: string) =>
    inOrg((tx) => tx.query(`update agreements set ${set} where agreement_id = $1`, [sale.agreement.agreement_id]));
  const payAll = async () => {
    const opened = await db.read(ORG, (tx) => agreements.account(tx, sale.agreement));
    const instalment_id = opened.instalmentIds.get(1)!;
    const given = { instalment_id, amount: opened.agreement.outstanding_paise, method: 'CASH', reference: '' } as const;
    return inOrg((tx) => payments.record(tx, shop, given));
  };
  const completedAt = async () =>
    (await db.read(ORG, (tx) => agreements.account(tx, sale.agreement))).agreement.completed_at;

  test.each([
    ['while it runs', `completed_at = kist_now()`],
    ['of another day', `state = 'completed', completed_at = kist_now() - interval '1 day'`],
    ['without one', `state = 'completed'`],
    ['that is cancelled', `state = 'cancelled', completed_at = kist_now()`],
  ])('a moment %s is refused', async (_what, set) => {
    await expect(write(set)).rejects.toMatchObject({ code: '23001', message: /completed when its last dues are paid/ });
  });

  test('and it stays until a payment is taken back', async () => {
    const paid = await payAll();
    expect(await completedAt()).toBeInstanceOf(Date);
    for (const set of [`completed_at = '2020-01-01'`, 'completed_at = null', `completed_at = kist_now()`])
      await expect(write(set)).rejects.toThrow('completed when its last dues are paid');
    await expect(write(`state = 'active'`)).rejects.toThrow('completed when its last dues are paid');
    await inOrg((tx) => payments.reverse(tx, shop, paid.payment_id, 'typed wrong'));
    expect(await completedAt()).toBeNull();
  });
});
