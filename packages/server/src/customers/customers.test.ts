import { beforeAll, describe, expect, it } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { giveKeys, makeOrganisation, makeRetailer } from '#test/factories.ts';
import * as customers from './customers.ts';

const [ORG, OTHER] = [20, 21];
const db = await createTestDatabase();
let shop: Actor;
let mini: Actor;
let sibling: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER);
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
  sibling = await makeRetailer(db, ORG);
});

const begin = (actor: Actor) =>
  db.transaction(ORG, (tx) => customers.begin(tx, actor, { plan_id: 1, plan_type: PLAN.DPC }));
const sees = (actor: Actor, customer_id: string, orgId = ORG) =>
  db.transaction(orgId, async (tx) => {
    for (const open of [customers.authorize, customers.authorizeToChange])
      if ((await open(tx, actor, { customer_id })).customer_id !== customer_id) return 'somebody else';
    return 'seen';
  });
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const ofCustomer = (customer_id: string): Actor => ({
  ...shop,
  userType: 'customer',
  customerIds: [customer_id],
  visibleOwnerIds: [],
});
const linesOf = (customer_id: string) =>
  db.asOwner<{ action: string; data: object }>(
    'select action, data from audit_lines where subject_id = $1 order by seq',
    [customer_id],
  );

describe('a customer is seen', () => {
  it('by the shop, the shop above it, the system and itself, and looks to everybody else as if it were not there', async () => {
    const { customer_id } = await begin(mini);
    for (const actor of [mini, shop, SYSTEM(ORG), ofCustomer(customer_id)])
      expect(await sees(actor, customer_id)).toBe('seen');
    for (const actor of [sibling, ofCustomer(newId())]) expect(await code(sees(actor, customer_id))).toBe('NOT_FOUND');
    expect(await code(sees(SYSTEM(OTHER), customer_id, OTHER))).toBe('NOT_FOUND');
    expect(await code(sees(shop, newId()))).toBe('NOT_FOUND');
  });

  it('of the shop above not by the shop below', async () => {
    const { customer_id } = await begin(shop);
    expect(await code(sees(mini, customer_id))).toBe('NOT_FOUND');
  });

  it('to be changed by one at a time: the second waits and reads what the first wrote', async () => {
    const { customer_id } = await begin(shop);
    const rename = (name: string) =>
      db.transaction(ORG, async (tx) => {
        const customer = await customers.authorizeToChange(tx, shop, { customer_id });
        const fields = { first_name: `${customer.first_name}${name}` };
        await customers.change(tx, shop, { customer, fields });
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(rename));
    const { first_name, version } = await db.read(ORG, (tx) => customers.authorize(tx, shop, { customer_id }));
    expect([first_name.length, version]).toEqual([4, 5]);
  });
});

describe('a change', () => {
  it('writes the fields given and no others, and its audit names them without their values', async () => {
    const customer = await begin(shop);
    const { customer_id } = customer;
    const fields = { first_name: 'Zubeida', mobile: '+919800000001', search: 'zubeida' };
    await db.transaction(ORG, (tx) => customers.change(tx, shop, { customer, fields }));
    const after = await db.read(ORG, (tx) => customers.authorize(tx, shop, { customer_id }));
    expect(after).toEqual({
      ...customer,
      first_name: 'Zubeida',
      mobile: '+919800000001',
      version: customer.version + 1,
    });
    expect(await linesOf(customer_id)).toEqual([
      { action: 'customer_begun', data: { plan_id: 1, plan_type: PLAN.DPC } },
      { action: 'customer_changed', data: { fields: ['first_name', 'mobile'] } },
    ]);
  });

  it('of the status follows the product’s steps, once, and says from where to where', async () => {
    const { customer_id } = await begin(shop);
    const become = (status: number) =>
      code(db.transaction(ORG, (tx) => customers.changeStatus(tx, shop, { customer_id, status, reason: 'tried' })));
    const steps = [2, 1, 1, 0, 3, 1, 0, 1, 4, 2, 1, 2, 3];
    const outcomes = [];
    for (const [no, status] of steps.entries()) {
      // Who begins anew does so with a new key.
      if (no === 6) await setKeyAside(customer_id);
      outcomes.push([status, await become(status)]);
    }
    const conflicts = outcomes.filter(([, outcome]) => outcome === 'STATE_CONFLICT').map(([status]) => status);
    expect(conflicts).toEqual([2, 0, 1, 2, 3]);
    const changed = (await linesOf(customer_id)).filter(({ action }) => action === 'status_changed');
    expect(changed.map(({ data }) => data)).toEqual([
      { from: 0, to: 1, reason: 'tried' },
      { from: 1, to: 3, reason: 'tried' },
      { from: 3, to: 0, reason: 'tried' },
      { from: 0, to: 1, reason: 'tried' },
      { from: 1, to: 4, reason: 'tried' },
      { from: 4, to: 1, reason: 'tried' },
      { from: 1, to: 2, reason: 'tried' },
    ]);
    const nobody = db.transaction(ORG, (tx) =>
      customers.changeStatus(tx, shop, { customer_id: newId(), status: 1, reason: 'tried' }),
    );
    expect(await code(nobody)).toBe('NOT_FOUND');
  });
});

async function setKeyAside(customer_id: string): Promise<void> {
  await giveKeys(db, shop, { count: 1 });
  await db.transaction(ORG, (tx) => wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: 0, customer_id }));
}

describe('a draft', () => {
  it('is discarded for good; whoever is one no more stays', async () => {
    const discard = (customer: customers.AuthorizedCustomer) =>
      code(db.transaction(ORG, (tx) => customers.discard(tx, shop, { customer })));
    const draft = await begin(shop);
    expect(await discard(draft)).toBe('accepted');
    expect(await code(sees(shop, draft.customer_id))).toBe('NOT_FOUND');
    const { customer_id } = await begin(shop);
    await db.transaction(ORG, (tx) => customers.changeStatus(tx, shop, { customer_id, status: 1, reason: 'tried' }));
    expect(await discard(await db.read(ORG, (tx) => customers.authorize(tx, shop, { customer_id })))).toBe(
      'STATE_CONFLICT',
    );
    expect(await sees(shop, customer_id)).toBe('seen');
  });
});
