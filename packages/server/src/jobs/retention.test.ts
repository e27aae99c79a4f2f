import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as customers from '#server/customers/customers.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { forgetOld } from './retention.ts';

let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
});
afterAll(() => world.close());

const event = (days: number) =>
  world.db.asOwner(
    `insert into device_events (org_id, device_id, event_id, at, kind, received_on)
     select $1, $2, gen_random_uuid(), kist_now(), $4, kist_today_utc() - $3::int from generate_series(1, 3)`,
    [ORG, sale.deviceId, days, `aged_${days}`],
  );
const order = (type: string, state: string, days: number) =>
  world.db.asOwner(
    `insert into commands (org_id, command_id, device_id, seq, type, is_state, reason, state, created_at, expires_at)
     select $1, gen_random_uuid(), $2, 900000 + nextval('aged'), $3::text, $3 = 'lock', $3 || $4 || $5::int, $4, kist_now() - make_interval(days => $5::int), kist_now()`,
    [ORG, sale.deviceId, type, state, days],
  );
const verdict = (revision: number | null, days: number) =>
  world.db.asOwner(
    `insert into verdicts (org_id, verdict_id, device_id, revision, allowed, rule, facts, verdict, decided_at)
     values ($1, gen_random_uuid(), $2, $3, $3::bigint is not null, $4, '{}', '{}', kist_now() - make_interval(days => $5::int))`,
    [ORG, sale.deviceId, revision, `${revision === null ? 'changed nothing' : 'locked'} ${days}`, days],
  );
const left = async (): Promise<string[]> =>
  (
    await world.db.asOwner<{ name: string }>(
      `select distinct kind as name from device_events where kind like 'aged%' union select distinct reason from commands where seq > 900000
       union select distinct rule from verdicts where rule ~ '[0-9]$' order by 1`,
    )
  ).map(({ name }) => name);

it('deletes what was kept long enough, slice by slice, and nothing that a lock stood on', async () => {
  await world.db.asOwner('create sequence aged');
  for (const days of [89, 90, 91, 200]) await event(days);
  for (const days of [399, 401]) {
    await order('fetch_location', 'VERIFIED', days);
    await order('fetch_location', 'QUEUED', days);
    await order('lock', 'VERIFIED', days);
    await order('lock', 'REFUSED', days);
    await verdict(null, days);
    await verdict(1, days);
  }
  const none = { documents: 0, evidence: 0, drafts: 0 };
  expect(await forgetOld(world.db, ORG, 2)).toEqual({ events: 6, orders: 2, verdicts: 1, ...none });
  expect(await left()).toEqual([
    'aged_89',
    'aged_90',
    'changed nothing 399',
    'fetch_locationQUEUED399',
    'fetch_locationQUEUED401',
    'fetch_locationVERIFIED399',
    'lockREFUSED399',
    'lockVERIFIED399',
    'lockVERIFIED401',
    'locked 399',
    'locked 401',
  ]);
  expect(await forgetOld(world.db, ORG)).toEqual({ events: 0, orders: 0, verdicts: 0, ...none });
});

it('deletes a draft that nobody touched for three months, with its pictures; one that is written in or signed stays', async () => {
  const { shop } = world;
  const begun = async (days: number, picturedDays?: number): Promise<string> => {
    const { customer_id } = await world.inOrg((tx) => customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC }));
    await world.db.asOwner(
      'update customers set updated_at = kist_now() - make_interval(days => $2::int) where customer_id = $1',
      [customer_id, days],
    );
    if (picturedDays !== undefined)
      await world.db.asOwner(
        `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, key_sealed, created_by, created_at)
         values ($1, gen_random_uuid(), $2, 'aadhaar_front', 'image/jpeg', 9, '', decode(repeat('00', 65), 'hex'), $3, kist_now() - make_interval(days => $4::int))`,
        [ORG, customer_id, shop.userId, picturedDays],
      );
    return customer_id;
  };
  await world.at('2026-03-05T12:00:00');
  const [young, old, pictured, lately] = [await begun(89), await begun(91), await begun(200, 95), await begun(200, 2)];
  await world.db.asOwner(`update customers set updated_at = kist_now() - interval '1 year' where customer_id = $1`, [
    sale.customerId,
  ]);
  expect(await forgetOld(world.db, ORG)).toMatchObject({ drafts: 2 });
  const rows = await world.db.asOwner<{ id: string }>('select customer_id as id from customers where org_id = $1', [
    ORG,
  ]);
  const there = rows.map(({ id }) => id);
  expect(there).toEqual(expect.arrayContaining([young, lately, sale.customerId]));
  for (const gone of [old, pictured]) expect(there).not.toContain(gone);
  expect(await world.db.asOwner('select from documents where customer_id = $1', [pictured])).toEqual([]);
  const lines = await world.db.asOwner(
    `select data from audit_lines where subject_id = any($1) and action = 'draft_deleted'`,
    [[old, pictured]],
  );
  expect(lines).toEqual([{ data: {} }, { data: {} }]);
  expect(await forgetOld(world.db, ORG)).toMatchObject({ drafts: 0 });
});

it.each([
  ['an event of yesterday', `delete from device_events where kind = 'aged_89'`],
  ['an order of last year', `delete from commands where reason = 'fetch_locationVERIFIED399'`],
  ['an order that nobody answered', `delete from commands where reason = 'fetch_locationQUEUED401'`],
  ['an order of a lock, however old', `delete from commands where reason = 'lockVERIFIED401'`],
  ['a verdict of last year', `delete from verdicts where rule = 'changed nothing 399'`],
  ['a verdict that locked, however old', `delete from verdicts where rule = 'locked 401'`],
])('%s nobody deletes', async (_what, sql) => {
  await expect(world.inOrg((tx) => tx.query(sql))).rejects.toThrow('is refused');
  await expect(world.db.asOwner(sql)).rejects.toThrow('is refused');
});
