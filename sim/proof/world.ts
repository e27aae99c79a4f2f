import { provisioningQrSchema } from '@kist/contract/agent';
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { addDays, businessDate } from '@kist/contract/dates';
import type { EmiDetails } from '@kist/contract/emi';
import { PATHS } from '@kist/contract/paths';
import { creditKeys, putGuardsAside } from '@kist/server/measured';
import { appHeaders, dataOf } from '#bench/lib/client.ts';
import { enrol } from './phones.ts';
import type { House } from './house.ts';
import type { Luck } from './random.ts';

/** Somebody who calls: by a session that the proof planted. */
export interface Person {
  userId: string;
  token: string;
}

/** A sold phone and what is known of it outside. */
export interface Sold {
  customerId: string;
  agreementId: string;
  instalmentIds: string[];
  emiPaise: number;
  /** The customer, signed in. */
  person: Person;
  /** Who may take its money: the shop that sold it and the one above, each with a till. */
  shops: Person[];
}

/** A customer whose phone waits with a code that is good. */
export interface Waiting {
  customerId: string;
  code: string;
  imei: string;
}

/** One organisation with a shop, a shop below it and an administrator. */
export interface World {
  orgId: number;
  retailer: Person;
  mini: Person;
  admin: Person;
  sold: Sold[];
  /** Payments that acts were sent with, claims among them. */
  paymentIds: string[];
  claimIds: string[];
  /** Phones that the world itself sold. */
  imeis: string[];
  /** Written by statements, not sold: phones that may be locked at once. */
  isPlanted?: true;
}

const SOLD = 6;
const WAITING = 4;
const KEYS = 14;
/** So long ago were the phones sold when the proof begins: of twelve weekly instalments six are overdue, and penal charges are to be made. */
export const SOLD_DAYS_AGO = 45;
/** The daily run begins so many days before the proof does. */
const RUN_DAYS = 5;
const SHOPS = ['retailer', 'mini', 'admin'] as const;

export const uuidOf = (words: string): string => {
  const hex = createHash('md5').update(words).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};
const personOf = (orgId: number, name: string): Person => ({
  userId: uuidOf(`${orgId} ${name}`),
  token: `${orgId.toString(36)}.${createHash('sha256').update(`${orgId} ${name} token`).digest('base64url')}`,
});
let imeis = 0;
/** Fifteen digits with the check digit that fits (Luhn). */
export function nextImei(): string {
  const body = `350009${String((imeis += 1)).padStart(8, '0')}`;
  const sum = Array.from(body).reduce((all, digit, i) => {
    const n = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return all + (n > 9 ? n - 9 : n);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** An organisation as an installation sets it up, with nothing sold. */
export async function openShop(house: House, orgId: number): Promise<World> {
  const [retailer, mini, admin] = SHOPS.map((name) => personOf(orgId, name)) as [Person, Person, Person];
  await house.owner((client) => plantShop(client, orgId, { retailer, mini, admin }));
  return { orgId, retailer, mini, admin, sold: [], paymentIds: [], claimIds: [], imeis: [] };
}

/** Such an organisation with keys and customers; its sales are made by the product itself, over HTTP. */
export async function openWorld(house: House, orgId: number, luck: Luck): Promise<World> {
  const world = await openShop(house, orgId);
  const { retailer, mini } = world;
  for (const to of [retailer, mini])
    for (const lot of ['paid', 'granted'] as const) await grant(house, world, to, lot, KEYS, 'at the start');
  for (let n = 0; n < SOLD; n += 1)
    world.sold.push(await sell(house, world, luck, n % 2 ? world.mini : world.retailer));
  return world;
}

/** Sells phones that are not set up yet. */
export async function letWait(house: House, world: World, luck: Luck, count = WAITING): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (let n = 0; n < count; n += 1) {
    const { customer_id, imei } = await register(house, world, luck);
    waiting.push({ customerId: customer_id, imei, code: await codeOf(house, world, customer_id) });
  }
  return waiting;
}

async function plantShop(
  client: pg.Client,
  orgId: number,
  people: Record<(typeof SHOPS)[number], Person>,
): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('select kist_now() as now');
  const runOn = addDays(businessDate(rows[0]!.now.getTime()), SOLD_DAYS_AGO - RUN_DAYS);
  await client.query(`insert into org_directory (org_id, slug, name) values ($1, 'proof-' || $1::int, 'Proof')`, [
    orgId,
  ]);
  // No day runs before the proof begins: the database would not take one that has not come.
  const putBack = await putGuardsAside(client, ['organisations', 'daily_steps']);
  await client.query(
    `insert into organisations (org_id, org_name, company_name, daily_run_on) values ($1, 'Proof', 'Proof', $2)`,
    [orgId, runOn],
  );
  await client.query(
    `insert into daily_steps (org_id, business_on, step, finished_at) select $1, $2::date, step, $2::date + interval '12 hours' from unnest(kist_daily_steps()) step`,
    [orgId, runOn],
  );
  await putBack();
  await client.query(
    `insert into plans (org_id, plan_id, plan_type, name, provisioning_type) values ($1, 1, $2, 'EMI phone', $3)`,
    [orgId, PLAN.DPC, PROVISIONING.DPC],
  );
  await client.query(
    `insert into penal_rules (org_id, version, set_at, charge_paise, grace_days, every_days, cap_bps, is_daily, waiver_limit_paise, set_by, reason)
     values ($1, 1, kist_now(), 5000, 2, 5, 3000, true, 4000, 'R. Shah', 'told before signing')`,
    [orgId],
  );
  for (const [n, name] of SHOPS.entries()) {
    const { userId } = people[name];
    const parent = name === 'mini' ? people.retailer.userId : null;
    const type = name === 'mini' ? 'miniretailer' : name;
    await client.query(
      `insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name, shop_name, upi_id) values ($1, $2, $3, $4, $5, 'Sunita', 'Sunita Mobile', 'sunita@upi')`,
      [orgId, userId, type, parent, `+919${String(orgId * 100 + n).padStart(9, '0')}`],
    );
    await signIn(client, orgId, people[name]);
  }
}

async function signIn(client: pg.Client, orgId: number, { userId, token }: Person): Promise<void> {
  await client.query(
    `insert into sessions (org_id, session_id, user_id, token_hash, device, ip, created_at, last_seen_at, expires_at)
     values ($1, gen_random_uuid(), $2, $3, '{}', '127.0.0.1', kist_now(), kist_now(), kist_now() + interval '20 years')`,
    [orgId, userId, createHash('sha256').update(token).digest()],
  );
}

/** Keys as whoever runs the installation grants them: once for each effect. */
export const grant = (
  house: House,
  { orgId }: World,
  to: Person,
  lot: 'paid' | 'granted',
  count: number,
  why: string,
): Promise<boolean> =>
  house.operator.transaction(orgId, (tx) =>
    creditKeys(tx, {
      userId: to.userId,
      planType: PLAN.DPC,
      lot,
      count,
      effectKey: `proof:${to.userId}:${lot}:${why}`,
    }),
  );

export async function call<T>(house: House, token: string, path: string, body?: object): Promise<T> {
  const method = body ? 'POST' : 'GET';
  return dataOf<T>(
    await house.connection.send({
      method,
      path,
      headers: appHeaders(path, token),
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
}

/** What a shop types to sell a phone today. @param terms of the instalments, where they are not left to luck */
export function saleOf(luck: Luck, today: string, imei: string, terms: object = {}): object {
  const method = luck.pick(['REDUCING', 'FLAT', 'ZERO'] as const);
  return {
    plan_id: 1,
    customer: { first_name: 'Irfan', last_name: 'Shaikh', mobile: `+918${imei.slice(5, 14)}` },
    device: { imei1: imei, brand: 'Redmi', model: '13C' },
    emi: {
      method,
      cash_price: luck.between(9_000, 20_000) * 100 + luck.between(0, 99),
      down_payment: luck.between(0, 2_000) * 100,
      fee: luck.pick([0, 300_00, 199_99]),
      rate_bps: method === 'ZERO' ? 0 : luck.between(500, 2600),
      tenure: 12,
      frequency: 'WEEKLY',
      delivered_on: today,
      ...terms,
    },
    consent: { text_version: '2', language: 'en', method: 'typed', typed_name: 'Irfan Shaikh', accepted: true },
  };
}

export const todayOf = (house: House): Promise<string> =>
  house.owner(async (client) => (await client.query<{ day: string }>('select kist_today()::text as day')).rows[0]!.day);

async function register(house: House, world: World, luck: Luck, by = world.retailer, terms: object = {}) {
  const imei = nextImei();
  world.imeis.push(imei);
  const body = saleOf(luck, await todayOf(house), imei, terms);
  const reply = await call<{ customer_id: string; agreement_id: string }>(
    house,
    by.token,
    PATHS.registerCustomer.path,
    body,
  );
  return { ...reply, imei };
}

/** The token in the QR that the shop shows, as a phone's camera reads it. */
async function codeOf(house: House, world: World, customerId: string): Promise<string> {
  const path = `${PATHS.generateEmmCode.path}?customer_id=${customerId}`;
  const { qr } = await call<{ qr: string }>(house, world.retailer.token, path);
  const { 'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': extras } = provisioningQrSchema.parse(JSON.parse(qr));
  return extras['kist.token'];
}

async function enrolOnce(house: House, code: string, imei: string): Promise<void> {
  const reply = await enrol(house, { code, imei });
  if (reply.status !== 200) throw new Error(`a phone did not enrol: ${reply.text}`);
}

/** The customer signed and told the code from the own number, as the shop's calls would have written it: without, no debt would hold the phone. */
async function consent(
  client: pg.Client,
  world: World,
  { customerId, agreementId }: Pick<Sold, 'customerId' | 'agreementId'>,
) {
  const otp_id = randomUUID();
  // Made, and so told, before the transaction that uses it: the database refuses a code of the same one.
  await client.query(
    `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, customer_id, about_hash, code_hash, created_at, expires_at)
     values ($1, $2, '', 'counter', '', 'CONSENT', $3, sha256('clause'), '', now(), now() + interval '5 minutes')`,
    [world.orgId, otp_id, customerId],
  );
  await client.query('begin');
  await client.query('update otps set consumed_at = now() where org_id = $1 and otp_id = $2', [world.orgId, otp_id]);
  await client.query(
    `with told as (
       insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, otp_id, confirmed_at, confirmed_by)
       select $1, gen_random_uuid(), customer_id, mobile, '2', sha256('clause'), 'en', $4, kist_now(), owner_user_id from customers
       where org_id = $1 and customer_id = $2 returning confirmation_id
     )
     insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id, confirmation_id)
     select $1, gen_random_uuid(), $3, '2', sha256('clause'), 'en', 'signature', kist_now(), gen_random_uuid(), confirmation_id from told`,
    [world.orgId, customerId, agreementId, otp_id],
  );
  await client.query('commit');
}

/** How a sale is made, where not as most are. */
interface Sale {
  /** What reads the code; a phone that is not heard of again where left out. */
  setUp?: (code: string, imei: string) => Promise<void>;
  /** Of the instalments, where they are not left to luck. */
  terms?: object;
}

/** A phone that is sold, set up, and whose customer is signed in. */
export async function sell(
  house: House,
  world: World,
  luck: Luck,
  by: Person,
  { setUp = (code, imei) => enrolOnce(house, code, imei), terms = {} }: Sale = {},
): Promise<Sold> {
  const { customer_id: customerId, agreement_id: agreementId, imei } = await register(house, world, luck, by, terms);
  await setUp(await codeOf(house, world, customerId), imei);
  const person = personOf(world.orgId, `customer ${customerId}`);
  await house.owner(async (client) => {
    await client.query(
      `with u as (insert into users (org_id, user_id, user_type, mobile, first_name) select $1, $2, 'customer', mobile, 'Irfan' from customers where org_id = $1 and customer_id = $3 returning org_id, user_id)
       insert into customer_logins (org_id, customer_id, user_id, since) select org_id, $3, user_id, kist_now() from u`,
      [world.orgId, person.userId, customerId],
    );
    await signIn(client, world.orgId, person);
    await consent(client, world, { customerId, agreementId });
  });
  const details = await call<EmiDetails>(house, world.retailer.token, PATHS.getEmiDetails.path, {
    customer_id: customerId,
  });
  const instalmentIds = details.instalments.map(({ instalment_id }) => instalment_id);
  return {
    customerId,
    agreementId,
    instalmentIds,
    emiPaise: details.agreement.emi_paise,
    person,
    shops: by === world.retailer ? [by] : [by, world.retailer],
  };
}
