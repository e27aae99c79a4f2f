import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { NO_PHONE, createWaker } from './wake.ts';

const db = await createTestDatabase();
const errors: unknown[] = [];
/** Two processes of one installation. */
const here = createWaker(db, (error) => errors.push(error));
const there = createWaker(db, (error) => errors.push(error));
afterAll(async () => {
  await here.close();
  await there.close();
});

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200 && !(await isSo()); tries += 1) await new Promise((wait) => setTimeout(wait, 25));
  expect(await isSo()).toBe(true);
};
const listeners = async (): Promise<number[]> => {
  const rows = await db.asOwner<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query = 'listen kist_devices'`,
  );
  return rows.map((row) => row.pid);
};
const listening = async () => (await listeners()).length === 2;

test('whoever carries is told that something waits, after the commit and not before: in this process, or else in the others', async () => {
  await until(listening);
  const deviceId = crypto.randomUUID();
  const heard: string[] = [];
  const off = there.on('queued', NO_PHONE, () => heard.push('there'));
  await db.transaction(20, async (tx) => {
    here.wake(tx, [deviceId]);
    await new Promise((wait) => setTimeout(wait, 50));
    expect(heard).toEqual([]);
  });
  await until(() => heard.length === 1);
  const offHere = here.on('queued', NO_PHONE, () => heard.push('here'));
  await db.transaction(20, async (tx) => here.wake(tx, [deviceId]));
  expect(heard).toEqual(['there', 'here']);
  await expect(
    db.transaction(20, async (tx) => {
      here.wake(tx, [deviceId]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await new Promise((wait) => setTimeout(wait, 50));
  expect(heard).toEqual(['there', 'here']);
  off();
  offHere();
});

test('a phone that waits in another process is woken too', async () => {
  const deviceId = crypto.randomUUID();
  const heard: string[] = [];
  there.on('wake', deviceId, () => heard.push('there'));
  here.on('wake', deviceId, () => heard.push('here'));
  here.signal('wake', [deviceId]);
  await until(() => heard.length === 2);
  expect(heard).toEqual(['here', 'there']);
});

test('a thousand phones are called in a few notices, each of them', async () => {
  const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
  const heard = new Set<string>();
  for (const id of ids) there.on('changed', id, () => heard.add(id));
  here.signal('changed', ids);
  await until(() => heard.size === ids.length);
  expect(ids.every((id) => heard.has(id))).toBe(true);
});

test('when its connection breaks it listens again', async () => {
  const before = await listeners();
  await db.asOwner('select pg_terminate_backend(pid) from unnest($1::integer[]) pid', [before]);
  await until(async () => {
    const now = await listeners();
    return now.length === 2 && now.every((pid) => !before.includes(pid));
  });
  const deviceId = crypto.randomUUID();
  let count = 0;
  there.on('wake', deviceId, () => (count += 1));
  here.signal('wake', [deviceId]);
  await until(() => count === 1);
  expect(count).toBe(1);
});
