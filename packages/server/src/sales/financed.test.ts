import { beforeAll, expect, test } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { financerVerbs } from '#server/cli/financer-verbs.ts';
import { explain, read } from '#server/cli/verbs.ts';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { moneyRoutes } from '#server/http/routes/money.ts';
import type { Actor } from '#server/identity/identity.ts';
import { setPolicy } from '#server/locking/policies.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, imei, makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { deskOf } from '#test/kist-command.ts';
import { createServices } from '#test/services.ts';

/** Sales whose loan a financer made: who lends here, whose loan it is, and under which rules. */
const services = createServices(await createTestDatabase());
const { db } = services;
let http: TestApp;
let shop: Actor;
let token: string;
let serial = 70_000;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await setClock(db, '2026-04-10T11:00:00');
  shop = await makeRetailer(db, 20);
  await giveKeys(db, shop, { count: 20 });
  http = await createTestApp({
    database: db,
    register: (app) => {
      customerRoutes(app, services);
      moneyRoutes(app, services);
    },
  });
  token = await createSession(db, { orgId: 20, userId: shop.userId, mobile: '' });
  return () => services.waker.close();
});

async function kist(...args: string[]) {
  try {
    const asked = read('financer', financerVerbs, args);
    if (typeof asked === 'string') return { said: asked };
    const desk = deskOf(db);
    return await asked.verb.run(desk, asked.given).catch(explain);
  } catch (error) {
    return { said: (error as Error).message };
  }
}
const sale = (loan: object, change: object = {}) => ({
  plan_id: 1,
  firstName: 'Savita',
  lastName: 'More',
  mobile: '9812345678',
  device: { imei1: imei(++serial), brand: 'Redmi', model: '13C' },
  emi: {
    method: 'FLAT',
    cash_price: 14_000_00,
    down_payment: 2_000_00,
    rate_bps: 1800,
    tenure: 12,
    frequency: 'MONTHLY',
    delivered_on: '2026-04-10',
  },
  consent: { text_version: '1', language: 'en', method: 'typed', typed_name: 'Savita More', accepted: true },
  loan: { financer_id: 3, loan_account_no: 'GF-1', sanctioned_amount: 12_000_00, sanctioned_on: '2026-04-09', ...loan },
  ...change,
});
const register = (body: object) => http.call('createCustomerHdb', { token, rawBody: body });

test('who lends is told by the command line, and listed by both methods', async () => {
  expect(await kist('add', '20', '3', 'Gramin Finance')).toMatchObject({ lines: ['  changed'] });
  expect(await kist('add', '20', '3', 'Gramin Finance')).toMatchObject({ lines: ['  unchanged'] });
  expect(await kist('add', '20', '4', 'Old Lender')).toMatchObject({ lines: ['  changed'] });
  expect(await kist('end', '20', '4')).toMatchObject({ lines: ['  ended'] });
  expect(await kist('add', '20', 'x', 'Y')).toMatchObject({ said: expect.stringContaining('number of the financer') });
  expect(await kist('list', '20')).toMatchObject({ lines: ['     3  Gramin Finance', '     4  Old Lender, ended'] });
  const all = [{ financer_id: 3, name: 'Gramin Finance', is_regulated: false, is_open: true }];
  expect((await http.call('listFinancers', { token })).data).toEqual(all);
  expect((await http.call('financerList', { token, body: {} })).data).toEqual(all);
});

test('a financed sale is a sale with its loan, which the agreement shows and nobody changes', async () => {
  const { data } = await register(sale({}));
  expect(data).toMatchObject({ is_draft: false, status: 0, keys_left: 19 });
  const details = await http.call('getEmiDetails', { token, body: { customer_id: data.customer_id } });
  expect(details.data.agreement.loan).toEqual({
    financer: 'Gramin Finance',
    financer_id: 3,
    loan_account_no: 'GF-1',
    sanctioned_paise: 12_000_00,
    sanctioned_on: '2026-04-09',
  });
  for (const text of [`update financed_loans set loan_account_no = 'x'`, 'delete from financed_loans'])
    await expect(db.asOwner(text)).rejects.toThrow(/stays/);
});

test('is written with its agreement and at no other time', async () => {
  const { agreement } = await db.transaction(20, (tx) => makeSale(tx, shop));
  const late = `insert into financed_loans (org_id, agreement_id, financer_id, loan_account_no, sanctioned_paise, sanctioned_on, recorded_by, recorded_at)
    values (20, $1, 3, 'GF-9', 1000000000, '2026-04-01', $2, kist_now())`;
  await expect(db.asOwner(late, [agreement.agreement_id, shop.userId])).rejects.toThrow(
    'a loan comes with its agreement',
  );
});

test('is refused as a whole where the loan does not fit: no key is taken, nobody is registered', async () => {
  const count = async () => (await db.asOwner('select customer_id from customers')).length;
  const before = await count();
  const wrong = async (loan: object, change: object = {}) => {
    const { code, errors } = await register(sale({ loan_account_no: 'GF-2', ...loan }, change));
    return errors?.[0]?.path ?? code;
  };
  for (const same of ['GF-1', 'gf-1', '\uff27\uff26-1'])
    expect(await wrong({ loan_account_no: same })).toBe('LOAN_NUMBER_USED');
  expect(await wrong({ financer_id: 4 })).toBe('loan.financer_id');
  expect(await wrong({ financer_id: 99 })).toBe('loan.financer_id');
  expect(await wrong({ sanctioned_amount: 11_999_99 })).toBe('loan.sanctioned_amount');
  expect(await wrong({ sanctioned_on: '2026-04-11' })).toBe('loan.sanctioned_on');
  expect(await wrong({ loan_account_no: ' ' })).toBe('loan.loan_account_no');
  expect(await wrong({}, { draft: true })).toBe('draft');
  expect(await count()).toBe(before);
});

test('of a regulated lender is signed under the regulator’s rules only', async () => {
  await kist('add', '20', '5', 'Bank', '--regulated');
  expect(await kist('add', '20', '5', 'Bank')).not.toMatchObject({ lines: ['  changed'] });
  const loan = { financer_id: 5, loan_account_no: 'B-1' };
  const isOpen = async () => {
    const { data } = await http.call('financerList', { token, body: {} });
    return data.find((one: { financer_id: number }) => one.financer_id === 5)?.is_open;
  };
  expect(await register(sale(loan))).toMatchObject({ status: 409, code: 'LENDER_RULES_REQUIRED' });
  expect(await isOpen()).toBe(false);
  await db.transaction(20, (tx) => setPolicy(tx, shop, POLICY_PRESETS['rbi-2026']));
  expect(await isOpen()).toBe(true);
  expect((await register(sale(loan))).status).toBe(200);
});
