import type { IsoDate } from '@kist/contract/dates';
import { PLAN, type PlanName } from '@kist/contract/codes';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type OrganisationOfFile, organisationFileSchema } from '@kist/contract/organisation-file';
import { TOKENS } from '@kist/contract/tokens';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { setPolicy } from '#server/locking/policies.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { holidaysOfShop } from './holidays.ts';
import { STAFF } from './people.ts';
import { DEMO_PLANS, PLAN_IDS, type PlannedCustomer } from './plan.ts';
import * as store from './store.ts';

export const DEMO_ORG = 20;

const KEYS = [
  [PLAN.DPC, 260, 'paid'],
  [PLAN.DPC, 10, 'granted'],
  [PLAN.LINKFL, 40, 'paid'],
] as const;
/** Not sold here today: the shops had as many keys as their past needed. */
const USED_UP = [PLAN.APPLE] as const;

/** Late fees come after ten days: nobody in the lab has one at first. */
const PENAL = {
  charge_paise: 50_00,
  grace_days: 10,
  every_days: 30,
  cap_bps: 200,
  is_daily: true,
  waiver_limit_paise: 100_00,
  set_by: 'demo',
  reason: 'Late fees of the demo shop',
};

/** What the demo shop offers at the counter. */
const PRESETS = [
  { name: '3 × 0 %', method: 'ZERO', tenure: 3, down_bps: 3000, rate_bps: 0 },
  { name: '6 × 16 %', method: 'FLAT', tenure: 6, down_bps: 2500, rate_bps: 1600 },
  { name: '12 × 18 %', method: 'FLAT', tenure: 12, down_bps: 2000, rate_bps: 1800 },
] as const;

const planTypeOf = ({ planId }: PlannedCustomer) => DEMO_PLANS.find((plan) => plan.planId === planId)?.planType;

/** Lends for phones beside the shops themselves: a sale whose loan it made can be tried. */
const FINANCER = { financer_id: 1, name: 'Gramin Finance', is_regulated: false, is_active: true };

/** The demo's own organisation as `kist org import` would read it. */
const ownFile = (today: IsoDate) => [
  {
    org_id: DEMO_ORG,
    slug: organisations.DEMO_SLUG,
    name: 'Sunita Mobile',
    company_name: 'Sunita Mobile and Finance',
    parent_company_name: 'Kist demo',
    ai_name: 'Sunita',
    ai_agent_id: 'agent-sunita',
    is_special: true,
    theme: { accent: TOKENS.light.accent },
    support: { phone: '+919000000001', email: 'help@sunita.example' },
    privacy_contact: 'Sunita Kulkarni, Main Road, Nashik',
    audit_emails: ['sunita@kulkarni.example', 'books@nashik-auditors.example'],
    holidays: holidaysOfShop(today),
  },
];

/** The organisation with its plans; nobody works in it yet. @param tx of the operator: the directory is nobody else's */
export async function makeOrganisation(tx: Tx, today: IsoDate): Promise<void> {
  const actor = SYSTEM(DEMO_ORG);
  for (const file of organisationFileSchema.parse(ownFile(today)))
    await organisations.establish(tx, actor, organisations.declaredOf(file));
  await agreements.setPenalRule(tx, actor, PENAL);
  for (const { planId, planType, name } of DEMO_PLANS)
    await catalogue.offer(tx, actor, { plan_id: planId, plan_type: planType, name });
  for (const preset of PRESETS)
    await catalogue.setPreset(tx, actor, { plan_id: PLAN_IDS.DPC, frequency: 'MONTHLY', ...preset });
  await catalogue.setKeyPrice(tx, actor, { planType: PLAN.DPC, pricePaise: 99_00 });
  await catalogue.setFinancer(tx, actor, FINANCER);
}

/** One of the others: sold there is what is on sale here, and its one shop signs in with the number of the first shop here. */
export async function makeOther(tx: Tx, file: OrganisationOfFile): Promise<void> {
  const actor = SYSTEM(file.org_id);
  await organisations.establish(tx, actor, organisations.declaredOf(file));
  for (const { plan_id, plan_type, name } of file.plans)
    await catalogue.offer(tx, actor, { plan_id, plan_type: PLAN[plan_type], name });
  for (const [plan, pricePaise] of Object.entries(file.prices_paise))
    await catalogue.setKeyPrice(tx, actor, { planType: PLAN[plan as PlanName], pricePaise });
  if (file.lock_policy) {
    const { version: _, ...policy } = POLICY_PRESETS[file.lock_policy];
    await setPolicy(tx, actor, policy);
  }
  const { user_id } = await identity.ensureStaff(tx, actor, {
    user_type: 'retailer',
    mobile: STAFF.retailers[0].mobile,
    first_name: STAFF.retailers[0].first,
    last_name: STAFF.retailers[0].last,
    shop_name: file.name,
    upi_id: null,
  });
  await wallet.credit(tx, { userId: user_id, planType: PLAN.DPC, lot: 'granted', count: 10, effectKey: 'demo:keys' });
}

interface Shop {
  mobile: string;
  first: string;
  last: string;
  shop: string;
  upi: string;
}

/** The shops, with keys to sell. @returns whom each customer belongs to, by the shop's mobile. */
export async function makeStaff(tx: Tx, past: readonly PlannedCustomer[]): Promise<Map<string, Actor>> {
  const actors = new Map<string, Actor>();
  for (const shop of STAFF.retailers) actors.set(shop.mobile, await makeShop(tx, shop, null));
  for (const shop of STAFF.miniretailers)
    actors.set(shop.mobile, await makeShop(tx, shop, actors.get(shop.parent) ?? null));
  for (const [mobile, { userId, userType }] of actors) {
    const sold = past.filter((one) => one.shopMobile === mobile);
    await giveKeys(tx, userId, userType === 'retailer', sold);
  }
  return actors;
}

/** @param parent of a mini-retailer, who sees what it sells */
async function makeShop(tx: Tx, { mobile, first, last, shop, upi }: Shop, parent: Actor | null): Promise<Actor> {
  const userId = newId();
  const userType = parent ? 'miniretailer' : 'retailer';
  await store.plantUser.run(tx, {
    user_id: userId,
    user_type: userType,
    parent_user_id: parent?.userId ?? null,
    mobile,
    first_name: first,
    last_name: last,
    shop_name: shop,
    upi_id: upi,
    address: { city: 'Nashik' },
  });
  parent?.visibleOwnerIds.push(userId);
  return {
    orgId: DEMO_ORG,
    userId,
    userType,
    visibleOwnerIds: [userId],
    language: 'en',
    access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '0' },
    lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  };
}

/** @param sold by the shop in its past */
async function giveKeys(tx: Tx, userId: string, isRetailer: boolean, sold: readonly PlannedCustomer[]): Promise<void> {
  const give = (planType: number, lot: 'paid' | 'granted', count: number) =>
    wallet.credit(tx, { userId, planType, lot, count, effectKey: `demo:keys:${userId}:${planType}:${lot}` });
  for (const [planType, count, lot] of KEYS) await give(planType, lot, isRetailer ? count : Math.ceil(count / 4));
  for (const planType of USED_UP) {
    const count = sold.filter((one) => planTypeOf(one) === planType).length;
    if (count > 0) await give(planType, 'paid', count);
  }
}

/** Lets one customer sign in and see the own agreement, as a code from the number would. @returns the user's id */
export async function makeCustomerUser(tx: Tx, one: PlannedCustomer, customer_id: string): Promise<string> {
  const { mobile, firstName: first_name, lastName: last_name, language } = one;
  await identity.giveCustomerLogin(tx, SYSTEM(DEMO_ORG), { customer_id, mobile, first_name, last_name, language });
  return (await identity.loginOfCustomer(tx, customer_id))!;
}

/** The customer as the one who asks. */
export async function customerActor(tx: Tx, one: PlannedCustomer, customerId: string): Promise<Actor> {
  return {
    orgId: DEMO_ORG,
    userId: await makeCustomerUser(tx, one, customerId),
    customerIds: [customerId],
    userType: 'customer',
    visibleOwnerIds: [],
    language: one.language,
    access: { feature_access: '0', lock_unlock: '0', unistall: '0', active_deactive: '0', bulk_retailer: '0' },
    lockAccess: { lock: '0', unlock: '0', read: '0', uninstall: '0' },
  };
}
