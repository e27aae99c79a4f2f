import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { createLog } from './log.ts';
import { type Timer, type Timers, createTimers } from './timers.ts';

const database = await createTestDatabase();
const log = createLog('silent');
const open: Timers[] = [];

/** One process with these timers, started. */
function process(...timers: Timer[]): Timers {
  const made = createTimers(database.appPool, timers, log);
  open.push(made);
  made.start();
  return made;
}

const runs = (name: string) =>
  database.asOwner<{ is_finished: boolean; has_failed: boolean }>(
    'select finished_at >= started_at as is_finished, failed_at is not null as has_failed from timer_runs where name = $1',
    [name],
  );

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.stop()));
  await database.asOwner('delete from timer_runs');
});

test('three processes together run a timer once at each tick', async () => {
  const ticks: number[] = [];
  const startedAt = Date.now();
  for (const name of ['tick', 'tick', 'tick'])
    process({ name, cron: '* * * * * *', work: async () => ticks.push(Date.now()) });
  await expect.poll(() => ticks.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(5);
  // The tick before the start counts too, once.
  expect(ticks.length).toBeLessThanOrEqual(Math.ceil((Date.now() - startedAt) / 1000) + 1);
});

test('a tick that passed while no process was there is caught up at the start, once', async () => {
  let count = 0;
  const yearly = { name: 'yearly', cron: '5 0 1 1 *', work: async () => (count += 1) };
  process(yearly);
  await expect.poll(() => runs('yearly')).toEqual([{ is_finished: true, has_failed: false }]);
  process(yearly);
  process(yearly);
  await Promise.all(open.splice(0).map((made) => made.stop()));
  expect(count).toBe(1);
});

test('while a run lasts no other begins, on whichever process', async () => {
  let [now, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    now -= 1;
  };
  for (const name of ['slow', 'slow']) process({ name, cron: '* * * * * *', work });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(most).toBe(1);
});

test('a run that fails is told, and the next tick tries again', async () => {
  let tries = 0;
  process({
    name: 'flaky',
    cron: '* * * * * *',
    work: async () => {
      tries += 1;
      if (tries === 1) throw new Error('first time');
    },
  });
  await expect.poll(() => tries, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(await runs('flaky')).toMatchObject([{ has_failed: true }]);
});

test('a run whose process died leaves nothing that keeps the next one out', async () => {
  process({
    name: 'cut-off',
    cron: '* * * * * *',
    work: () =>
      database.asOwner(
        `select pg_terminate_backend(l.pid) from pg_locks l where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      ),
  });
  await new Promise((resolve) => setTimeout(resolve, 2500));
  let isRun = false;
  await Promise.all(open.splice(0).map((made) => made.stop()));
  process({ name: 'cut-off', cron: '* * * * * *', work: async () => (isRun = true) });
  await expect.poll(() => isRun, { timeout: 5000 }).toBe(true);
});

test('a stop waits for what is under way and takes no more', async () => {
  let [begun, ended] = [0, 0];
  const made = process({
    name: 'last',
    cron: '* * * * * *',
    work: async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
      ended += 1;
    },
  });
  await expect.poll(() => begun).toBe(1);
  await made.stop();
  expect(ended).toBe(begun);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(begun).toBe(ended);
});
