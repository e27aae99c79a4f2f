import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '#test/http.ts';
import { setClock } from '#test/factories.ts';
import { type WholeShop, ORG, useWholeShops } from '#test/whole-shop.ts';
import { imei } from './factories.ts';

/**
 * The shop's day is India's, whatever UTC says: from midnight to half past five in the morning the two name different days. And what is taken is in the till that
 * it was given to. Asked through the calls of the app, with the clock at those hours.
 */
const world = useWholeShops();
let shop: WholeShop;
let token: string;
let phones = 95_000;
beforeEach(async () => {
  shop = world.sibling;
  token = await createSession(world.db, { orgId: ORG, userId: shop.actor.userId, mobile: '' });
});
afterAll(() => world.db.asOwner(`update clock_offset set shift = '0'`));

/** A phone for ₹12,000 in six months, delivered on this day. */
async function sell(deliveredOn: string) {
  const { data } = await world.http.call('registerCustomer', {
    token,
    body: {
      plan_id: 1,
      customer: { first_name: 'Asha', last_name: 'More', mobile: '9812399999' },
      device: { imei1: imei((phones += 1)), brand: 'Redmi', model: '13C' },
      emi: {
        method: 'ZERO',
        cash_price: 12_000_00,
        down_payment: 0,
        rate_bps: 0,
        tenure: 6,
        frequency: 'MONTHLY',
        delivered_on: deliveredOn,
      },
      consent: { text_version: '1', language: 'en', method: 'typed', typed_name: 'Asha More', accepted: true },
    },
  });
  return data.customer_id;
}
const details = async (customer_id: string) =>
  (await world.http.call('getEmiDetails', { token, body: { customer_id } })).data;
async function pay(customer_id: string, amount: number, more: object = {}) {
  const { instalments } = await details(customer_id);
  const { instalment_id } = instalments.find((row) => row.left_paise > 0 || row.penal_left_paise > 0)!;
  const body = { instalment_id, amount, method: 'CASH' as const, ...more };
  return (await world.http.call('updateEmiStatus', { token, body })).data;
}
const dashboard = async () => (await world.http.call('getDashboard', { token })).data;
const bucket = async (name: 'overdue' | 'today') =>
  (await world.http.call('getUpcomingEmi', { token, query: { bucket: name, page_size: 100 } })).data.list.map(
    (row) => row.customer_id,
  );

describe('at two in the morning', () => {
  test('an instalment is due on its day and late on the next, by India’s', async () => {
    await setClock(world.db, '2027-01-10T02:00:00');
    const customer = await sell('2027-01-10');
    const { instalments, business_on } = await details(customer);
    expect([business_on, instalments[0]!.due_on]).toEqual(['2027-01-10', '2027-02-10']);
    await setClock(world.db, '2027-02-10T02:00:00');
    expect(await bucket('today')).toContain(customer);
    expect((await details(customer)).agreement).toMatchObject({ days_past_due: 0, overdue_paise: 0 });
    await setClock(world.db, '2027-02-11T02:00:00');
    expect([await bucket('today'), await bucket('overdue')]).toEqual([
      expect.not.arrayContaining([customer]),
      expect.arrayContaining([customer]),
    ]);
    expect((await details(customer)).agreement).toMatchObject({ days_past_due: 1, overdue_paise: 2_000_00 });
  });

  test('what is taken is of this day’s till, not of yesterday’s', async () => {
    await setClock(world.db, '2027-03-02T02:00:00');
    const customer = await sell('2027-03-02');
    const before = (await dashboard()).today.collected_paise;
    await pay(customer, 333_00);
    const after = await dashboard();
    expect([after.business_on, after.today.collected_paise - before]).toEqual(['2027-03-02', 333_00]);
    expect(after.collections.at(-1)).toEqual({ on: '2027-03-02', paise: after.today.collected_paise });
    const books = async (on: string) =>
      (await world.http.call('trialBalance', { token, query: { on } })).data.rows.find(
        (row) => row.code === 'clearing_cash',
      )?.debit ?? 0;
    expect((await books('2027-03-02')) - (await books('2027-03-01'))).toBe(333_00);
  });

  test('a sale of this day is delivered today, and money of the evening before it is refused', async () => {
    await setClock(world.db, '2027-03-05T02:00:00');
    expect((await details(await sell('2027-03-05'))).agreement.delivered_on).toBe('2027-03-05');
    const paid = await world.http.call('updateEmiStatus', {
      token,
      body: {
        instalment_id: (await details(await sell('2027-03-05'))).instalments[0]!.instalment_id,
        amount: 100,
        method: 'CASH',
        paid_at: '2027-03-04T23:00:00+05:30',
      },
    });
    // Before the sale: 23:00 of the fourth is the fourth, though UTC says the same of both.
    expect([paid.status, paid.errors]).toMatchObject([400, [{ path: 'paid_at', code: 'field.paid_before' }]]);
  });
});

describe('on 31 March', () => {
  test('the receipts of a financial year end at India’s midnight', async () => {
    await setClock(world.db, '2027-03-31T23:58:00');
    const customer = await sell('2027-03-31');
    expect((await pay(customer, 100)).receipt_no).toMatch(/^26-27\//);
    await setClock(world.db, '2027-04-01T00:01:00');
    expect((await pay(customer, 100)).receipt_no).toMatch(/^27-28\/\d\d\/0001$/);
    await setClock(world.db, '2027-04-01T05:29:00');
    expect((await pay(customer, 100)).receipt_no).toMatch(/^27-28\/\d\d\/0002$/);
  });
});

describe('the till', () => {
  const tills = async () =>
    Object.fromEntries(
      (await world.http.call('trialBalance', { token })).data.rows
        .filter(({ code }) => code.startsWith('clearing_'))
        .map(({ code, debit, credit }) => [code, debit - credit]),
    );

  test.each([
    ['CASH', 'clearing_cash'],
    ['UPI', 'clearing_upi'],
    ['OTHER', 'clearing_other'],
  ] as const)('of %s is %s, and no other moves', async (method, code) => {
    const customer = await sell('2027-04-01');
    const before = await tills();
    await pay(customer, 4_321, { method });
    expect(await tills()).toEqual({ ...before, [code]: (before[code] ?? 0) + 4_321 });
  });
});
