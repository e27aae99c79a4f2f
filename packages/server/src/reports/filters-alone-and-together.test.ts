import { beforeAll, describe, expect, it } from 'vitest';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import { type ListCustomersQuery, listCustomersQuery } from '@kist/contract/customers';
import type { Actor } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { explained } from '#test/explained.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse, plantedShop } from '#test/planted-house.ts';
import { createServices } from '#test/services.ts';
import { type Fact, FIXED, idOf, wanted } from '#test/filter-facts.ts';
import { customerIds, customerList } from './reports.ts';

/** Every filter of the list of customers, alone and with others, against the same question asked of the bare rows by code that was written apart. */
const HOUSE: PlantedHouse = { orgId: 20, shops: 100, perShop: 60, today: '2026-05-10' };
const { db, waker } = createServices(await createTestDatabase());
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);
await waker.close();

const [owner, mini, beside, rival] = [7, 8, 9, 10].map((n) => plantedShop(HOUSE, n)) as [Actor, Actor, Actor, Actor];
/** A retailer, its mini-retailer, and a retailer beside it whose customers it sees too. */
const shop: Actor = { ...owner, visibleOwnerIds: [owner.userId, mini.userId, beside.userId] };
let facts: Fact[];

beforeAll(async () => {
  const mine = `owner_user_id = any('{${shop.visibleOwnerIds.join(',')}}')`;
  const some = `customer_id in (select customer_id from customers where ${mine})`;
  await db.asOwner('select setseed(0.31)');
  const planted = ['customers', 'devices', 'device_reports', 'users', 'disputes', 'agreements', 'plans'];
  for (const text of [
    `update users set user_type = 'miniretailer', parent_user_id = '${owner.userId}' where user_id = '${mini.userId}'`,
    `update customers set status = floor(random() * 5), is_draft = random() < 0.1, plan_id = 1 + floor(random() * 2), plan_type = (array[0, 1, 9])[1 + floor(random() * 3)::int],
       first_name = (array['Asha', 'Vikram', 'Zubeida', 'Manju'])[1 + floor(random() * 4)::int],
       created_at = timestamptz '2026-03-01 00:00+05:30' + random() * interval '70 days' where ${mine}`,
    `update agreements set state = (array['active', 'active', 'completed'])[1 + floor(random() * 3)::int] where ${some}`,
    'update plans set app_type = 7 where plan_id = 2',
    `update devices set brand = (array['Redmi', 'Vivo'])[1 + floor(random() * 2)::int], model = (array['13C', 'Y28', 'A_%'])[1 + floor(random() * 3)::int],
       serial = case when right(imei1, 1)::int % 2 = 0 then 'SN-' || right(imei1, 4) end where ${some}`,
    // Some phones took the place of another: what that was called stands in its own row alone.
    `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, brand, model, created_at, released_at)
       select org_id, gen_random_uuid(), customer_id, provisioning_type, '99' || right(imei1, 13), 'Nokia', '105', created_at - interval '9 days', created_at
       from devices where ${some} and right(imei1, 1) = '3'`,
    `update agreements a set exchanged_at = kist_now() where ${some} and (select count(*) from devices d where d.customer_id = a.customer_id) > 1`,
    `update customers c set search = lower(concat_ws(' ', c.first_name, c.last_name, c.mobile, d.imei1, d.serial, d.brand, d.model))
       from agreements a join devices d on d.device_id = a.device_id where a.customer_id = c.customer_id and c.${mine}`,
    `update device_reports set lock_level = floor(random() * 5), is_strong = random() < 0.8 where device_id in (select device_id from devices where ${some})`,
  ])
    await db.plant(planted, text);
  await db.asOwner('vacuum analyze');
  facts = await db.asOwner<Fact>(
    `select c.customer_id, c.owner_user_id, u.user_type, u.parent_user_id, c.status, c.is_draft, c.plan_id, c.plan_type, p.app_type, c.first_name, c.search,
       c.created_at, (c.created_at at time zone 'Asia/Kolkata')::date::text as created_on, a.state, a.oldest_due_on::text as oldest_due_on, a.last_due_on::text as last_due_on,
       r.is_strong and r.lock_level >= 3 as is_locked, 
       (select string_agg(concat_ws(' ', x.brand, x.model, x.imei1, x.serial), E'\\n') from devices x where x.customer_id = c.customer_id) as phone, d.serial,
       coalesce((select json_agg(i.due_on::text) from instalments i where i.agreement_id = a.agreement_id and i.paid_on is null), '[]') as unpaid,
       exists (select from disputes x where x.agreement_id = a.agreement_id and x.state in ('open', 'undecided', 'escalated')) as is_disputed
     from customers c join users u on u.user_id = c.owner_user_id left join plans p on p.org_id = c.org_id and p.plan_id = c.plan_id join agreements a on a.customer_id = c.customer_id
     join devices d on d.device_id = a.device_id join device_reports r on r.device_id = d.device_id where c.${mine}`,
  );
});

/** Values of each filter; of what is asked by id, one that is there and one that is not the shop's. */
const VALUES = {
  status: ['all', '0', '1', '2', '3', '4', '5', '6'],
  lock_status: ['all', '0', '1'],
  user_type: ['retailer', 'miniretailer', 'customer'],
  retailer_id: [owner.userId, mini.userId, rival.userId],
  account_id: [owner.userId, mini.userId, rival.userId],
  user_id: [owner.userId, beside.userId],
  app_type: [0, 1, 9, 4, 7],
  plan_id: [1, 2, 3],
  product_id: [1, 2],
  from: ['2026-03-20', '2026-04-15', '2027-01-01'],
  to: ['2026-04-10', '2026-05-01', '2020-01-01'],
  search: ['asha', 'vikram shaikh', '+919', 'nobody', '%'],
  deviceQuery: ['redmi', 'y28', 'sn-0', 'A_%', 'nokia'],
  device_query: ['vivo', '35'],
  serial_number: ['SN-0006', 'SN-0108', 'SN-0007', 'sn-0006'],
  due: ['overdue', 'today', 'week', 'month', 'open'],
  dpd: ['0', '1_30', '31_60', '61_90', 'over_90'],
  disputed: ['1'],
  customer_id: [FIXED.mine, FIXED.rivals],
  todo: ['due_today', 'dispute_open', 'draft_unfinished'],
} as const satisfies Record<keyof CustomerFilter, readonly unknown[]>;
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as Name[];
/** The house's own ids are known once it is planted. */
const filled = (filter: Record<string, unknown>): CustomerFilter => {
  const { customer_id, ...rest } = filter;
  if (customer_id === undefined) return rest as CustomerFilter;
  const found = customer_id === FIXED.mine ? facts[5]!.customer_id : idOf(9);
  return { ...rest, customer_id: found } as CustomerFilter;
};

const found = (filter: CustomerFilter) =>
  db.read(HOUSE.orgId, async (tx) => (await customerIds(tx, shop, { filter, max: 10_000 })).toSorted());
const should = (filter: CustomerFilter) =>
  facts
    .filter((fact) => wanted(fact, filter, HOUSE.today))
    .map(({ customer_id }) => customer_id)
    .toSorted();

const alone = NAMES.flatMap((name) => VALUES[name].map((value) => [name, value] as const));

describe('alone', () => {
  it.each(alone)('%s = %s finds whom it says', async (name, value) => {
    const filter = filled({ [name]: value });
    expect(await found(filter)).toEqual(should(filter));
  });

  it('each finds somebody by some value, and not everybody by each', () => {
    const counts = NAMES.map((name) => VALUES[name].map((value) => should(filled({ [name]: value })).length));
    for (const [index, of] of counts.entries())
      expect([NAMES[index], Math.max(...of) > 0]).toEqual([NAMES[index], true]);
    expect(counts.flat().filter((count) => count > 0 && count < facts.length).length).toBeGreaterThan(30);
  });

  it.each(alone.filter(([, value]) => value !== 'all'))('%s = %s reads by an index', async (name, value) => {
    const query = listCustomersQuery.parse({ page_size: 20, ...filled({ [name]: value }) } as ListCustomersQuery);
    const costs = await db.read(HOUSE.orgId, async (plain) => {
      const { tx, costs: seen } = explained(plain);
      await customerList(tx, shop, query);
      return seen;
    });
    expect(costs.length).toBeGreaterThan(0);
    // Of shops and plans an organisation has a few.
    for (const { text, wholeTables } of costs)
      expect(
        wholeTables.filter((table) => !['users', 'plans'].includes(table)),
        text,
      ).toEqual([]);
  });
});

/** The same numbers on every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('together', () => {
  it('any two are both obeyed', async () => {
    const wrong: string[] = [];
    let someone = 0;
    const next = seeded(7);
    for (const [index, first] of NAMES.entries())
      for (const second of NAMES.slice(index + 1)) {
        const pick = (name: Name) => VALUES[name][next(VALUES[name].length)];
        const filter = filled({ [first]: pick(first), [second]: pick(second) });
        const expected = should(filter);
        if (expected.length > 0) someone += 1;
        if (JSON.stringify(await found(filter)) !== JSON.stringify(expected)) wrong.push(JSON.stringify(filter));
      }
    expect(wrong).toEqual([]);
    expect(someone).toBeGreaterThan(50);
  });

  it('any handful is obeyed, and the list counts and sorts what the filter finds', async () => {
    const next = seeded(11);
    const sorts = ['newest', 'name', 'due', 'overdue'] as const;
    let someone = 0;
    for (let round = 0; round < 240; round += 1) {
      const names = NAMES.filter(() => next(100) < 16);
      const filter = filled(Object.fromEntries(names.map((name) => [name, VALUES[name][next(VALUES[name].length)]])));
      const sort = sorts[next(sorts.length)]!;
      const expected = facts
        .filter((fact) => wanted(fact, sort === 'overdue' ? { ...filter, overdueOnly: true } : filter, HOUSE.today))
        .toSorted(ORDERS[sort]);
      const query = listCustomersQuery.parse({ ...filter, sort, page_size: 100, refresh: true } as ListCustomersQuery);
      const { list, total } = await db.read(HOUSE.orgId, (tx) => customerList(tx, shop, query));
      const label = JSON.stringify({ ...filter, sort });
      expect([label, total]).toEqual([label, expected.length]);
      // What fits a search best stands first, whatever the rest is sorted by: only who is found is compared then.
      const asFound = (ids: string[]) => (filter.search ? ids.toSorted() : ids);
      if (total <= 100)
        expect([label, asFound(list.map(({ customer_id }) => customer_id))]).toEqual([
          label,
          asFound(expected.map(({ customer_id }) => customer_id)),
        ]);
      if (total > 0) someone += 1;
    }
    expect(someone).toBeGreaterThan(40);
  });
});

const by =
  <T>(of: (fact: Fact) => T, direction: 1 | -1) =>
  (left: Fact, right: Fact): number => {
    const [a, b] = [of(left), of(right)];
    if (a !== b) return (a < b ? -1 : 1) * direction;
    return (left.customer_id < right.customer_id ? -1 : 1) * direction;
  };
const ORDERS = {
  newest: by(({ created_at }) => created_at.getTime(), -1),
  name: by(({ first_name }) => first_name.toLowerCase(), 1),
  due: by(({ oldest_due_on }) => oldest_due_on ?? '9999-12-31', 1),
  overdue: by(({ oldest_due_on }) => oldest_due_on ?? '9999-12-31', 1),
};
