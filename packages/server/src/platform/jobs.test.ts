import { afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { createJobs, installJobs } from './jobs.ts';
import type { Jobs } from './jobs.ts';
import { createLog } from './log.ts';

const database = await createTestDatabase();
await installJobs(database.owner);
const log = createLog('silent');
const open: Jobs[] = [];

function jobs(): Jobs {
  const made = createJobs(database.serving, log);
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.stop()));
});

describe('jobs', () => {
  test('a job enqueued in a transaction runs after its commit, soon; a rolled-back one never', async () => {
    const seen: string[] = [];
    const queue = jobs();
    queue.register<{ who: string }>('greet', {}, async ({ data }) => void seen.push(data.who));
    await queue.start(true);
    const failing = database.transaction(20, async (tx) => {
      await queue.enqueue(tx, 'greet', { who: 'rolled back' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction(20, (tx) => queue.enqueue(tx, 'greet', { who: 'committed' }));
    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['committed']);
  });

  test('an api process enqueues, a worker process runs', async () => {
    const [api, worker] = [jobs(), jobs()];
    const seen: string[] = [];
    api.register<{ who: string }>('mail', {}, async () => void seen.push('api'));
    worker.register<{ who: string }>('mail', {}, async () => void seen.push('worker'));
    await api.start(false);
    await worker.start(true);
    await database.transaction(20, (tx) => api.enqueue(tx, 'mail', { who: 'a' }));
    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['worker']);
  });

  test('a failed run comes again', async () => {
    const queue = jobs();
    let tries = 0;
    queue.register('flaky', {}, async () => {
      tries += 1;
      if (tries === 1) throw new Error('first time');
    });
    await queue.start(true);
    await database.transaction(20, (tx) => queue.enqueue(tx, 'flaky', {}));
    await expect.poll(() => tries, { timeout: 15_000 }).toBe(2);
  });

  test('two processes together run a timed job once in each span', async () => {
    let runs = 0;
    const startedAt = Date.now();
    const both = [jobs(), jobs()];
    for (const queue of both) {
      queue.register('tick', { everySeconds: 1 }, async () => void (runs += 1));
      await queue.start(true);
    }
    await expect.poll(() => runs, { timeout: 15_000 }).toBeGreaterThanOrEqual(5);
    // Spans are whole seconds: n seconds touch at most n + 1 of them.
    expect(runs).toBeLessThanOrEqual(Math.ceil((Date.now() - startedAt) / 1_000) + 1);
  });

  test('waiting twins with a key count once', async () => {
    const queue = jobs();
    const seen: unknown[] = [];
    queue.register('sweep', {}, async ({ data }) => void seen.push(data));
    await queue.start(true);
    await database.transaction(20, async (tx) => {
      for (let n = 0; n < 5; n += 1)
        await queue.enqueue(tx, 'sweep', { n }, { singletonKey: 'org-20', startAfterS: 1 });
    });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(seen).toHaveLength(1);
  });

  test('a worker that is gone is noticed in under a minute', async () => {
    const queue = jobs();
    queue.register('slow', { cron: '5 0 * * *' }, async () => {});
    await queue.start(true);
    const [settings] = await database.asOwner<{ heartbeat: number }>(
      `select heartbeat_seconds as heartbeat from jobs.queue where name = 'slow'`,
    );
    expect(settings?.heartbeat).toBeLessThanOrEqual(30);
    expect(await database.asOwner(`select cron, timezone from jobs.schedule where name = 'slow'`)).toEqual([
      { cron: '5 0 * * *', timezone: 'Asia/Kolkata' },
    ]);
  });

  test('run as kist_app, not as the owner', async () => {
    const queue = jobs();
    await queue.start(true);
    const roles = await database.asOwner<{ role: string }>(
      `select current_setting('is_superuser') as mine, usename as role from pg_stat_activity where application_name = 'kist_jobs' and datname = current_database()`,
    );
    expect(roles.length).toBeGreaterThan(0);
    await expect(database.appPool.query('drop table jobs.job')).rejects.toThrow(/must be owner/);
  });
});
