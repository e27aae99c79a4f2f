import { PLAN } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { DEMO_PLANS, type PlannedCustomer } from './plan.ts';
import { STAFF } from './people.ts';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';

export const DEMO_ORG = 20;

const KEYS = [
  [PLAN.DPC, 260, 'paid'],
  [PLAN.DPC, 10, 'granted'],
] as const;
/** Not sold here today: the shops had as many keys as their past needed. */
const USED_UP = [PLAN.LINKFL, PLAN.APPLE] as const;

const planTypeOf = ({ planId }: PlannedCustomer) => DEMO_PLANS.find((plan) => plan.planId === planId)?.planType;

/** The entry by which requests find it. @param tx of the operator: the directory is nobody else's */
export async function listOrganisation(tx: Tx): Promise<void> {
  await tx.query(`insert into org_directory (org_id, slug, name) values (kist_org(), $1, 'Sunita Mobile')`, [
    DEMO_SLUG,
  ]);
}

/** The organisation with its plans; nobody works in it yet. */
export async function makeOrganisation(tx: Tx): Promise<void> {
  await tx.query(
    `insert into organisations (org_id, org_name, company_name, parent_company_name, ai_name, theme, support, privacy_policy, allowed_features, vendor_approvals)
     values (kist_org(), 'Sunita Mobile', 'Sunita Mobile and Finance', 'Kist demo', 'Sunita', '{"accent":"#3538a6","logo":null}',
       '{"phone":"+919000000001","email":"help@sunita.example"}', '{"contact":"Sunita Kulkarni, Main Road, Nashik","text":null}', '{}', '{}')`,
  );
  for (const plan of DEMO_PLANS)
    await tx.query(`insert into plans (org_id, plan_id, plan_type, name) values (kist_org(), $1, $2, $3)`, [
      plan.planId,
      plan.planType,
      plan.name,
    ]);
}

/** The shops, with keys to sell. @returns whom each customer belongs to, by the shop's mobile. */
export async function makeStaff(tx: Tx, past: readonly PlannedCustomer[]): Promise<Map<string, Actor>> {
  const actors = new Map<string, Actor>();
  const add = async (
    person: { mobile: string; first: string; last: string; shop: string; upi: string },
    userType: 'retailer' | 'miniretailer',
    parent: Actor | null,
  ) => {
    const userId = newId();
    await tx.query(
      `insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name, last_name, shop_name, upi_id, address, created_at)
       values (kist_org(), $1, $2, $3, $4, $5, $6, $7, $8, '{"city":"Nashik"}', kist_now())`,
      [userId, userType, parent?.userId ?? null, person.mobile, person.first, person.last, person.shop, person.upi],
    );
    parent?.visibleOwnerIds.push(userId);
    actors.set(person.mobile, {
      orgId: DEMO_ORG,
      userId,
      userType,
      visibleOwnerIds: [userId],
      language: 'en',
      access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '0' },
      lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
    });
    for (const [planType, count, lot] of KEYS)
      await wallet.credit(tx, {
        userId,
        planType,
        lot,
        count: userType === 'retailer' ? count : Math.ceil(count / 4),
        effectKey: `demo:keys:${userId}:${planType}:${lot}`,
      });
    for (const planType of USED_UP) {
      const count = past.filter((one) => one.shopMobile === person.mobile && planTypeOf(one) === planType).length;
      if (count > 0)
        await wallet.credit(tx, {
          userId,
          planType,
          lot: 'paid',
          count,
          effectKey: `demo:keys:${userId}:${planType}:paid`,
        });
    }
  };
  for (const person of STAFF.retailers) await add(person, 'retailer', null);
  for (const person of STAFF.miniretailers) await add(person, 'miniretailer', actors.get(person.parent) ?? null);
  return actors;
}

/** Lets one customer sign in and see the own agreement. */
export async function makeCustomerUser(
  tx: Tx,
  customerId: string,
  mobile: string,
  firstName: string,
  lastName: string,
): Promise<void> {
  await tx.query(
    `insert into users (org_id, user_id, user_type, customer_id, mobile, first_name, last_name, created_at) values (kist_org(), $1, 'customer', $2, $3, $4, $5, kist_now())`,
    [newId(), customerId, mobile, firstName, lastName],
  );
}
