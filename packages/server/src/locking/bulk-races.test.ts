import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as commands from '#server/commands/commands.ts';
import { batch } from '#server/commands/history.ts';
import { createBatches } from '#server/jobs/batches.ts';
import { newId } from '#server/platform/ids.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
let late: Sale[];
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  late = await Promise.all([1, 2, 3, 4, 5].map(() => world.sell()));
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T08:00:00');
});
afterAll(() => world.close());

const idsOf = (sales: readonly Sale[]) => sales.map(({ customerId }) => customerId);
const levels = (sales: readonly Sale[]) => Promise.all(sales.map(world.levelOf));
const ask = ({ size, canary = 0 }: { size: number; canary?: number }) =>
  world.inOrg((tx) =>
    commands.askBatch(tx, world.shop, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: late.length,
      customerIds: idsOf(late),
      size,
      room: null,
      canary,
    }),
  );
const openOf = async (batchId: string) =>
  (await commands.openBatches(world.db)).find((one) => one.batchId === batchId)!;
const drain = () =>
  createBatches({ db: world.db, carryPart: world.locking.carryPart, onError: () => undefined }).drain();

/** Whether somebody waits for a lock that another transaction has. */
const isWaiting = async () =>
  (
    await world.db.asOwner(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

it('two orders at once share what is left of the hour: the second waits and sees what the first has used', async () => {
  await world.db.asOwner(
    `insert into batches (org_id, batch_id, command, reason, requested_by, created_at, total, allowed, refused)
     select $2, gen_random_uuid(), 'lock', 'EMI_OVERDUE', $1, kist_now() - interval '10 minutes', 46, 46, 0`,
    [world.shop.userId, ORG],
  );
  const order = (sales: readonly Sale[], meanwhile: () => Promise<void>) =>
    world.inOrg(async (tx) => {
      const asked = { command: 'lock', reason: 'EMI_OVERDUE', customer_ids: idsOf(sales), dry_run: false } as const;
      const done = await world.locking.bulk(tx, world.shop, asked);
      await meanwhile();
      return done;
    });
  let isSettled = false;
  let second: Promise<unknown> = Promise.resolve();
  const first = await order(late.slice(0, 3), async () => {
    second = order(late.slice(3), async () => undefined).catch((error: { code?: string }) => error.code);
    void second.finally(() => {
      isSettled = true;
    });
    await expect.poll(async () => isSettled || (await isWaiting()), { timeout: 5000, interval: 20 }).toBe(true);
  });
  expect(first).toMatchObject({ state: 'done', allowed: 3 });
  expect(await second).toBe('LOCK_CAP');
  expect(await levels(late)).toEqual([3, 3, 3, 2, 2]);
});

it('two processes at once take different parts', async () => {
  const open = await openOf(await ask({ size: 2 }));
  const taken = await world.inOrg(async (tx) => {
    const one = await commands.takePart(tx, open);
    const other = await world.inOrg((beside) => commands.takePart(beside, open));
    return [one?.no, other?.no];
  });
  expect(taken).toEqual([1, 2]);
  await drain();
});

it('a lock of many stops where its customers say that they have paid', async () => {
  const batchId = await ask({ size: 2, canary: 3 });
  await drain();
  expect(await levels(late)).toEqual([3, 3, 3, 2, 2]);
  for (const { agreement } of late.slice(0, 3))
    await world.inOrg((tx) =>
      world.locking.paymentClaimed(tx, world.shop, agreement, { paymentId: newId(), amountPaise: 2_674_00 }),
    );
  await world.db.asOwner('update batch_parts set next_at = now() where done_at is null');
  await drain();
  const { state, stopped_for } = await world.db.read(ORG, (tx) => batch(tx, world.shop, batchId));
  expect([state, stopped_for, await levels(late)]).toEqual(['stopped', 'ANOMALY', [3, 3, 3, 2, 2]]);
});
