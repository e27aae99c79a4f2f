import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROVISIONING, PROVISIONING_NAMES } from '@kist/contract/codes';
import { featureCell } from '#server/devices/devices.ts';
import { explained } from '#test/explained.ts';
import { makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { lookAtPhones, lookInParts } from './facts.ts';
import { unlockFleet } from './fleet.ts';
import { bulkUse } from './store.ts';

let world: LockWorld;
let late: Sale[];
let paid: Sale;
let asleep: Sale;

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  late = await Promise.all([1, 2, 3].map(() => world.sell()));
  paid = await world.sell();
  asleep = await world.sell({ isEnrolled: false });
  await world.pay(paid, 1);
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
});
beforeEach(() => world.at('2026-03-13T08:00:00'));
afterAll(() => world.close());

const bulk = (command: 'lock' | 'unlock', customerIds: string[], { dryRun = false, actor = world.shop } = {}) =>
  world.inOrg((tx) =>
    world.locking.bulk(tx, actor, { command, reason: 'EMI_OVERDUE', customer_ids: customerIds, dry_run: dryRun }),
  );
const REFUSED = { code: 'INVALID_INPUT', options: { fields: [{ path: 'reason', key: 'field.choice' }] } };
const everyone = () => [...late, paid, asleep].map(({ customerId }) => customerId);

describe('a reason that is one phone’s', () => {
  it.each(['ENROLMENT_TEST', 'CUSTOMER_REQUEST', 'ORG_OVERRIDE'] as const)(
    'locks no list of customers, nor says what it would do to them: %s',
    async (reason) => {
      for (const dry_run of [true, false]) {
        const order = { command: 'lock', reason, customer_ids: everyone(), dry_run } as const;
        await expect(world.inOrg((tx) => world.locking.bulk(tx, world.shop, order))).rejects.toMatchObject(REFUSED);
      }
      const ordered = await world.db.asOwner(`select from commands where type = 'lock' and reason = $1`, [reason]);
      expect(ordered).toEqual([]);
      expect(await world.levelOf(paid)).toBe(0);
    },
  );
});

describe('facts of many phones', () => {
  const ids = () => [...late, paid, asleep].map(({ deviceId }) => deviceId);

  it('are the same read in parts as at once', async () => {
    const inParts: string[] = [];
    const sizes: number[] = [];
    const atOnce = await world.inOrg(async (tx) => {
      for await (const part of lookInParts(tx, ids(), 2)) {
        sizes.push(part.length);
        inParts.push(...part.map(({ row }) => JSON.stringify(row)));
      }
      return (await lookAtPhones(tx, ids())).map(({ row }) => JSON.stringify(row));
    });
    expect(sizes).toEqual([2, 2, 1]);
    expect(inParts.toSorted()).toEqual(atOnce.toSorted());
  });

  it('are those of the moment they were opened, whatever is written between two parts', async () => {
    const { levels, after } = await world.inOrg(async (tx) => {
      const seen: number[] = [];
      for await (const part of lookInParts(tx, ids(), 1)) {
        seen.push(...part.map(({ row }) => row.desiredLevel));
        await tx.query('update device_desired set lock_level = 1 where org_id = kist_org()');
      }
      const now = (await lookAtPhones(tx, ids())).map(({ row }) => row.desiredLevel);
      await tx.query('update device_desired set lock_level = 0 where org_id = kist_org() and device_id = any($1)', [
        [paid.deviceId, asleep.deviceId],
      ]);
      await tx.query('update device_desired set lock_level = 2 where org_id = kist_org() and device_id = any($1)', [
        late.map(({ deviceId }) => deviceId),
      ]);
      return { levels: seen, after: now };
    });
    expect(levels.toSorted((a, b) => a - b)).toEqual([0, 0, 2, 2, 2]);
    expect(after).toEqual([1, 1, 1, 1, 1]);
  });

  it('leave the transaction usable when somebody breaks off', async () => {
    const left = await world.inOrg(async (tx) => {
      for await (const part of lookInParts(tx, ids(), 2)) if (part.length > 0) break;
      return (await lookAtPhones(tx, ids())).length;
    });
    expect(left).toBe(5);
  });
});

it.each(PROVISIONING_NAMES)(
  'an order to many takes a %s phone for standing where an order to it alone does, whatever level it reports',
  async (name) => {
    const { deviceId } = await world.sell({ provisioningType: PROVISIONING[name] });
    for (const level of [0, 2, 3, 4]) {
      await world.db.asOwner('update device_reports set lock_level = $2 where device_id = $1', [deviceId, level]);
      await world.inOrg(async (tx) => {
        const [phone] = await lookAtPhones(tx, [deviceId]);
        const alone = await featureCell(tx, deviceId);
        expect(phone!.place.cell).toEqual(alone);
        // A linked phone can only ask: no word of its own makes it a locked one.
        expect(alone.lockState).toBe(level >= 3 && name !== 'LINKFL' ? 'locked' : 'unlocked');
      });
    }
    await world.db.asOwner('update device_reports set lock_level = 0 where device_id = $1', [deviceId]);
  },
);

describe('a bulk lock', () => {
  it('says first who is refused and why, and changes nothing', async () => {
    const answer = await bulk('lock', everyone(), { dryRun: true });
    expect(answer).toMatchObject({ batch_id: null, total: 5, allowed: 3, refused: 2 });
    expect(answer.refusals).toEqual(
      expect.arrayContaining([
        { customer_id: paid.customerId, rule: 'NOT_OVERDUE' },
        { customer_id: asleep.customerId, rule: 'NOT_ENROLLED' },
      ]),
    );
    for (const sale of late) expect(await world.levelOf(sale)).toBe(2);
    expect(await world.db.asOwner('select from batches')).toEqual([]);
  });

  it('touches nobody else’s phones when it is carried out: neither to lock nor to free them', async () => {
    const rival = await makeRetailer(world.db, ORG);
    const before = await Promise.all([...late, paid].map(world.levelOf));
    for (const command of ['lock', 'unlock'] as const) {
      const answer = await bulk(command, everyone(), { actor: rival });
      expect(answer).toMatchObject({ total: 5, allowed: 0, refused: 5 });
      expect(new Set(answer.refusals.map(({ rule }) => rule))).toEqual(new Set(['NOT_ENROLLED']));
      expect(await world.db.asOwner('select from commands where batch_id = $1', [answer.batch_id])).toEqual([]);
    }
    expect(await Promise.all([...late, paid].map(world.levelOf))).toEqual(before);
    expect(await world.db.asOwner('select from holds')).toEqual([]);
  });

  it('locks exactly those, with a verdict, an order and an audit line each, and keeps the refusals', async () => {
    const { batch_id: batchId } = await bulk('lock', everyone());
    for (const sale of late) expect(await world.levelOf(sale)).toBe(3);
    expect(await world.levelOf(paid)).toBe(0);
    const states = await world.db.asOwner(
      `select state, count(*)::int as n from commands where batch_id = $1 group by state order by state`,
      [batchId],
    );
    expect(states).toEqual([
      { state: 'QUEUED', n: 3 },
      { state: 'REFUSED', n: 1 },
    ]);
    const [batch] = await world.db.asOwner('select total, allowed, refused from batches where batch_id = $1', [
      batchId,
    ]);
    expect(batch).toEqual({ total: 5, allowed: 3, refused: 2 });
    expect(await world.violations()).toEqual([]);
  });

  it('sees nobody else’s customers', async () => {
    const rival = await makeRetailer(world.db, ORG);
    const answer = await bulk('lock', everyone(), { dryRun: true, actor: rival });
    expect(answer).toMatchObject({ allowed: 0, refused: 5 });
    expect(answer.refusals.every(({ rule }) => rule === 'NOT_ENROLLED')).toBe(true);
  });

  it('is not for a mini-retailer without the access', async () => {
    const mini = await makeRetailer(world.db, ORG, world.shop);
    await expect(bulk('lock', everyone(), { actor: mini })).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  });

  it('has a cap for an hour, which counts what would be locked; unlocking has none', async () => {
    await world.db.asOwner(
      `insert into batches (org_id, batch_id, command, reason, requested_by, created_at, total, allowed, refused)
      select 20, gen_random_uuid(), 'lock', 'EMI_OVERDUE', $1, kist_now() - interval '10 minutes', 48, 48, 0`,
      [world.shop.userId],
    );
    const ids = late.map(({ customerId }) => customerId);
    await expect(bulk('lock', ids)).rejects.toMatchObject({ code: 'LOCK_CAP' });
    const approved = { ...world.shop, access: { ...world.shop.access, bulk_retailer: '1' as const } };
    // A retailer gives its mini-retailers the word for orders to many, and no larger numbers with it.
    const mini = { ...approved, userType: 'miniretailer' as const };
    await expect(bulk('lock', ids, { actor: mini })).rejects.toMatchObject({ code: 'LOCK_CAP' });
    expect(await bulk('unlock', ids)).toMatchObject({ allowed: 3, refused: 0 });
    for (const sale of late) expect(await world.levelOf(sale)).toBe(0);
    const answer = await bulk('lock', ids, { actor: approved });
    expect(answer.refusals.map(({ rule }) => rule)).toEqual(['HOLD_ACTIVE', 'HOLD_ACTIVE', 'HOLD_ACTIVE']);
    // Nobody ordered those 48.
    await world.db.asOwner('delete from batches where total = 48');
  });
});

it('one command frees the fleet and leaves owners’ locks alone', async () => {
  await world.at('2026-03-05T12:00:00');
  const stolen = await world.sell();
  const owner = customerOf(world, stolen);
  await world.inOrg((tx) => world.locking.requestLock(tx, owner, stolen.customerId, { reason: 'THEFT_REPORTED' }));
  const held = await world.sell();
  await world.forgetDays();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(held)).toBe(3);
  expect(await world.inOrg((tx) => unlockFleet(tx, world))).toBeGreaterThan(0);
  expect(await world.levelOf(held)).toBe(0);
  expect(await world.levelOf(stolen)).toBe(4);
  expect(await world.violations()).toEqual([]);
});

it('what the hour’s cap counts is found by an index, however many orders to many there were', async () => {
  await world.db.asOwner(
    `insert into batches (org_id, batch_id, command, reason, requested_by, created_at, finished_at, total, allowed)
     select $1, gen_random_uuid(), 'lock', 'EMI_OVERDUE', $2, at, at, 3, 3
     from generate_series(1, 2000) n cross join lateral (select kist_now() - make_interval(hours => 1 + n) as at) t`,
    [ORG, world.shop.userId],
  );
  await world.db.asOwner('analyze batches');
  const { costs, use } = await world.inOrg(async (plain) => {
    const { tx, costs } = explained(plain);
    return { use: await bulkUse(tx), costs };
  });
  expect(costs.flatMap(({ wholeTables }) => wholeTables)).toEqual([]);
  expect(costs[0]!.rowsRead).toBeLessThan(100);
  const [counted] = await world.db.asOwner<{ n: number }>(
    `select coalesce(sum(allowed), 0)::int as n from batches
     where org_id = $1 and command = 'lock' and state = 'done' and coalesce(finished_at, created_at) > kist_now() - interval '1 hour'`,
    [ORG],
  );
  expect(use.lockedLastHour).toBe(counted!.n);
});
