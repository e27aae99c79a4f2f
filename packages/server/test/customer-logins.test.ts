import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { businessDate } from '@kist/contract/dates';
import * as customers from '#server/customers/customers.ts';
import { type Actor, SYSTEM, giveCustomerLogin } from '#server/identity/identity.ts';
import { registerEverything } from '#server/serve.ts';
import { createTestDatabase } from './database.ts';
import { giveKeys, imei, makeOrganisation, makeRetailer } from './factories.ts';
import { type TestApp, createSession, createTestApp, lastOtp } from './http.ts';
import { createServices } from './services.ts';
import { SMS_SECRET, sendForm } from './whole-shop.ts';

const ORG = 20;
const CLAUSE = { text_version: '2', language: 'en' } as const;
let http: TestApp;
let shop: Actor;
let tokens: { shop: string; sibling: string };
let serial = 91_000;

/** As an installation that serves people runs: what makes a login here is what makes one there. */
beforeAll(async () => {
  const services = createServices(await createTestDatabase());
  await makeOrganisation(services.db, ORG);
  http = await createTestApp({
    database: services.db,
    settings: { mode: 'production' },
    limitFactor: 1e6,
    register: (app) => registerEverything(app, services, SMS_SECRET),
  });
  shop = await makeRetailer(services.db, ORG);
  const sibling = await makeRetailer(services.db, ORG);
  for (const actor of [shop, sibling]) await giveKeys(services.db, actor, { count: 50 });
  const sessionOf = ({ userId }: Actor) => createSession(services.db, { orgId: ORG, userId, mobile: '' });
  tokens = { shop: await sessionOf(shop), sibling: await sessionOf(sibling) };
}, 120_000);
// Codes of one number follow one another faster here than people ask for them.
beforeEach(() => forgetCodes());
const forgetCodes = () => http.db.asOwner('delete from otps');

const newNumber = () => `97123${String(++serial).padStart(5, '0')}`;
const person = (mobile: string, first_name = 'Savita') => ({ first_name, last_name: 'More', mobile });

/** A phone and its terms. */
const deal = () =>
  ({
    device: { imei1: imei(++serial), brand: 'Redmi', model: '13C' },
    emi: {
      method: 'FLAT',
      cash_price: 6_000_00,
      down_payment: 0,
      rate_bps: 0,
      tenure: 2,
      frequency: 'MONTHLY',
      delivered_on: businessDate(Date.now()),
    },
  }) as const;

async function begin(mobile: string, token = tokens.shop, first_name?: string): Promise<string> {
  const draft = { draft: true, plan_id: 1, customer: person(mobile, first_name), ...deal() } as const;
  return (await http.call('registerCustomer', { token, body: draft })).data.customer_id;
}

/** The customer tells the code at the counter. */
async function tell(customer_id: string, mobile: string, token = tokens.shop) {
  await forgetCodes();
  await http.call('sendConsentCode', { token, body: { customer_id, ...CLAUSE } });
  const otp = await lastOtp(http.db, ORG, `+91${mobile}`);
  return (await http.call('collectConsent', { token, body: { customer_id, ...CLAUSE, otp } })).data;
}

/** A draft whose customer has told the code. */
async function told(mobile: string, token = tokens.shop, first_name?: string): Promise<string> {
  const customer_id = await begin(mobile, token, first_name);
  expect((await tell(customer_id, mobile, token)).login).toBe('given');
  return customer_id;
}

/** Sold, the customer having agreed. */
async function sold(mobile: string, token = tokens.shop): Promise<string> {
  const customer_id = await told(mobile, token);
  await sendForm(http, 'uploadSignature', token, { customer_id });
  const sale = await http.call('registerCustomer', {
    token,
    body: {
      customer_id,
      plan_id: 1,
      customer: person(mobile),
      ...deal(),
      consent: { ...CLAUSE, method: 'signature', accepted: true },
    },
  });
  expect(sale.data.customer_id).toBe(customer_id);
  return customer_id;
}

const enter = async (mobile: string) => {
  await forgetCodes();
  await http.call('loginWithOtp', { body: { mobile } });
  const otp = await lastOtp(http.db, ORG, `+91${mobile}`);
  return http.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN' } });
};
async function signIn(mobile: string): Promise<string> {
  const { data } = await enter(mobile);
  if (!('token' in data)) throw new Error('no session');
  return data.token;
}
const mine = async (token: string) => (await http.call('getUserAccess', { token })).data.customer_ids;
const sees = async (token: string, customer_id: string) =>
  (await http.call('getCustomerProfile', { token, query: { customer_id } })).status;
const changeMobile = (customer_id: string, mobile: string) =>
  http.db.transaction(ORG, async (tx) => {
    const customer = await customers.authorizeToChange(tx, SYSTEM(ORG), { customer_id });
    await customers.change(tx, SYSTEM(ORG), { customer, fields: { mobile: `+91${mobile}` } });
  });
/** By then the number that a shop wrote down speaks for the customer. */
const aDayLater = (customer_id: string) =>
  http.db.plant(
    ['number_changes'],
    `update number_changes set changed_at = changed_at - interval '24 hours' where customer_id = $1`,
    [customer_id],
  );

describe('a customer who told the code of a consent', () => {
  test('signs in with that number by a code, and reads what was sold to it and nothing else', async () => {
    const mobile = newNumber();
    const [own, other] = [await sold(mobile), await sold(newNumber())];
    const { data } = await enter(mobile);
    expect(data).toMatchObject({ user_type: 'customer', mpin_set: false });
    const token = 'token' in data ? data.token : '';
    expect(await mine(token)).toEqual([own]);
    expect([await sees(token, own), await sees(token, other)]).toEqual([200, 404]);
    const emi = await http.call('getEmiDetails', { token, body: { customer_id: own } });
    expect(emi.data.instalments).toHaveLength(2);
    expect((await http.call('getEmiDetails', { token, body: { customer_id: other } })).status).toBe(404);
    // None of a shop's calls is theirs.
    expect((await http.call('listCustomers', { token })).status).toBe(403);
    expect((await http.call('getUserAccess', { token })).data).toMatchObject({ lock_unlock: '0', feature_access: '0' });
  });

  test('who told none has no login, and the answer does not say so', async () => {
    const mobile = newNumber();
    await begin(mobile);
    expect((await http.call('loginWithOtp', { body: { mobile } })).status).toBe(200);
    await expect(lastOtp(http.db, ORG, `+91${mobile}`)).rejects.toThrow('no code');
  });

  test('sees what two shops sold to the number, at once, and says of which it is paid', async () => {
    const mobile = newNumber();
    const first = await sold(mobile);
    const token = await signIn(mobile);
    const second = await sold(mobile, tokens.sibling);
    const third = await sold(newNumber(), tokens.sibling);
    expect((await mine(token)).toSorted()).toEqual([first, second].toSorted());
    expect([await sees(token, first), await sees(token, second), await sees(token, third)]).toEqual([200, 200, 404]);
    const claim = (customer_id?: string) => ({
      payment_id: crypto.randomUUID(),
      amount: 100_00,
      method: 'UPI' as const,
      reference: `UPI${++serial}`,
      ...(customer_id !== undefined && { customer_id }),
    });
    expect(await http.call('claimPayment', { token, body: claim() })).toMatchObject({
      status: 400,
      errors: [{ path: 'customer_id' }],
    });
    expect((await http.call('claimPayment', { token, body: claim(third) })).status).toBe(404);
    expect((await http.call('claimPayment', { token, body: claim(second) })).data.state).toBe('claimed');
    // The shop that sold one of them sees nothing of the other.
    expect([await sees(tokens.shop, second), await sees(tokens.sibling, first)]).toEqual([404, 404]);
  });

  test('who bought one thing need not say which is paid', async () => {
    const mobile = newNumber();
    await sold(mobile);
    const token = await signIn(mobile);
    const body = { payment_id: crypto.randomUUID(), amount: 50_00, method: 'CASH' as const, reference: '' };
    expect((await http.call('claimPayment', { token, body })).data.state).toBe('claimed');
  });

  test('reads on after everything is paid, and after the sale is cancelled', async () => {
    const [paidUp, cancelled] = [newNumber(), newNumber()];
    const [done, off] = [await sold(paidUp), await sold(cancelled)];
    const { instalments } = (await http.call('getEmiDetails', { token: tokens.shop, body: { customer_id: done } }))
      .data;
    await http.call('multipleEmiPaid', {
      token: tokens.shop,
      body: { customer_id: done, instalment_ids: instalments.map((one) => one.instalment_id), method: 'CASH' },
    });
    const { data: look } = await http.call('previewCancellation', { token: tokens.shop, query: { customer_id: off } });
    expect(look).toBeDefined();
    const stopped = await http.call('cancelAgreement', {
      token: tokens.shop,
      body: { customer_id: off, reason: 'changed their mind' },
    });
    expect(stopped.status).toBe(200);
    for (const [mobile, customer_id] of [
      [paidUp, done],
      [cancelled, off],
    ] as const) {
      const token = await signIn(mobile);
      expect(await mine(token)).toEqual([customer_id]);
      expect((await http.call('getEmiDetails', { token, body: { customer_id } })).status).toBe(200);
    }
  });
});

describe('a login ends', () => {
  test('for the customer whose number on file is another, until the new one, a day later, tells a code', async () => {
    const [old, next] = [newNumber(), newNumber()];
    const customer_id = await sold(old);
    const token = await signIn(old);
    await changeMobile(customer_id, next);
    expect((await http.call('getUserAccess', { token })).status).toBe(511);
    await forgetCodes();
    await http.call('loginWithOtp', { body: { mobile: next } });
    await expect(lastOtp(http.db, ORG, `+91${next}`)).rejects.toThrow('no code');
    const asked = await http.call('sendConsentCode', { token: tokens.shop, body: { customer_id, ...CLAUSE } });
    expect([asked.status, asked.code]).toEqual([409, 'NUMBER_IS_NEW']);
    await aDayLater(customer_id);
    expect((await tell(customer_id, next)).login).toBe('given');
    expect(await mine(await signIn(next))).toEqual([customer_id]);
  });

  test('for the one of two whose number changed, and not for the other', async () => {
    const mobile = newNumber();
    const [first, second] = [await sold(mobile), await sold(mobile, tokens.sibling)];
    const token = await signIn(mobile);
    await changeMobile(first, newNumber());
    expect(await mine(token)).toEqual([second]);
    expect([await sees(token, first), await sees(token, second)]).toEqual([404, 200]);
  });

  test('with the draft that it was made for, and comes back with the next code', async () => {
    const mobile = newNumber();
    const customer_id = await told(mobile);
    const token = await signIn(mobile);
    await http.call('deleteDraft', { token: tokens.shop, body: { customer_id } });
    expect((await http.call('getUserAccess', { token })).status).toBe(511);
    const again = await told(mobile);
    expect(await mine(await signIn(mobile))).toEqual([again]);
  });

  test('for everything before, when a number that was silent for months tells a code under another name', async () => {
    const mobile = newNumber();
    const before = await sold(mobile);
    const token = await signIn(mobile);
    await http.db.asOwner(
      `with u as (select user_id from users where mobile = $1), s as (update sessions set last_seen_at = now() - interval '91 days' where user_id in (select user_id from u)),
         n as (update users set number_proved_at = now() - interval '91 days' where mobile = $1)
       update customer_logins set since = now() - interval '91 days' where user_id in (select user_id from u)`,
      [`+91${mobile}`],
    );
    const after = await told(mobile, tokens.sibling, 'Rakesh');
    expect((await http.call('getUserAccess', { token })).status).toBe(511);
    const next = await signIn(mobile);
    expect(await mine(next)).toEqual([after]);
    expect(await sees(next, before)).toBe(404);
  });

  test('not for a family that shares a number in use', async () => {
    const mobile = newNumber();
    const [first, second] = [await told(mobile), await told(mobile, tokens.shop, 'Rakesh')];
    expect((await mine(await signIn(mobile))).toSorted()).toEqual([first, second].toSorted());
  });
});

describe('a number that a shop wrote down for somebody', () => {
  const write = async (mobile: string) => {
    const body = { mobile, first_name: 'Usha', shop_name: 'Usha Mobiles' };
    return (await http.call('addUser', { token: tokens.sibling, body })).data.user_id;
  };
  const loginsOf = (customer_id: string) =>
    http.db.asOwner('select user_id from customer_logins where customer_id = $1', [customer_id]);

  test('who never told a code from it, is the customer’s who does, and the shop keeps the rest of what it wrote', async () => {
    const mobile = newNumber();
    const user_id = await write(mobile);
    const customer_id = await begin(mobile);
    expect(await tell(customer_id, mobile)).toMatchObject({ login: 'given' });
    const { data } = await enter(mobile);
    expect(data).toMatchObject({ user_type: 'customer' });
    expect(await mine('token' in data ? data.token : '')).toEqual([customer_id]);
    const lines = await http.db.asOwner(
      `select data from audit_lines where subject_id = $1 and action = 'number_yielded'`,
      [user_id],
    );
    expect(lines).toHaveLength(1);
    // What else is said of them may be changed still; the number is another's now, and another number is theirs.
    const change = (body: object) => http.call('updateUser', { token: tokens.sibling, body: { user_id, ...body } });
    expect((await change({ first_name: 'Ushatai' })).status).toBe(200);
    const [own, again] = [newNumber(), await change({ mobile })];
    expect(again.status).toBe(200);
    expect((await change({ mobile: own })).status).toBe(200);
    expect((await change({ mobile })).code).toBe('MOBILE_TAKEN');
    expect((await enter(own)).data).toMatchObject({ user_type: 'miniretailer' });
  });

  test('who tells a code from it while a customer’s is on its way there, keeps it: the customer’s opens nothing', async () => {
    const mobile = newNumber();
    const customer_id = await begin(mobile);
    await http.call('sendConsentCode', { token: tokens.shop, body: { customer_id, ...CLAUSE } });
    const otp = await lastOtp(http.db, ORG, `+91${mobile}`);
    const user_id = await write(mobile);
    await http.db.transaction(ORG, async (tx) => {
      await tx.query('update users set number_proved_at = kist_now() where user_id = $1', [user_id]);
      const customer = { ...person(mobile), mobile: `+91${mobile}`, language: 'en' } as const;
      const login = await giveCustomerLogin(tx, SYSTEM(ORG), { customer_id, ...customer });
      expect(login).toBe('shop_number');
    });
    expect(await loginsOf(customer_id)).toEqual([]);
    const { code } = await http.call('collectConsent', { token: tokens.shop, body: { customer_id, ...CLAUSE, otp } });
    expect(code).toBe('STAFF_NUMBER');
    expect((await enter(mobile)).data).toMatchObject({ user_type: 'miniretailer', user_id });
  });

  test('who has told a code from it, is the shop’s alone', async () => {
    const mobile = newNumber();
    const user_id = await write(mobile);
    expect((await enter(mobile)).data).toMatchObject({ user_type: 'miniretailer', user_id });
    const customer_id = await begin(mobile);
    const asked = await http.call('sendConsentCode', { token: tokens.shop, body: { customer_id, ...CLAUSE } });
    expect(asked.code).toBe('STAFF_NUMBER');
    expect(await loginsOf(customer_id)).toEqual([]);
    await expect(
      http.db.transaction(ORG, (tx) =>
        tx.query('update users set number_yielded_at = kist_now() where user_id = $1', [user_id]),
      ),
    ).rejects.toThrow(/is not yielded/);
  });
});
