import type { EmiTerms, EmiTermsInput } from '@kist/contract/emi-terms';
import { emiTermsSchema } from '@kist/contract/emi-terms';
import { type LockPolicy, POLICY_PRESETS } from '@kist/contract/lock-policy';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { post } from '#server/ledger/ledger.ts';
import { takeDownPayment } from '#server/payments/payments.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as wallet from '#server/wallet/wallet.ts';
import type { TestDatabase } from './database.ts';

/** An IMEI with a right check digit, different for each `n`. */
export function imei(n: number): string {
  const body = `35${String(n).padStart(12, '0')}`;
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const doubled = Number(body[i]) * (i % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return body + String((10 - (sum % 10)) % 10);
}

/** An organisation with the EMI plans, as its administrator would have set it up. */
export async function makeOrganisation(db: TestDatabase, orgId: number): Promise<void> {
  await db.asOwner(`insert into org_directory (org_id, slug, name) values ($1, $2, $3)`, [
    orgId,
    `shop-${orgId}`,
    `Shop ${orgId}`,
  ]);
  await db.asOwner(`insert into organisations (org_id, org_name, company_name) values ($1, $2, $2)`, [
    orgId,
    `Shop ${orgId}`,
  ]);
  for (const [planId, type, name] of [
    [1, PLAN.DPC, 'EMI phone'],
    [2, PLAN.LINKFL, 'EMI link'],
    [3, PLAN.ANTIHACKING, 'Anti-hacking'],
  ] as const)
    await db.asOwner(`insert into plans (org_id, plan_id, plan_type, name) values ($1, $2, $3, $4)`, [
      orgId,
      planId,
      type,
      name,
    ]);
}

let mobiles = 0;

/** A shopkeeper who may do everything; `parent` makes a mini-retailer. */
export async function makeRetailer(db: TestDatabase, orgId: number, parent?: Actor): Promise<Actor> {
  const userId = newId();
  const mobile = `+9190${String(++mobiles).padStart(8, '0')}`;
  const userType = parent ? 'miniretailer' : 'retailer';
  await db.asOwner(
    `insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name, shop_name, upi_id) values ($1, $2, $3, $4, $5, 'Sunita', 'Sunita Mobile', 'sunita@upi')`,
    [orgId, userId, userType, parent?.userId ?? null, mobile],
  );
  if (parent) parent.visibleOwnerIds.push(userId);
  return {
    orgId,
    userId,
    userType,
    visibleOwnerIds: [userId],
    language: 'en',
    access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '0' },
    lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  };
}

/** Whoever bought something of a shop, as a user of their own who is signed in with its number; the same one ever after. */
export async function makeBuyer(db: TestDatabase, { orgId, ...shop }: Actor, customerId: string): Promise<Actor> {
  const rows = await db.asOwner<{ user_id: string }>(
    `insert into users (org_id, user_id, user_type, mobile, first_name)
     select org_id, $2, 'customer', mobile, 'Irfan' from customers where org_id = $1 and customer_id = $3
     on conflict (org_id, mobile) where number_yielded_at is null do update set first_name = excluded.first_name returning user_id`,
    [orgId, newId(), customerId],
  );
  const userId = rows[0]!.user_id;
  await db.asOwner(
    'insert into customer_logins (org_id, customer_id, user_id, since) values ($1, $2, $3, kist_now()) on conflict do nothing',
    [orgId, customerId, userId],
  );
  return { ...shop, orgId, userId, userType: 'customer', visibleOwnerIds: [], customerIds: [customerId] };
}

/** Who runs the organisation, and sees no customer. */
export async function makeAdmin(db: TestDatabase, orgId: number): Promise<Actor> {
  const admin = await makeRetailer(db, orgId);
  await db.asOwner(`update users set user_type = 'admin', shop_name = '', upi_id = null where user_id = $1`, [
    admin.userId,
  ]);
  return { ...admin, userType: 'admin', visibleOwnerIds: [] };
}

export const terms = (given: Partial<EmiTermsInput> = {}): EmiTerms =>
  emiTermsSchema.parse({
    method: 'REDUCING',
    cash_price: 17_500_00,
    down_payment: 2_000_00,
    rate_bps: 1200,
    tenure: 6,
    frequency: 'MONTHLY',
    delivered_on: '2026-01-31',
    ...given,
  });

let phones = 0;

/** A sold phone: customer, device row and a signed agreement. */
export async function makeSale(
  tx: Tx,
  actor: Actor,
  given: { terms?: EmiTerms; policy?: LockPolicy; provisioningType?: number; mobile?: string } = {},
): Promise<{ customerId: string; deviceId: string; agreement: agreements.Agreement; imei1: string }> {
  const customer = await customers.begin(tx, actor, { plan_id: 1, plan_type: PLAN.DPC });
  const n = ++phones;
  const imei1 = imei(n);
  const mobile = given.mobile ?? `+9198${String(12_300_000 + n)}`;
  await customers.change(tx, actor, {
    customer,
    fields: { first_name: 'Irfan', last_name: 'Shaikh', mobile, is_draft: false },
  });
  const deviceId = newId();
  await tx.query(
    `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, serial, brand, model, created_at) values (kist_org(), $1, $2, $3, $4, $5, 'Redmi', '13C', kist_now())`,
    [deviceId, customer.customer_id, given.provisioningType ?? PROVISIONING.DPC, imei1, `S${n}`],
  );
  const policy = given.policy ?? POLICY_PRESETS.dealer;
  await chooseCap(tx, policy);
  const agreement = await agreements.open(tx, actor, {
    customer_id: customer.customer_id,
    device_id: deviceId,
    owner_user_id: actor.userId,
    plan_type: PLAN.DPC,
    terms: given.terms ?? terms(),
    policy,
  });
  await takeDownPayment(tx, actor, agreement);
  return { customerId: customer.customer_id, deviceId, agreement, imei1 };
}

/** The organisation's lock policy lets late fees come to what this one says: the database takes no sale under another cap. */
export const chooseCap = (tx: Tx, policy: LockPolicy) =>
  tx.query(
    `insert into lock_policies (org_id, version, preset, policy, created_at)
     select kist_org(), coalesce(l.version, 0) + 1, $1, $2, kist_now() from (select 1) one left join lateral (
       select version, policy from lock_policies where org_id = kist_org() order by version desc limit 1) l on true
     where coalesce((l.policy ->> 'penalCapBps')::int, $3) <> ($2::jsonb ->> 'penalCapBps')::int`,
    [policy.preset, JSON.stringify(policy), POLICY_PRESETS.dealer.penalCapBps],
  );

/** A penal rule for agreements signed from now on: ₹100 a month after three days, within the cap of the lock policy. */
export const makePenalRule = (
  db: TestDatabase,
  orgId: number,
  given: Partial<Parameters<typeof agreements.setPenalRule>[2]> = {},
): Promise<agreements.PenalRule> =>
  db.operator.transaction(orgId, (tx) =>
    agreements.setPenalRule(tx, SYSTEM(orgId), {
      charge_paise: 100_00,
      grace_days: 3,
      every_days: 30,
      cap_bps: 10_000,
      is_daily: true,
      waiver_limit_paise: 0,
      set_by: 'R. Shah',
      reason: 'told before signing',
      ...given,
    }),
  );

/** An agreement in another state, its move told and nothing else of what the service does that brings it there. */
export const moveAgreement = (db: TestDatabase, agreementId: string, state: string) =>
  db.plant(
    ['agreements'],
    `with move as (
       insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
       select a.org_id, a.agreement_id, (select max(m.no) + 1 from agreement_moves m where m.org_id = a.org_id and m.agreement_id = a.agreement_id), a.state, $2,
         a.owner_user_id, kist_now(), 'of the test' from agreements a where a.agreement_id = $1
     )
     update agreements set state = $2 where agreement_id = $1`,
    [agreementId, state],
  );

/** A penal charge of a customer's first instalment, on the books as the daily run puts it there, whatever its rule gives. */
export async function makeCharge(
  db: TestDatabase,
  orgId: number,
  { customer_id, amount }: { customer_id: string; amount: number },
): Promise<string> {
  const charge_id = newId();
  const { agreement_id, on } = await db.transaction(orgId, async (tx) => {
    const { agreement_id } = (await agreements.ofCustomer(tx, { customer_id }))!;
    return { agreement_id, on: await today(tx) };
  });
  await db.plant(
    ['charges'],
    `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by) values ($1, $2, $3, 1, $4, $5, 'rule')`,
    [orgId, charge_id, agreement_id, amount, on],
  );
  const of = { agreement_id, instalment_no: 1, amount };
  await db.transaction(orgId, (tx) =>
    post(tx, {
      effectKey: `penal:${agreement_id}:1:${on}`,
      kind: 'penal_charged',
      refKind: 'agreement',
      refId: agreement_id,
      businessOn: on,
      lines: [
        { ...of, code: 'receivable_penal', charge_id, side: 'debit' },
        { ...of, code: 'income_penal', side: 'credit' },
      ],
    }),
  );
  return charge_id;
}

/** Puts the product's clock at a moment (IST), from which it runs on. */
export async function setClock(db: TestDatabase, ist: string): Promise<void> {
  await db.asOwner(`update clock_offset set shift = $1::timestamptz - now()`, [`${ist}+05:30`]);
}

/** Keys of a shop, granted by whoever runs the installation. */
export const giveKeys = (
  { operator }: Pick<TestDatabase, 'operator'>,
  { orgId, userId }: Pick<Actor, 'orgId' | 'userId'>,
  given: Partial<Omit<Parameters<typeof wallet.credit>[1], 'userId'>> = {},
): Promise<boolean> =>
  operator.transaction(orgId, (tx) =>
    wallet.credit(tx, { planType: PLAN.DPC, lot: 'paid', count: 1, effectKey: `test ${newId()}`, ...given, userId }),
  );

/** A key of the customer's shop is bought and set aside for their phone, unless one was before. */
export async function keyFor(db: TestDatabase, actor: Actor, customer_id: string): Promise<void> {
  const { orgId } = actor;
  if ((await db.read(orgId, (tx) => wallet.keyOf(tx, { customer_id }))) !== 'NONE') return;
  const [{ user_id }] = (await db.asOwner('select owner_user_id as user_id from customers where customer_id = $1', [
    customer_id,
  ])) as [{ user_id: string }];
  await giveKeys(db, { orgId, userId: user_id });
  await db.transaction(orgId, (tx) => wallet.reserve(tx, actor, { user_id, plan_type: PLAN.DPC, customer_id }));
}

/** A key that was spent for a customer's phone before the test begins, in a world whose books nobody looks at. */
export const plantSpentKey = (db: TestDatabase, orgId: number, customerId: string, userId: string) =>
  db.plant(
    ['key_reservations'],
    `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
     values ($1, $2, $3, 0, 'paid', 'posted', kist_now(), kist_now(), kist_now()) on conflict do nothing`,
    [orgId, customerId, userId],
  );
