import { beforeAll, beforeEach, expect, it } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import { atCounter } from '#server/identity/askers.ts';
import * as identities from '#server/identity/identity.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { imei, makeOrganisation, makeRetailer } from '#test/factories.ts';
import { testSealer } from '#test/sealer.ts';
import { createServices } from '#test/services.ts';
import * as sales from './sales.ts';

const bare = createServices(await createTestDatabase()).db;
const { identity } = bare.ports;
const db = bare.with({ ...bare.ports, identity: { ...identity, sealer: testSealer, canSendCodes: () => true } });
const DAY_S = 86_400;
let shop: Actor;
let mini: Actor;
let other: Actor;
let serial = 0;
beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  mini = await makeRetailer(db, 20, shop);
  other = await makeRetailer(db, 20);
});
beforeEach(() => db.asOwner('delete from otps'));

const NEW = { first_name: 'Savita', last_name: 'More', mobile: '9812399999', language: 'hn' };
const TERMS = {
  method: 'ZERO',
  cash_price: 6_000_00,
  down_payment: 0,
  rate_bps: 0,
  tenure: 2,
  frequency: 'MONTHLY',
  delivered_on: '2026-04-10',
} as const;
/** A code to a number that nobody asked before. */
async function send(by: Actor) {
  const customer = { first_name: 'Savita', last_name: 'More', mobile: `98123${String(++serial).padStart(5, '0')}` };
  const device = { imei1: imei(serial), brand: 'Redmi', model: '13C' };
  const form = { plan_id: 1, customer: { ...customer, language: 'hn' }, device, emi: TERMS };
  const body = registerBodySchema.parse({ ...form, draft: true });
  const { customer_id } = await db.transaction(20, (tx) => sales.register(tx, by, body));
  const about = { customer_id, text_version: '2', language: 'hn' as const };
  return db.transaction(20, (tx) => sales.sendConsentCode(tx, by, about));
}
/** So many went to as many numbers of strangers, the oldest of them `ageS` ago. */
const sent = (asker: Buffer, n: number, { ageS = 3600, purpose = 'THEFT_REPORT' } = {}) =>
  db.asOwner(
    `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, customer_id, code_hash, created_at, expires_at)
     select 20, gen_random_uuid(), int4send(n), 'counter', $1, $3, gen_random_uuid(), '', now() - make_interval(secs => $4), now() + interval '5 minutes'
     from generate_series(1, $2::int) n`,
    [asker, n, purpose, ageS],
  );
const counterOf = ({ userId }: Actor) => atCounter(db.ports, userId).asker;
const refusal = (by: Actor) =>
  send(by).then(
    () => undefined,
    (error: { code: string; options: { retryAfterS: number } }) => ({ code: error.code, ...error.options }),
  );

it('a shop sends so many codes a day that nobody uses, over all numbers and with its mini-retailers, and no other shop pays for it', async () => {
  await sent(counterOf(shop), LIMITS.otpUnusedPerShop - 1);
  await send(mini);
  for (const by of [shop, mini]) {
    const refused = await refusal(by);
    expect(refused?.code).toBe('OTP_SHOP_LIMIT');
    expect(refused?.retryAfterS).toBeGreaterThan(DAY_S - 3600 - 60);
    expect(refused?.retryAfterS).toBeLessThanOrEqual(DAY_S - 3600);
  }
  await send(other);
});

it('those that were used do not count, and none after a day', async () => {
  await sent(counterOf(shop), LIMITS.otpUnusedPerShop);
  expect(await refusal(shop)).toMatchObject({ code: 'OTP_SHOP_LIMIT' });
  await db.asOwner('update otps set consumed_at = now() where otp_id = (select otp_id from otps limit 1)');
  await send(shop);
  expect(await refusal(shop)).toMatchObject({ code: 'OTP_SHOP_LIMIT' });
  await db.asOwner('delete from otps');
  await sent(counterOf(shop), LIMITS.otpUnusedPerShop, { ageS: DAY_S + 1 });
  await send(shop);
});

it('all shops of an organisation have a budget together', async () => {
  await sent(Buffer.from([1]), LIMITS.otpUnusedPerOrganisation - 1, { ageS: DAY_S - 600 });
  await send(other);
  expect(await refusal(other)).toMatchObject({ code: 'OTP_SHOP_LIMIT', retryAfterS: 600 });
});

it('a code that frees waits for no budget, neither the shop’s nor all shops’', async () => {
  await sent(counterOf(shop), LIMITS.otpUnusedPerShop);
  await sent(Buffer.from([1]), LIMITS.otpUnusedPerOrganisation);
  const { customer_id } = await db.transaction(20, (tx) =>
    sales.register(tx, shop, registerBodySchema.parse({ plan_id: 1, draft: true, customer: NEW })),
  );
  const code = { customer_id, mobile: '+919812399999', text_hash: null, language: 'en' as const };
  const ask = (purpose: 'THEFT_LIFT' | 'THEFT_REPORT') =>
    db.transaction(20, (tx) => identities.sendCustomerCode(tx, shop, { ...code, purpose }));
  await expect(ask('THEFT_REPORT')).rejects.toThrow('OTP_SHOP_LIMIT');
  await ask('THEFT_LIFT');
});
