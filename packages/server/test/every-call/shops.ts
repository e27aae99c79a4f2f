import { beforeAll } from 'vitest';
import { LOCK_ACCESS_WORDS } from '@kist/contract/access';
import type { UserType } from '@kist/contract/codes';
import { businessDate } from '@kist/contract/dates';
import { newToken } from '#server/platform/ids.ts';
import { imei } from '#test/factories.ts';
import { type TestUser, createSession, createUser, lastOtp } from '#test/http.ts';
import { createPhone } from '#test/phone.ts';
import { type WholeShop, type World, useWholeShops } from '#test/whole-shop.ts';

/** The shops of two organisations, each with a phone that is set up, and what a call needs to do something once more. */
export interface Shops extends World {
  /** A session of each type of user. */
  tokens: Record<UserType, string>;
  /** Another customer of the shop, with a phone that waits. */
  sale(): Promise<{ customer_id: string; instalment_ids: string[]; imei1: string }>;
  draft(): Promise<string>;
  /** Somebody of the organisation who buys a phone with the number that they log in with. */
  staffCustomer(): Promise<string>;
  /** A customer of the shop who is no more. */
  deleted: string;
  /** What was the session of a shop that is suspended now. */
  suspended: string;
  /** Somebody new who signs in by a code. */
  newUser(): Promise<TestUser>;
  session(user?: TestUser): Promise<string>;
  /** The code that this user asked for. */
  code(user: TestUser): Promise<string>;
  /** The user may do all but this. */
  userWithout(word: string): Promise<string>;
}

let phones = 80_000;

/** Call it at the top of a file. */
export function useShops(): Shops {
  const shops = useWholeShops() as Shops;
  beforeAll(async () => {
    const { db, http, own, mini, sibling, nephew, foreign } = shops;
    const retailer = { orgId: own.actor.orgId, userId: own.actor.userId, mobile: '' };
    const admin = await createUser(db, { userType: 'admin' });
    Object.assign(shops, {
      tokens: {
        retailer: own.token,
        miniretailer: mini.token,
        customer: shops.customerToken,
        admin: await createSession(db, admin),
      },
      sale: async () => {
        const { data } = await http.call('registerCustomer', { token: own.token, body: registration() });
        const { customer_id } = data;
        const details = await http.call('getEmiDetails', { token: own.token, body: { customer_id } });
        const instalment_ids = details.data.instalments.map(({ instalment_id }) => instalment_id);
        return { customer_id, instalment_ids, imei1: imei(phones) };
      },
      draft: async () => {
        const { data } = await http.call('registerCustomer', { token: own.token, body: { draft: true, plan_id: 1 } });
        return data.customer_id;
      },
      staffCustomer: async () => {
        const { mobile, userId } = await createUser(db, { orgId: own.actor.orgId });
        await db.asOwner('update users set number_proved_at = now() where user_id = $1', [userId]);
        const sale = registration();
        const body = { ...sale, customer: { ...sale.customer, mobile: mobile.slice(-10) } };
        const { data } = await http.call('registerCustomer', { token: own.token, body });
        return data.customer_id;
      },
      newUser: () => createUser(db),
      session: (user: TestUser = retailer) => createSession(db, user),
      code: (user: TestUser) => lastOtp(db, user.orgId, user.mobile),
      userWithout: async (word: string) => {
        const isLock = (LOCK_ACCESS_WORDS as readonly string[]).includes(word);
        return createSession(db, await createUser(db, { [isLock ? 'lockAccess' : 'access']: { [word]: '0' } }));
      },
    });
    for (const shop of [own, mini, sibling, nephew, foreign]) await setUpPhone(shops, shop);
    const deleted = await shops.draft();
    await http.call('deleteDraft', { token: own.token, body: { customer_id: deleted } });
    const closed = await createUser(db, { parentUserId: own.actor.userId, userType: 'miniretailer' });
    const suspended = await createSession(db, closed);
    await http.call('suspendUser', { token: own.token, body: { user_id: closed.userId, reason: 'closed' } });
    Object.assign(shops, { deleted, suspended });
  }, 120_000);
  return shops;
}

/** A sale as the app sends it, with a phone that nobody has yet. */
export const registration = (imei1 = imei(++phones)) => ({
  plan_id: 1,
  customer: { first_name: 'Asha', last_name: 'More', mobile: '9812399999' },
  device: { imei1, brand: 'Redmi', model: '13C' },
  emi: {
    method: 'ZERO' as const,
    cash_price: 12_000_00,
    down_payment: 0,
    rate_bps: 0,
    tenure: 6,
    frequency: 'MONTHLY' as const,
    delivered_on: businessDate(Date.now()),
  },
  consent: {
    text_version: '1',
    language: 'en' as const,
    method: 'typed' as const,
    typed_name: 'Asha More',
    accepted: true as const,
  },
});

/** The phone of a shop's customer scans its code. */
async function setUpPhone({ http }: World, { token, ids }: WholeShop): Promise<void> {
  const { data } = await http.call('getCustomerQrCode', { token, query: { customer_id: ids.customer_id } });
  const profile = await http.call('getCustomerProfile', { token, query: { customer_id: ids.customer_id } });
  const key = await http.app.fastify.inject({ method: 'GET', url: '/agent/v1/key' });
  const { server_key_spki } = JSON.parse(key.payload) as { server_key_spki: string };
  const phone = createPhone(http.app.fastify, server_key_spki, String(profile.data.device?.imei1));
  const bundle = (JSON.parse(data.qr ?? '{}') as Record<string, Record<string, string>>)[
    'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'
  ];
  const answer = await phone.enrol(bundle?.['kist.token'] ?? '', { serial: profile.data.device?.serial });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** What a browser calls itself, so that nobody can guess it. */
export const browser = newToken;
