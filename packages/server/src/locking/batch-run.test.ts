import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockReason } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import { batch } from '#server/commands/history.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createBatches } from '#server/jobs/batches.ts';
import type { Tx } from '#server/platform/database.ts';
import { makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { rungAbout } from '#test/rung.ts';
import { unlockFleet } from './fleet.ts';

/** Orders to so few are carried out in parts here: the parts are cut by the test. */
const SIZE = 2;

let world: LockWorld;
let late: Sale[];

beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(async () => {
  await world.forgetDays();
  await world.db.asOwner('update users set user_access = user_access || $1::jsonb, is_active = true', [
    JSON.stringify({ bulk_retailer: '0' }),
  ]);
  await world.db.asOwner(
    `update batches set finished_at = finished_at - interval '1 year', created_at = created_at - interval '1 year'`,
  );
  await world.at('2026-03-05T12:00:00');
  late = await Promise.all([1, 2, 3, 4, 5].map(() => world.sell()));
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T08:00:00');
});
afterAll(() => world.close());

const idsOf = (sales: readonly Sale[]) => sales.map(({ customerId }) => customerId);
const ask = (
  command: 'lock' | 'unlock',
  sales: readonly Sale[],
  {
    room = null,
    actor = world.shop,
    reason = 'EMI_OVERDUE',
  }: { room?: number | null; actor?: Actor; reason?: LockReason } = {},
) =>
  world.inOrg((tx) =>
    commands.askBatch(tx, actor, {
      command,
      reason,
      total: sales.length,
      customerIds: idsOf(sales),
      size: SIZE,
      room,
    }),
  );
const openNow = async (batchId: string) =>
  (await commands.openBatches(world.db)).find((one) => one.batchId === batchId);
const carry = async (batchId: string) => {
  const open = await openNow(batchId);
  return open !== undefined && world.locking.carryPart(world.db, open);
};
const failures: unknown[] = [];
const another = () =>
  createBatches({ db: world.db, carryPart: world.locking.carryPart, onError: (error) => failures.push(error) });
const progress = (batchId: string) => world.db.read(ORG, (tx: Tx) => batch(tx, world.shop, batchId));
const told = (batchId: string) =>
  world.db.asOwner<{ action: string; data: object }>(
    `select action, data - 'batch_id' as data from audit_lines
     where subject_kind = 'organisation' and data ->> 'batch_id' = $1 order by seq`,
    [batchId],
  );
const asked = { action: 'batch_asked', data: { command: 'lock', reason: 'EMI_OVERDUE', total: 5 } };
const stopped = (stopped_for: string, allowed: number) => ({
  action: 'batch_stopped',
  data: { stopped_for, total: 5, allowed, refused: 0 },
});
/** In the bell of the shop that ordered it, once. */
const rung = (why: string) => ({ user_id: world.shop.userId, kind: 'batch_stopped', why, customer_id: null });
const levels = (sales: readonly Sale[]) => Promise.all(sales.map(world.levelOf));
const orders = async (batchId: string) =>
  (await world.db.asOwner<{ n: number }>('select count(*)::int as n from commands where batch_id = $1', [batchId]))[0]!
    .n;

/** Its parts are taken up twelve times, and no verdict can be written. */
async function failAtVerdicts(batchId: string): Promise<void> {
  const open = (await openNow(batchId))!;
  const broken = {
    ...world.db,
    transaction: <T>(orgId: number, work: (tx: Tx) => Promise<T>) =>
      world.db.transaction(orgId, (tx) =>
        work({
          ...tx,
          orgId: tx.orgId,
          ports: tx.ports,
          afterCommit: (hint) => tx.afterCommit(hint),
          query: (text, values, name) =>
            name === 'locking.insert_verdicts' ? Promise.reject(new Error('broken')) : tx.query(text, values, name),
        }),
      ),
  };
  for (let at = 0; at < 12 && (await openNow(batchId)); at += 1) {
    await world.db.asOwner('update batch_parts set next_at = now() where batch_id = $1', [batchId]);
    await world.locking.carryPart(broken, { ...open, isBegun: true }).catch(() => undefined);
  }
}

describe('an order to many in parts', () => {
  it('says how far it is, and is done when its last part is', async () => {
    const batchId = await ask('lock', late);
    expect(await progress(batchId)).toMatchObject({ state: 'asked', total: 5, allowed: 0, refused: 0 });
    expect(await carry(batchId)).toBe(true);
    expect(await progress(batchId)).toMatchObject({ state: 'running', total: 5, allowed: 2, refused: 0 });
    expect((await levels(late)).toSorted((a, b) => a - b)).toEqual([2, 2, 2, 3, 3]);
    await another().drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5, refused: 0, refusals: [] });
    expect(await levels(late)).toEqual([3, 3, 3, 3, 3]);
    expect(await orders(batchId)).toBe(5);
    expect(await openNow(batchId)).toBeUndefined();
    expect(await world.violations()).toEqual([]);
  });

  it('a part that breaks off leaves nothing, and is carried out whole by another process, each phone once', async () => {
    const batchId = await ask('lock', late);
    const open = (await openNow(batchId))!;
    const dying = {
      ...world.db,
      transaction: <T>(orgId: number, work: (tx: Tx) => Promise<T>) =>
        world.db.transaction(orgId, async (tx) => {
          await work(tx);
          throw new Error('killed before its commit');
        }),
    };
    await expect(world.locking.carryPart(dying, { ...open, isBegun: true })).rejects.toThrow(/killed/);
    expect(await levels(late)).toEqual([2, 2, 2, 2, 2]);
    expect(await orders(batchId)).toBe(0);
    await Promise.all([another().drain(), another().drain()]);
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await orders(batchId)).toBe(5);
    expect(await world.violations()).toEqual([]);
  });

  it.each([
    ['lock', ['the payment is through', 'lock']],
    ['unlock', ['unlock', 'the payment is through']],
  ] as const)(
    'a part of %s meets what is under way: locks make way, unlocks wait for nobody',
    async (command, first) => {
      if (command === 'unlock') await ask('lock', late).then(() => another().drain());
      await ask(command, late);
      const order: string[] = [];
      const through = () => order.push('the payment is through');
      let looks = 0;
      const batches = createBatches({
        // Both lanes have looked once when it comes through: by the count, for a busy machine's milliseconds say nothing.
        db: { ...world.db, underWay: () => ((looks += 1) === 3 && through(), looks < 3 ? 99 : 0) },
        carryPart: (db, open) => {
          order.push(command);
          return world.locking.carryPart(db, open);
        },
        onError: (error) => failures.push(error),
      });
      await batches.drain();
      if (looks === 0) through();
      expect([...new Set(order)]).toEqual(first);
    },
  );

  it('a shop that never rests locks all the same', async () => {
    const batchId = await ask('lock', late);
    await createBatches({
      db: { ...world.db, underWay: () => 99 },
      carryPart: world.locking.carryPart,
      onError: (error) => failures.push(error),
    }).drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
  });

  it('judges each phone as it stands in its part: one paid for meanwhile is not locked by a later part', async () => {
    const batchId = await ask('lock', late);
    expect(await carry(batchId)).toBe(true);
    const waiting: Sale[] = [];
    for (const sale of late) if ((await world.levelOf(sale)) < 3) waiting.push(sale);
    await world.pay(waiting[0]!, 1);
    await another().drain();
    expect(await world.levelOf(waiting[0]!)).toBe(0);
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 4, refused: 1 });
    expect((await progress(batchId)).refusals).toEqual([
      { customer_id: waiting[0]!.customerId, rule: expect.any(String) },
    ]);
    const paidOf = late.find(({ customerId }) => customerId !== waiting[0]!.customerId)!;
    await world.pay(paidOf, 1);
    expect(await world.levelOf(paidOf)).toBe(0);
    expect(await world.violations()).toEqual([]);
  });

  it('an unlock asked later goes first, and what it freed no part of the lock locks again', async () => {
    const lock = await ask('lock', late);
    expect(await carry(lock)).toBe(true);
    const free = await ask('unlock', late);
    await another().drain();
    expect(await levels(late)).toEqual([0, 0, 0, 0, 0]);
    expect(await progress(free)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await progress(lock)).toMatchObject({ state: 'done', allowed: 2, refused: 3 });
    expect(await told(lock)).toEqual([asked, { action: 'batch_done', data: { total: 5, allowed: 2, refused: 3 } }]);
    expect((await progress(lock)).refusals.map(({ rule }) => rule)).toEqual(Array(3).fill('FREED_MEANWHILE'));
    expect(await world.violations()).toEqual([]);
  });

  it('never locks more than its hour had room for, whoever carries out its parts, and stops with the reason', async () => {
    const batchId = await ask('lock', late, { room: 3 });
    await Promise.all([another().drain(), another().drain()]);
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'CAP', allowed: 2 });
    expect(await told(batchId)).toEqual([asked, stopped('CAP', 2)]);
    expect(await rungAbout(world.db, batchId)).toEqual([rung('CAP')]);
    expect((await levels(late)).filter((level) => level === 3)).toHaveLength(2);
    expect(await openNow(batchId)).toBeUndefined();
  });

  it('the room it may still use is not free for another order', async () => {
    await ask('lock', late, { room: 48 });
    const now = world.inOrg((tx) =>
      world.locking.bulk(tx, world.shop, {
        command: 'lock',
        reason: 'EMI_OVERDUE',
        customer_ids: idsOf(late),
        dry_run: false,
      }),
    );
    await expect(now).rejects.toMatchObject({ code: 'LOCK_CAP' });
    await another().drain();
  });

  it('stops when whoever asked may lock no more; an unlock goes on', async () => {
    const lock = await ask('lock', late);
    expect(await carry(lock)).toBe(true);
    await world.db.asOwner('update users set is_active = false where user_id = $1', [world.shop.userId]);
    const free = await ask('unlock', late);
    await another().drain();
    expect(await progress(lock)).toMatchObject({ state: 'stopped', stopped_for: 'NOT_ALLOWED', allowed: 2 });
    expect(await told(lock)).toEqual([asked, stopped('NOT_ALLOWED', 2)]);
    expect((await told(free)).map(({ action }) => action)).toEqual(['batch_asked', 'batch_done']);
    expect(await progress(free)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await levels(late)).toEqual([0, 0, 0, 0, 0]);
  });

  it('stops when the fleet is freed: nothing is locked behind it', async () => {
    const batchId = await ask('lock', late);
    expect(await carry(batchId)).toBe(true);
    await world.inOrg((tx) => unlockFleet(tx, world));
    await another().drain();
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'FLEET_UNLOCK', allowed: 2 });
    expect(await told(batchId)).toEqual([asked, stopped('FLEET_UNLOCK', 2)]);
    expect(await rungAbout(world.db, batchId)).toEqual([rung('FLEET_UNLOCK')]);
    // What was over before is nothing to tell of again.
    await world.inOrg((tx) => unlockFleet(tx, world));
    expect(await rungAbout(world.db, batchId)).toHaveLength(1);
    expect(await levels(late)).not.toContain(3);
  });

  it('a part that fails comes again in halves; of a lock that goes on failing the rest is not carried out', async () => {
    const batchId = await ask('lock', late);
    await failAtVerdicts(batchId);
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'FAILED', allowed: 0 });
    expect(await told(batchId)).toEqual([asked, stopped('FAILED', 0)]);
    expect(await rungAbout(world.db, batchId)).toEqual([rung('FAILED')]);
    expect(await levels(late)).toEqual([2, 2, 2, 2, 2]);
    const sizes = await world.db.asOwner<{ n: number }>(
      'select cardinality(customer_ids) as n from batch_parts where batch_id = $1',
      [batchId],
    );
    expect(sizes.reduce((sum, { n }) => sum + n, 0)).toBe(5);
    expect(sizes.some(({ n }) => n === 1)).toBe(true);
  });

  it('an unlock that fails is never given up: it goes on until every phone is free', async () => {
    await ask('lock', late);
    await another().drain();
    const batchId = await ask('unlock', late);
    await failAtVerdicts(batchId);
    expect(await levels(late)).toEqual([3, 3, 3, 3, 3]);
    expect(await progress(batchId)).toMatchObject({ stopped_for: null, allowed: 0 });
    await world.db.asOwner('update batch_parts set next_at = now() where batch_id = $1', [batchId]);
    await another().drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await levels(late)).toEqual([0, 0, 0, 0, 0]);
  });

  it('touches nobody else’s phones, whatever list it was asked with', async () => {
    const rival = await makeRetailer(world.db, ORG);
    for (const [command, level] of [
      ['lock', 2],
      ['unlock', 3],
    ] as const) {
      if (command === 'unlock') {
        await ask('lock', late);
        await another().drain();
      }
      const batchId = await ask(command, late, { actor: rival });
      await another().drain();
      expect(await world.db.read(ORG, (tx: Tx) => batch(tx, rival, batchId))).toMatchObject({
        state: 'done',
        allowed: 0,
        refused: 5,
      });
      expect(await orders(batchId)).toBe(0);
      expect(await levels(late)).toEqual(Array(5).fill(level));
    }
  });

  it('stops when whoever asked has lost the right to lock, though not the login', async () => {
    const batchId = await ask('lock', late);
    expect(await carry(batchId)).toBe(true);
    await world.db.asOwner(`update users set lock_access = lock_access || '{"lock": "0"}' where user_id = $1`, [
      world.shop.userId,
    ]);
    await another().drain();
    await world.db.asOwner(`update users set lock_access = lock_access || '{"lock": "1"}' where user_id = $1`, [
      world.shop.userId,
    ]);
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'NOT_ALLOWED', allowed: 2 });
    expect((await levels(late)).filter((level) => level === 3)).toHaveLength(2);
  });

  it('locks no phone to which the shop is not offered a lock, and says so', async () => {
    const setLists = (lists: object) =>
      world.db.asOwner('update organisations set allowed_features = $2 where org_id = $1', [
        ORG,
        JSON.stringify(lists),
      ]);
    await setLists({ DPC: ['app_lock'] });
    const batchId = await ask('lock', late);
    await another().drain();
    await setLists({});
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 0, refused: 5 });
    expect((await progress(batchId)).refusals.map(({ rule }) => rule)).toEqual(Array(5).fill('FEATURE_NOT_OFFERED'));
    expect(await orders(batchId)).toBe(0);
    expect(await levels(late)).toEqual([2, 2, 2, 2, 2]);
  });

  it('lets a paid-up phone go once its unlock has taken the last thing off it', async () => {
    await world.at('2026-02-11T12:00:00');
    const sale = await world.sell({ tenure: 1 });
    const owner = customerOf(world, sale);
    await world.inOrg((tx) => world.locking.requestLock(tx, owner, sale.customerId, { reason: 'CUSTOMER_REQUEST' }));
    expect((await world.pay(sale, 1)).agreement_state).toBe('completed');
    const released = async () =>
      (await world.db.asOwner('select from devices where device_id = $1 and released_at is not null', [sale.deviceId]))
        .length;
    expect([await world.levelOf(sale), await released()]).toEqual([4, 0]);
    await ask('unlock', [sale], { reason: 'CUSTOMER_REQUEST' });
    await another().drain();
    expect([await world.levelOf(sale), await released()]).toEqual([0, 1]);
  });

  it('neither locks nor frees for a theft: that is one phone’s and its owner’s word', async () => {
    for (const command of ['lock', 'unlock'] as const) {
      const asked = world.inOrg((tx) =>
        world.locking.bulk(tx, world.shop, {
          command,
          reason: 'THEFT_REPORTED',
          customer_ids: idsOf(late),
          dry_run: false,
        }),
      );
      await expect(asked).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    }
  });
});
