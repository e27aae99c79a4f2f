import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { post } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { chargePenalties, refundDone } from './payments.ts';
import { refundDoneLines } from './rules/journal.ts';

/** What somebody could write who has the server's own account, and no check of the books sees: whose till a refund leaves, and when a thing was decided. */
const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => undefined as never };
const payments = quietPayments();
let retailer: Actor;
let shop: Actor;
let beside: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  retailer = await makeRetailer(db, ORG);
  shop = await makeRetailer(db, ORG, retailer);
  beside = await makeRetailer(db, ORG, retailer);
  await setClock(db, '2026-04-10T11:00:00');
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

describe('money that goes back', () => {
  let agreement_id: string;
  let payment_id: string;
  beforeEach(async () => {
    const sale = await inOrg((tx) => makeSale(tx, shop));
    ({ agreement_id } = sale.agreement);
    const opened = await db.read(ORG, (tx) => account(tx, { agreement_id }));
    const amount = opened.agreement.outstanding_paise + 70_00;
    const given = { instalment_id: opened.instalmentIds.get(1)!, amount, method: 'CASH', reference: '' } as const;
    const paid = await inOrg((tx) => payments.record(tx, shop, { ...given, accept_overpayment: true }));
    payment_id = paid.overpaid!.payment_id;
  });
  const state = async () =>
    (await db.asOwner('select state from refund_tasks where payment_id = $1', [payment_id]))[0]!.state;
  const giveBack = (by: string, closedAt = 'kist_now()') =>
    inOrg(async (tx) => {
      const of = { agreement_id, payment_id, amount_paise: paise(70_00), method: 'CASH' } as const;
      await post(tx, {
        effectKey: `refund_paid:${payment_id}`,
        kind: 'refund_paid',
        refKind: 'payment',
        refId: payment_id,
        businessOn: isoDate('2026-04-10'),
        lines: refundDoneLines({ ...of, till_user_id: by }),
      });
      await tx.query(
        `update refund_tasks set state = 'done', closed_at = ${closedAt}, closed_by = $2, method = 'CASH' where payment_id = $1`,
        [payment_id, by],
      );
    });

  test('goes back out of the till of its shop', async () => {
    await giveBack(shop.userId);
    expect(await state()).toBe('done');
  });

  test('goes back out of the till of the retailer above it', async () => {
    await inOrg((tx) => refundDone(tx, retailer, { payment_id, method: 'CASH', reference: '' }));
    expect(await state()).toBe('done');
  });

  test('is told again by who gave it, the same way; by another, or another way, it is refused and nothing moves', async () => {
    const tell = (by: Actor, method: 'CASH' | 'UPI', reference: string) =>
      inOrg((tx) => refundDone(tx, by, { payment_id, method, reference }));
    const cash = await tell(shop, 'CASH', '17');
    expect(await tell(shop, 'CASH', '17')).toEqual(cash);
    const others: Parameters<typeof tell>[] = [
      [retailer, 'UPI', '412345678901'],
      [retailer, 'CASH', '17'],
      [shop, 'UPI', '17'],
      [shop, 'CASH', '18'],
    ];
    for (const other of others) await expect(tell(...other)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(
      await db.asOwner('select state, closed_by, method, reference from refund_tasks where payment_id = $1', [
        payment_id,
      ]),
    ).toEqual([{ state: 'done', closed_by: shop.userId, method: 'CASH', reference: '17' }]);
  });

  test.each([
    ['of another shop', () => beside.userId],
    ['of nobody', () => newId()],
  ])('leaves no till %s', async (_what, by) => {
    await expect(giveBack(by())).rejects.toMatchObject({
      code: '23001',
      message: /^update of refund_tasks is refused: who gives it back/,
    });
    expect(await state()).toBe('open');
  });

  test.each([
    ['a month back', `kist_now() - interval '30 days'`],
    ['in 2099', `'2099-01-01'`],
  ])('is given back when that is written: not %s', async (_what, closedAt) => {
    await expect(giveBack(shop.userId, closedAt)).rejects.toMatchObject({
      code: '23001',
      message: /^update of refund_tasks is refused: it is opened and closed/,
    });
  });

  test('is owed from when that is written', async () => {
    await expect(
      inOrg((tx) =>
        tx.query(
          `insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at)
           select org_id, gen_random_uuid(), agreement_id, customer_id, amount_paise, opened_at - interval '1 day' from refund_tasks where payment_id = $1`,
          [payment_id],
        ),
      ),
    ).rejects.toThrow('insert of refund_tasks is refused: it is opened and closed');
  });
});

describe('a waiver', () => {
  const asked = async (askedAt: string, decidedAt: string) => {
    const waiver_id = newId();
    await inOrg((tx) =>
      tx.query(
        `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
         select c.org_id, $1, c.agreement_id, c.charge_id, 100, 'was ill', 0, case when d.at is null then 'asked' else 'granted' end, a.owner_user_id, ${askedAt},
           case when d.at is not null then a.owner_user_id end, d.at
         from charges c join agreements a using (org_id, agreement_id), (select (${decidedAt})::timestamptz as at) d
         where not exists (select from waivers w where w.charge_id = c.charge_id) limit 1`,
        [waiver_id],
      ),
    );
    return waiver_id;
  };
  const refuse = (waiver_id: string, at: string) =>
    inOrg((tx) =>
      tx.query(
        `update waivers set state = 'refused', decided_by = asked_by, decided_at = ${at} where waiver_id = $1 returning 1`,
        [waiver_id],
      ),
    );
  beforeEach(async () => {
    await makePenalRule(db, ORG);
    await inOrg((tx) => makeSale(tx, shop));
    await chargePenalties(db, notices, ORG, isoDate('2026-04-10'));
  });
  const month = `kist_now() - interval '30 days'`;

  test('is asked, and decided, when that is written', async () => {
    const waiver_id = await asked('kist_now()', 'null');
    for (const at of [month, `'2099-01-01'`])
      await expect(refuse(waiver_id, at)).rejects.toMatchObject({
        code: '23001',
        message: /^update of waivers is refused: it is asked and decided/,
      });
    expect((await refuse(waiver_id, 'kist_now()')).rowCount).toBe(1);
  });

  test.each([
    ['asked a month back', month, 'null'],
    ['decided a month back', 'kist_now()', month],
    ['decided in 2099', 'kist_now()', `'2099-01-01'`],
  ])('that was %s is none', async (_what, askedAt, decidedAt) => {
    await expect(asked(askedAt, decidedAt)).rejects.toThrow('insert of waivers is refused: it is asked and decided');
  });
});
