import { beforeAll } from 'vitest';
import type { Language } from '@kist/contract/codes';
import { addDays, businessDate } from '@kist/contract/dates';
import { type CallName, PATHS } from '@kist/contract/paths';
import type { Actor } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { waivePenalty } from '#server/payments/payments.ts';
import { registerEverything } from '#server/serve.ts';
import { type TestDatabase, createTestDatabase } from './database.ts';
import { giveKeys, imei, makeCharge, makeOrganisation, makeRetailer } from './factories.ts';
import { type TestApp, createSession, createTestApp, createUser, emmHeader } from './http.ts';
import { createServices } from './services.ts';
import { overrideAsk, phoneClaim } from './waiting-answers.ts';

export const ORG = 20;
export const OTHER_ORG = 21;
export const SMS_SECRET = 'the secret of the gateway in tests';

/** A shop with one of everything that has an id, and the words and amounts that only it may ever see. */
export interface WholeShop {
  name: string;
  actor: Actor;
  token: string;
  /** Stands in every text of this shop; an answer to somebody else that holds it is a leak. */
  canary: string;
  /** Paise; no other shop has this price or this payment. */
  pricePaise: number;
  paidPaise: number;
  /** Ids by the name of the parameter that takes them. */
  ids: Record<
    | 'customer_id'
    | 'agreement_id'
    | 'device_id'
    | 'instalment_id'
    | 'payment_id'
    | 'charge_id'
    | 'waiver_id'
    | 'ask_id'
    | 'claim_id'
    | 'dispute_id'
    | 'hold_id'
    | 'document_id'
    | 'batch_id'
    | 'session_id'
    | 'passkey_id'
    | 'retailer_id'
    | 'account_id'
    | 'user_id',
    string
  >;
  draftId: string;
}

export interface World {
  db: TestDatabase;
  http: TestApp;
  own: WholeShop;
  mini: WholeShop;
  sibling: WholeShop;
  /** A mini-retailer of another retailer yet. */
  nephew: WholeShop;
  foreign: WholeShop;
  /** A session of the customer of `own`. */
  customerToken: string;
  /** A session of who runs the organisation of all but `foreign`. */
  adminToken: string;
}

/**
 * The whole product as it is composed, on a database of its own: two organisations; in the first a retailer, its mini-retailer, a sibling retailer and another's mini-retailer.
 * Call it at the top of a file; the world is there when its tests run.
 */
export function useWholeShops(): World {
  const world = {} as World;
  beforeAll(async () => Object.assign(world, await build()), 120_000);
  return world;
}

async function build(): Promise<World> {
  const services = createServices(await createTestDatabase());
  const { db } = services;
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER_ORG);
  const http = await createTestApp({
    database: db,
    limitFactor: 1e6,
    register: (app) => registerEverything(app, services, SMS_SECRET),
  });
  const retailer = await makeRetailer(db, ORG);
  const own = await stock(db, http, 'own', retailer, 1);
  const mini = await stock(db, http, 'mini', await makeRetailer(db, ORG, retailer), 2);
  const sibling = await stock(db, http, 'sibling', await makeRetailer(db, ORG), 3);
  const foreign = await stock(db, http, 'foreign', await makeRetailer(db, OTHER_ORG), 4);
  const nephew = await stock(db, http, 'nephew', await makeRetailer(db, ORG, await makeRetailer(db, ORG)), 5);
  const person = await createUser(db, { orgId: ORG, userType: 'customer', customerId: own.ids.customer_id });
  const customerToken = await createSession(db, person);
  const adminToken = await createSession(db, await createUser(db, { orgId: ORG, userType: 'admin' }));
  return { db, http, own, mini, sibling, nephew, foreign, customerToken, adminToken };
}

/** One of everything, made through the calls that people use. */
async function stock(db: TestDatabase, http: TestApp, name: string, actor: Actor, n: number): Promise<WholeShop> {
  const { orgId, userId } = actor;
  const canary = `Zq${name}${n}canary`;
  await db.asOwner('update users set shop_name = $2, upi_id = $3 where user_id = $1', [
    userId,
    canary,
    `${canary}@upi`,
  ]);
  await giveKeys(db, actor, { count: 1000 * n + 7 });
  const token = await createSession(db, { orgId, userId, mobile: '' });
  const pricePaise = (10_000 + 1111 * n) * 100;
  const paidPaise = 101 + 13 * n;
  const sale = await http.call('registerCustomer', { token, body: registration(canary, pricePaise, n) });
  const { customer_id } = sale.data;
  const draft = await http.call('registerCustomer', {
    token,
    body: { draft: true, plan_id: 1, customer: { first_name: `${canary} draft`, mobile: '9812300000' } },
  });
  const schedule = await http.call('getEmiDetails', { token, body: { customer_id } });
  const instalment_id = schedule.data.instalments[0]!.instalment_id;
  const paid = await http.call('updateEmiStatus', {
    token,
    body: { instalment_id, amount: paidPaise, method: 'CASH', reference: `${canary} ref` },
  });
  const dispute = await http.call('openDispute', { token, body: { customer_id, text: `${canary} disputes it` } });
  const held = await http.call('setHold', {
    token,
    body: {
      customer_id,
      kind: 'hardship',
      until_on: addDays(businessDate(Date.now()), 7),
      reason: `${canary} lost the job`,
    },
  });
  const order = { command: 'unlock' as const, reason: 'EMI_OVERDUE' as const, customer_ids: [customer_id] };
  const access = actor.userType === 'miniretailer' ? { bulk_retailer: '1' } : {};
  await db.asOwner('update users set user_access = user_access || $2::jsonb where user_id = $1', [
    userId,
    JSON.stringify(access),
  ]);
  const bulk = await http.call('bulkCommand', { token, body: order });
  const other = await createSession(db, { orgId, userId, mobile: '' });
  const sessions = await http.call('mySessions', { token: other });
  const session_id = sessions.data.find((session) => !session.is_current)!.session_id;
  if (bulk.data.batch_id === null) throw new Error('no batch was made');
  return {
    name,
    actor,
    token,
    canary,
    pricePaise,
    paidPaise,
    draftId: draft.data.customer_id,
    ids: {
      customer_id,
      agreement_id: await agreementOf(db, { customer_id }),
      device_id: sale.data.device_id!,
      instalment_id,
      payment_id: paid.data.payment_id,
      ...(await askedWaiver(db, actor, { customer_id, reason: `${canary} was ill` })),
      ask_id: await overrideAsk(db, actor, { customer_id, note: `${canary} agreed in writing` }),
      claim_id: await phoneClaim(db, { customer_id }),
      dispute_id: dispute.data.dispute_id,
      hold_id: held.data.hold_id,
      document_id: await signature(http, token, customer_id),
      batch_id: bulk.data.batch_id,
      session_id,
      passkey_id: await passkeyOf(db, actor),
      retailer_id: userId,
      account_id: userId,
      user_id: userId,
    },
  };
}

/** @returns the id of a customer's only agreement, which no answer to a shop says */
export async function agreementOf(db: TestDatabase, { customer_id }: { customer_id: string }): Promise<string> {
  const [row] = await db.asOwner<{ agreement_id: string }>(
    'select agreement_id from agreements where customer_id = $1',
    [customer_id],
  );
  return row!.agreement_id;
}

/** A device of the person that signs in by fingerprint. @returns the id of its key */
export async function passkeyOf(db: TestDatabase, { orgId, userId }: Actor): Promise<string> {
  const passkey_id = newId();
  const device_hash = Buffer.from(passkey_id);
  await db.asOwner('insert into trusted_devices (org_id, user_id, device_hash) values ($1, $2, $3)', [
    orgId,
    userId,
    device_hash,
  ]);
  await db.asOwner(
    `insert into passkeys (org_id, user_id, device_hash, passkey_id, credential_id, public_key, rp_id)
     values ($1, $2, $3, $4, $3, $3, 'localhost')`,
    [orgId, userId, device_hash, passkey_id],
  );
  return passkey_id;
}

/** A penal charge of which somebody asked a second person to waive it. */
async function askedWaiver(
  db: TestDatabase,
  actor: Actor,
  { customer_id, reason }: { customer_id: string; reason: string },
): Promise<{ charge_id: string; waiver_id: string }> {
  // Nothing is late of a phone that was sold today: a rule that gives the charge all the same, so that the books are right.
  await db.plant(
    ['agreements'],
    `update agreements set penal = '{"version":0,"charge_paise":2100,"grace_days":-365,"every_days":365,"cap_bps":10000,"is_daily":false}' where customer_id = $1`,
    [customer_id],
  );
  const charge_id = await makeCharge(db, actor.orgId, { customer_id, amount: 21_00 });
  const { waiver_id } = await db.transaction(actor.orgId, (tx) =>
    waivePenalty(tx, { send: async () => 0 }, actor, { charge_id, reason }),
  );
  return { charge_id, waiver_id };
}

const registration = (canary: string, pricePaise: number, n: number) => ({
  plan_id: 1,
  customer: {
    first_name: canary,
    last_name: `${canary} More`,
    mobile: `98123${String(45_000 + n)}`,
    email: `${canary}@example.in`,
    address: { line1: `${canary} Road`, city: 'Pune', state: 'Maharashtra', pincode: '411001' },
  },
  device: { imei1: imei(70_000 + n), brand: `${canary} brand`, model: '13C', serial: `${canary}-S` },
  emi: {
    method: 'FLAT' as const,
    cash_price: pricePaise,
    down_payment: 0,
    rate_bps: 1800,
    tenure: 6,
    frequency: 'MONTHLY' as const,
    delivered_on: businessDate(Date.now()),
  },
  consent: {
    text_version: '1',
    language: 'en' as Language,
    method: 'typed' as const,
    typed_name: canary,
    accepted: true as const,
  },
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function signature(http: TestApp, token: string, customerId: string): Promise<string> {
  const reply = await sendForm(http, 'uploadSignature', token, { customer_id: customerId });
  const { data } = JSON.parse(reply.payload) as { data?: { document_id: string } };
  if (!data) throw new Error(`signature: ${reply.payload}`);
  return data.document_id;
}

/** Sends a form with these text fields and one small picture. */
export function sendForm(
  http: TestApp,
  name: Extract<CallName, `upload${string}`>,
  token: string | undefined,
  fields: Record<string, string>,
  headers: Record<string, string | undefined> = {},
) {
  const url = PATHS[name].path;
  const edge = 'form-edge-of-the-tests';
  const texts = Object.entries(fields).map(
    ([key, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return http.app.fastify.inject({
    method: 'POST',
    url,
    payload: Buffer.concat([Buffer.from(texts.join('') + file), PNG, Buffer.from(`\r\n--${edge}--\r\n`)]),
    headers: {
      'content-type': `multipart/form-data; boundary=${edge}`,
      'x-emm-auth-session': emmHeader(url),
      ...(token === undefined ? {} : { authorization: `bearer ${token}` }),
      ...headers,
    },
  });
}
