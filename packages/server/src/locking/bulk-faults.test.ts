import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import * as commands from '#server/commands/commands.ts';
import { batch } from '#server/commands/history.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createBatches } from '#server/jobs/batches.ts';
import type { Tx } from '#server/platform/database.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { assertPreviewed, previewOf } from './bulk-guards.ts';
import { canaryFirst, canaryOf, isTooMuch } from './canary.ts';

let world: LockWorld;
let late: Sale[];
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  late = await Promise.all([1, 2, 3, 4, 5].map(() => world.sell()));
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T08:00:00');
});
afterAll(() => world.close());

const ask = ({ room = null as number | null, canary = 0, actor = world.shop as Actor } = {}) =>
  world.inOrg((tx) =>
    commands.askBatch(tx, actor, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: late.length,
      customerIds: late.map(({ customerId }) => customerId),
      size: 2,
      room,
      canary,
    }),
  );
const drain = (db = world.db) =>
  createBatches({ db, carryPart: world.locking.carryPart, onError: () => undefined }).drain();
const progress = (batchId: string) => world.db.read(ORG, (tx: Tx) => batch(tx, world.shop, batchId));
const levels = () => Promise.all(late.map(world.levelOf));

describe('the dry run that a lock of many takes', () => {
  const key = Buffer.alloc(32, 1);
  const order = { command: 'lock', reason: 'EMI_OVERDUE', customerIds: ['a', 'b'] } as const;
  const given = () => world.inOrg((tx) => previewOf(tx, key, world.shop, order));
  const take = (preview: string | undefined, actor: Actor = world.shop, by = key) =>
    world.inOrg((tx) => assertPreviewed(tx, by, actor, { ...order, preview }));
  const REFUSED = { code: 'PREVIEW_REQUIRED' };

  it('is taken to the end of its quarter of an hour and no longer, whatever time is written on it', async () => {
    const preview = await given();
    await expect(take(preview)).resolves.toBeUndefined();
    const [until = '', mac = ''] = preview.split('.');
    const later = (Number.parseInt(until, 36) + 3_600_000).toString(36);
    await expect(take(`${later}.${mac}`)).rejects.toMatchObject(REFUSED);
    await world.at(`2026-03-13T08:${LIMITS.bulkPreviewMinutes - 1}:00`);
    await expect(take(preview)).resolves.toBeUndefined();
    await world.at(`2026-03-13T08:${LIMITS.bulkPreviewMinutes}:30`);
    await expect(take(preview)).rejects.toMatchObject(REFUSED);
  });

  it('is no other organisation’s, nobody’s under another key, and nothing that is none', async () => {
    const preview = await given();
    await expect(take(preview, { ...world.shop, orgId: ORG + 1 })).rejects.toMatchObject(REFUSED);
    await expect(take(preview, world.shop, Buffer.alloc(32, 2))).rejects.toMatchObject(REFUSED);
    for (const none of [undefined, '', '.', 'zzzzzzzzzz.', preview.split('.')[1]])
      await expect(take(none)).rejects.toMatchObject(REFUSED);
  });
});

describe('the canary', () => {
  it('is a hundredth, a started one whole, and never fewer than ten', () => {
    expect([101, 1_000, 1_001, 2_501].map(canaryOf)).toEqual([10, 10, 11, 26]);
    const ids = Array.from({ length: 101 }, (_one, n) => String(n));
    const order = canaryFirst(ids, 10);
    expect(order.toSorted()).toEqual(ids.toSorted());
    const first = order.slice(0, 10).map(Number);
    const gaps = first.slice(1).map((id, at) => id - first[at]!);
    expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([10, 10]);
  });

  it.each([
    [2, 2, false],
    [2, 500, false],
    [3, 5, true],
    [3, 59, true],
    [3, 60, false],
    [4, 79, true],
    [25, 500, false],
    [26, 500, true],
  ])('%i in trouble of %i is too much: %s', (troubled, locked, is) => {
    expect(isTooMuch(troubled, locked)).toBe(is);
  });

  it('takes time that the shop gives for a sign of nothing', async () => {
    const batchId = await ask({ canary: 3 });
    await drain();
    for (const { customerId } of late.slice(0, 3))
      await world.inOrg((tx) =>
        world.locking.hold(tx, world.shop, {
          customerId,
          kind: 'medical',
          untilOn: isoDate('2026-03-20'),
          note: 'in hospital until then',
        }),
      );
    await world.db.asOwner('update batch_parts set next_at = now() where done_at is null');
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
  });
});

describe('a part', () => {
  it('uses the room of its hour to the last lock', async () => {
    const batchId = await ask({ room: 5 });
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
    expect(await levels()).toEqual([3, 3, 3, 3, 3]);
  });

  it('that failed twice goes on, and one that failed three times stops the rest', async () => {
    const batchId = await ask();
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
    const fail = async () => {
      const open = (await commands.openBatches(world.db)).find((one) => one.batchId === batchId)!;
      await world.db.asOwner('update batch_parts set next_at = now() where batch_id = $1', [batchId]);
      await expect(world.locking.carryPart(broken, open)).rejects.toThrow('broken');
    };
    await fail();
    await fail();
    expect(await progress(batchId)).toMatchObject({ state: 'running', stopped_for: null });
    await fail();
    expect(await progress(batchId)).toMatchObject({ state: 'stopped', stopped_for: 'FAILED' });
  });

  it('is on record as its asker’s: whose session, and from where', async () => {
    const sessionId = crypto.randomUUID();
    await ask({ actor: { ...world.shop, sessionId, ip: '203.0.113.9' } });
    await drain();
    const [line] = await world.db.asOwner<{ actor: object }>(
      `select actor from audit_lines where subject_kind = 'device' and subject_id = $1 and action = 'lock_level_decided' order by seq desc limit 1`,
      [late[4]!.deviceId],
    );
    expect(line!.actor).toMatchObject({ user_id: world.shop.userId, session_id: sessionId, ip: '203.0.113.9' });
  });

  it('is not looked at before the canary is through: what was locked so far says too little', async () => {
    const batchId = await ask({ canary: 5 });
    const open = async () => (await commands.openBatches(world.db)).find((one) => one.batchId === batchId)!;
    for (let part = 0; part < 2; part += 1) await world.locking.carryPart(world.db, await open());
    await world.db.asOwner(`update commands set state = 'FAILED', ended_at = kist_now() where batch_id = $1`, [
      batchId,
    ]);
    await drain();
    expect(await progress(batchId)).toMatchObject({ state: 'done', allowed: 5 });
  });
});
