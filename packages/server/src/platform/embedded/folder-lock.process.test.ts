import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { registerUser, unregisterUser, withFolderLock } from './folder-lock.ts';
import { isAlive, isRunning, mayBePostgres, ownIdentity } from './process-identity.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kist-lock-'));
const lock = path.join(folder, 'lock');
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that certainly ended: the identity of one with our number that started at another time. */
const dead = { ...ownIdentity(), startedTicks: '1' };

test('one at a time: 30 that want the lock at once never meet inside', async () => {
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 30 }, () =>
      withFolderLock(lock, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(2);
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a dead process is taken over, by one of many', async () => {
  for (let round = 0; round < 20; round += 1) {
    writeFileSync(lock, JSON.stringify(dead));
    let inside = 0;
    await Promise.all(
      Array.from({ length: 8 }, () =>
        withFolderLock(lock, async () => {
          inside += 1;
          expect(inside).toBe(1);
          await sleep(1);
          inside -= 1;
        }),
      ),
    );
  }
  expect(existsSync(lock)).toBe(false);
});

test('the lock of a living process is waited for', async () => {
  writeFileSync(lock, JSON.stringify(ownIdentity()));
  let isIn = false;
  const waiting = withFolderLock(lock, async () => {
    isIn = true;
  });
  await sleep(150);
  expect(isIn).toBe(false);
  rmSync(lock);
  await waiting;
  expect(isIn).toBe(true);
});

test('work that fails gives the lock back', async () => {
  await expect(withFolderLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(lock)).toBe(false);
});

test('the last living user is told that it is the last; the dead do not count', () => {
  const users = path.join(folder, 'users');
  const [first, second] = [registerUser(users), registerUser(users)];
  writeFileSync(path.join(users, 'dead'), JSON.stringify(dead));
  expect(unregisterUser(users, first)).toBe(true);
  expect(unregisterUser(users, second)).toBe(false);
  expect(readdirSync(users)).toEqual([]);
});

test('a process is told apart from a later one with its number', () => {
  expect(isAlive(ownIdentity())).toBe(true);
  expect(isAlive(dead)).toBe(false);
  expect(isRunning(2 ** 22 + 1)).toBe(false);
  expect(isRunning(Number.NaN)).toBe(false);
  expect(mayBePostgres(process.pid)).toBe(false);
  expect(readFileSync('/proc/self/stat', 'utf8')).toContain(ownIdentity().startedTicks);
});
