import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import * as commands from '#server/commands/commands.ts';
import { batch } from '#server/commands/history.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createBatches } from '#server/jobs/batches.ts';
import type { Tx } from '#server/platform/database.ts';
import { makeAdmin, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { rungAbout } from '#test/rung.ts';
import { canaryFirst, canaryOf } from './canary.ts';
import { unlockFleet } from './fleet.ts';

let world: LockWorld;
let late: Sale[];
let admin: Actor;

beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
});
beforeEach(async () => {
  await world.forgetDays();
  // What another test left open keeps no room of this one's hour.
  await world.db.asOwner(
    `update batches set state = 'stopped', stopped_for = 'FLEET_UNLOCK', finished_at = kist_now() where state in ('waiting', 'asked', 'running')`,
  );
  await world.db.asOwner(
    `update batches set finished_at = finished_at - interval '1 year', created_at = created_at - interval '1 year'`,
  );
  await world.at('2026-03-05T12:00:00');
  late = await Promise.all([1, 2, 3, 4, 5].map(() => world.sell()));
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T08:00:00');
});
afterAll(() => world.close());

const larger = (actor: Actor): Actor => ({ ...actor, access: { ...actor.access, bulk_retailer: '1' } });
const idsOf = (sales: readonly Sale[]) => sales.map(({ customerId }) => customerId);
const levels = (sales: readonly Sale[]) => Promise.all(sales.map(world.levelOf));
const progress = (batchId: string) => world.db.read(ORG, (tx: Tx) => batch(tx, world.shop, batchId));
const drain = () =>
  createBatches({ db: world.db, carryPart: world.locking.carryPart, onError: () => undefined }).drain();
const bulk = (
  customer_ids: readonly string[],
  {
    actor = world.shop,
    command = 'lock' as 'lock' | 'unlock',
    dry_run = false,
    preview = undefined as string | undefined,
  } = {},
) =>
  world.inOrg((tx) =>
    world.locking.bulk(tx, actor, {
      command,
      reason: 'EMI_OVERDUE',
      customer_ids,
      dry_run,
      ...(preview && { preview }),
    }),
  );

/** Three go first, the two others follow. */
async function firstWave(): Promise<{ batchId: string; first: Sale[]; rest: Sale[] }> {
  const batchId = await world.inOrg((tx) =>
    commands.askBatch(tx, world.shop, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: late.length,
      customerIds: idsOf(late),
      size: 2,
      room: null,
      canary: 3,
    }),
  );
  await drain();
  return { batchId, first: late.slice(0, 3), rest: late.slice(3) };
}
/** The wait is over. */
async function secondWave(): Promise<void> {
  await world.db.asOwner('update batch_parts set next_at = now() where done_at is null');
  await drain();
}
const free = (sale: Sale) =>
  world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
const openParts = (batchId: string) =>
  world.db.asOwner<{ minutes: number }>(
    `select round(extract(epoch from next_at - now()) / 60)::int as minutes from batch_parts where batch_id = $1 and done_at is null`,
    [batchId],
  );

describe('the canary of a lock of many', () => {
  it('is one phone in a hundred, and the others follow ten minutes after the last of it', async () => {
    expect([101, 2_500, 100_000].map(canaryOf)).toEqual([10, 25, 1000]);
    expect(canaryFirst(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 3)).toEqual(['a', 'c', 'e', 'b', 'd', 'f', 'g']);
    const { batchId, first, rest } = await firstWave();
    expect(await levels(first)).toEqual([3, 3, 3]);
    expect(await levels(rest)).toEqual([2, 2]);
    expect(await progress(batchId)).toMatchObject({ state: 'running', allowed: 3 });
    expect(await openParts(batchId)).toEqual([{ minutes: LIMITS.canaryMinutes }]);
    // Looked at again meanwhile, the wait is no longer for it.
    const until = () => world.db.asOwner('select next_at from batch_parts where batch_id = $1 and wave = 2', [batchId]);
    const before = await until();
    await drain();
    expect(await until()).toEqual(before);
    await secondWave();
    expect(await levels(rest)).toEqual([3, 3]);
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await world.violations()).toEqual([]);
  });

  it('is phones that were locked: where it was passed over others go in its place', async () => {
    const others = await Promise.all([1, 2].map(() => world.sell()));
    const batchId = await world.inOrg((tx) =>
      commands.askBatch(tx, world.shop, {
        command: 'lock',
        reason: 'EMI_OVERDUE',
        total: 7,
        customerIds: idsOf([...others, ...late]),
        size: 2,
        room: null,
        canary: 2,
      }),
    );
    await drain();
    expect([await levels(others), await levels(late)]).toEqual([
      [0, 0],
      [3, 3, 2, 2, 2],
    ]);
    expect(await progress(batchId)).toMatchObject({ state: 'running', allowed: 2, refused: 2 });
    await secondWave();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5, refused: 2 });
  });

  const followed = async (batchId: string, sales: Sale[]) => {
    await secondWave();
    const { state, stopped_for, allowed } = await progress(batchId);
    const rung = (await rungAbout(world.db, batchId)).map(({ user_id, kind, why }) => [user_id, kind, why]);
    return { state, stopped_for, allowed, levels: await levels(sales), rung };
  };
  const STOPPED = () => {
    const rung = [[world.shop.userId, 'batch_stopped', 'ANOMALY']];
    return { state: 'stopped', stopped_for: 'ANOMALY', allowed: 3, levels: [2, 2], rung };
  };

  it('stops the rest when people free what it locked', async () => {
    const { batchId, first, rest } = await firstWave();
    for (const sale of first) await free(sale);
    expect(await followed(batchId, rest)).toEqual(STOPPED());
  });

  it('stops the rest when its customers object', async () => {
    const { batchId, first, rest } = await firstWave();
    for (const sale of first)
      await world.inOrg((tx) =>
        world.locking.openDispute(tx, customerOf(world, sale), {
          customerId: sale.customerId,
          text: 'It is paid, here is the receipt.',
        }),
      );
    expect(await followed(batchId, rest)).toEqual(STOPPED());
  });

  it('stops the rest when its orders fail', async () => {
    const { batchId, rest } = await firstWave();
    await world.db.asOwner(`update commands set state = 'FAILED', ended_at = kist_now() where batch_id = $1`, [
      batchId,
    ]);
    expect(await followed(batchId, rest)).toEqual(STOPPED());
  });

  it('stops the rest for one paid-up phone that is held for money', async () => {
    const { batchId, first, rest } = await firstWave();
    const moveDues = (days: number) =>
      world.db.plant(['instalments'], 'update instalments set due_on = due_on + $2::int where agreement_id = $1', [
        first[0]!.agreement.agreement_id,
        days,
      ]);
    await moveDues(365);
    expect(await followed(batchId, rest)).toEqual(STOPPED());
    await moveDues(-365);
  });

  it('lets the rest follow when its customers pay, or fewer than a few are freed', async () => {
    const { batchId, first, rest } = await firstWave();
    await world.pay(first[0]!, 1);
    await free(first[1]!);
    await free(first[2]!);
    await secondWave();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await levels(rest)).toEqual([3, 3]);
  });
});

describe('a lock of more than a part', () => {
  const many = Array.from({ length: 101 }, () => crypto.randomUUID());

  it('takes the dry run of the very same order by the same person, not long before; an unlock takes none', async () => {
    const refused = { code: 'PREVIEW_REQUIRED' };
    await expect(bulk(many)).rejects.toMatchObject(refused);
    const { preview } = await bulk(many, { dry_run: true });
    const given = { preview: preview! };
    await expect(bulk([...many, crypto.randomUUID()], given)).rejects.toMatchObject(refused);
    await expect(bulk(many, { ...given, actor: world.second })).rejects.toMatchObject(refused);
    await expect(bulk(many, { preview: `${preview}x` })).rejects.toMatchObject(refused);
    const { preview: other } = await bulk(many, { dry_run: true, command: 'unlock' });
    await expect(bulk(many, { preview: other! })).rejects.toMatchObject(refused);
    expect(await bulk(many, { command: 'unlock' })).toMatchObject({ state: 'asked', preview: null });
    expect(await bulk(many.toReversed(), given)).toMatchObject({ state: 'asked', total: 101 });
    await world.at('2026-03-13T08:16:00');
    await expect(bulk(many, given)).rejects.toMatchObject(refused);
    await drain();
  });

  it('begins with its canary', async () => {
    const { preview } = await bulk(many, { dry_run: true });
    const { batch_id } = await bulk(many, { preview: preview! });
    expect(
      await world.db.asOwner(
        'select wave, sum(cardinality(customer_ids))::int as n from batch_parts where batch_id = $1 group by wave order by wave',
        [batch_id],
      ),
    ).toEqual([
      { wave: 1, n: 10 },
      { wave: 2, n: 91 },
    ]);
    await world.db.asOwner('update batch_parts set next_at = now() where batch_id = $1', [batch_id]);
    await drain();
  });
});

describe('more locks than the hour has room for', () => {
  const overCap = async () => {
    await world.db.asOwner(
      `insert into batches (org_id, batch_id, command, reason, requested_by, created_at, total, allowed, refused)
       select $2, gen_random_uuid(), 'lock', 'EMI_OVERDUE', $1, kist_now() - interval '10 minutes', 48, 48, 0`,
      [world.shop.userId, ORG],
    );
    const { batch_id } = await bulk(idsOf(late), { actor: larger(world.shop) });
    return batch_id!;
  };
  const decide = (batchId: string, actor: Actor, isApproved = true) =>
    world.inOrg((tx) => world.locking.decideBulk(tx, actor, { batchId, isApproved }));

  it('wait for a second person, who answers for the organisation or the shop; then all are locked', async () => {
    const batchId = await overCap();
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'waiting', allowed: 0 });
    expect(await levels(late)).toEqual([2, 2, 2, 2, 2]);
    await expect(decide(batchId, larger(world.shop))).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    await expect(decide(batchId, world.second)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    const rival = await makeRetailer(world.db, ORG);
    await expect(decide(batchId, larger(rival))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const mini = await makeRetailer(world.db, ORG, world.shop);
    // One that sees the order all the same.
    mini.visibleOwnerIds.push(world.shop.userId);
    await expect(decide(batchId, larger(mini))).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    expect(await decide(batchId, admin)).toEqual({ batch_id: batchId, state: 'asked' });
    await expect(decide(batchId, admin)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await levels(late)).toEqual([3, 3, 3, 3, 3]);
    expect(
      await world.db.asOwner(
        `select action from audit_lines where subject_kind = 'organisation' and data ->> 'batch_id' = $1 order by seq`,
        [batchId],
      ),
    ).toEqual(['batch_asked', 'batch_approved', 'batch_done'].map((action) => ({ action })));
  });

  it('begin with their canary as well, and are no mini-retailer’s to ask for', async () => {
    await overCap();
    const ids = [...idsOf(late), ...Array.from({ length: 100 }, () => crypto.randomUUID())];
    const actor = larger(world.shop);
    const { preview } = await bulk(ids, { actor, dry_run: true });
    const { batch_id, state } = await bulk(ids, { actor, preview: preview! });
    expect(state).toBe('waiting');
    const waves = await world.db.asOwner(
      'select wave, sum(cardinality(customer_ids))::int as n from batch_parts where batch_id = $1 group by wave order by wave',
      [batch_id],
    );
    expect(waves).toEqual([
      { wave: 1, n: 10 },
      { wave: 2, n: 95 },
    ]);
    const mini = { ...actor, userType: 'miniretailer' as const };
    await expect(bulk(idsOf(late), { actor: mini })).rejects.toMatchObject({ code: 'LOCK_CAP' });
  });

  it('ring whoever may agree, and who asked when it is decided or given up', async () => {
    const kinds = async (batchId: string, { userId }: Actor) =>
      (await rungAbout(world.db, batchId)).filter(({ user_id }) => user_id === userId).map(({ kind }) => kind);
    const agreed = await overCap();
    expect(await rungAbout(world.db, agreed)).toEqual([
      { user_id: admin.userId, kind: 'batch_asked', why: null, customer_id: null },
    ]);
    await decide(agreed, admin);
    await drain();
    expect([await kinds(agreed, world.shop), await kinds(agreed, admin)]).toEqual([['batch_decided'], ['batch_asked']]);
    const ownNo = await overCap();
    await decide(ownNo, world.shop, false);
    expect(await kinds(ownNo, world.shop)).toEqual([]);
    const late = await overCap();
    await world.at('2026-03-13T10:01:00');
    await drain();
    expect(await kinds(late, world.shop)).toEqual(['batch_stopped']);
  });

  it('take nothing of the hour before somebody has agreed', async () => {
    const batchId = await overCap();
    expect(await bulk(idsOf(late.slice(0, 1)))).toMatchObject({ state: 'done', allowed: 1 });
    await decide(batchId, admin, false);
  });

  it('are seen by who may agree to them: how many, why and who asked', async () => {
    const batchId = await overCap();
    const seen = await world.db.read(ORG, (tx) => batch(tx, admin, batchId));
    expect(seen).toMatchObject({
      state: 'waiting',
      total: 5,
      reason: 'EMI_OVERDUE',
      asked_by: expect.stringMatching(/\S/),
    });
    await decide(batchId, admin, false);
  });

  it('count against the hour once they are agreed to', async () => {
    const batchId = await overCap();
    await decide(batchId, larger(world.second));
    await expect(bulk(idsOf(late.slice(0, 1)))).rejects.toMatchObject({ code: 'LOCK_CAP' });
    await drain();
  });

  it('are not carried out when somebody says no, who asked among them', async () => {
    for (const actor of [world.shop, admin]) {
      const batchId = await overCap();
      expect(await decide(batchId, actor, false)).toEqual({ batch_id: batchId, state: 'stopped' });
      expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'NOT_APPROVED', allowed: 0 });
      expect(
        await world.db.asOwner(
          `select from audit_lines where action = 'batch_not_approved' and data ->> 'batch_id' = $1`,
          [batchId],
        ),
      ).toHaveLength(1);
    }
    expect(await levels(late)).toEqual([2, 2, 2, 2, 2]);
  });

  it('are given up when nobody has agreed within the hour, and nobody can agree any more', async () => {
    const batchId = await overCap();
    await world.at('2026-03-13T09:01:00');
    await expect(decide(batchId, admin)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'NOT_APPROVED' });
  });

  it('are stopped with all others when the fleet is freed', async () => {
    const batchId = await overCap();
    await world.inOrg((tx) => unlockFleet(tx, world));
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'FLEET_UNLOCK' });
    expect(await rungAbout(world.db, batchId)).toContainEqual(expect.objectContaining({ why: 'FLEET_UNLOCK' }));
    await expect(decide(batchId, admin)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('are begun by nobody alone, whatever is written', async () => {
    const batchId = await overCap();
    const write = (set: string) =>
      world.inOrg((tx) => tx.query(`update batches set ${set} where batch_id = $1`, [batchId]));
    await expect(write(`state = 'asked'`)).rejects.toThrow(/nobody has agreed/);
    await expect(write(`state = 'asked', approved_by = requested_by`)).rejects.toThrow(/batches_second_person/);
    await decide(batchId, admin, false);
  });
});

it('a session that has just begun locks nobody by an order to many, and agrees to none; it frees, and looks', async () => {
  const sessionId = crypto.randomUUID();
  await world.db.asOwner(
    `insert into sessions (org_id, session_id, user_id, token_hash, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, sha256($4::bytea), now() - interval '5 minutes', now(), now() + interval '1 day')`,
    [ORG, sessionId, world.shop.userId, sessionId],
  );
  const actor = { ...world.shop, sessionId };
  const order = () => bulk(idsOf(late), { actor });
  await expect(order()).rejects.toMatchObject({ code: 'SESSION_TOO_NEW', options: { details: { minutes: 10 } } });
  expect(await bulk(idsOf(late), { actor, dry_run: true })).toMatchObject({ allowed: 5 });
  expect(await bulk(idsOf(late), { actor, command: 'unlock' })).toMatchObject({ state: 'done' });
  expect(await levels(late)).toEqual([0, 0, 0, 0, 0]);
  const agreeing = world.inOrg((tx) =>
    world.locking.decideBulk(tx, { ...admin, sessionId }, { batchId: crypto.randomUUID(), isApproved: true }),
  );
  await expect(agreeing).rejects.toMatchObject({ code: 'SESSION_TOO_NEW' });
  await world.db.asOwner(`update sessions set created_at = now() - interval '15 minutes' where session_id = $1`, [
    sessionId,
  ]);
  expect(await order()).toMatchObject({ state: 'done' });
});
