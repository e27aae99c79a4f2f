import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as commands from '#server/commands/commands.ts';
import { ORG, createLockWorld } from '#test/lock-world.ts';

const PHONES = 60;
const SIZE = 2;
const KILLS = 6;
/** What one process has for it at most before it is killed: less than all parts take. */
const KILLED_WITHIN_MS = 250;
const program = path.join(import.meta.dirname, '../../test/day-program.ts');

test('a lock of many whose process is killed again and again locks every phone, each once', async () => {
  const world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  const customerIds: string[] = [];
  for (let n = 0; n < PHONES; n += 1) customerIds.push((await world.sell()).customerId);
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T08:00:00');
  const batchId = await world.inOrg((tx) =>
    commands.askBatch(tx, world.shop, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: PHONES,
      customerIds,
      size: SIZE,
      room: null,
    }),
  );
  const carryOut = async (killedAfterMs?: number): Promise<void> => {
    const given = { connection: world.db.serving, orgId: ORG, work: 'batches' };
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    await once(child.stdout, 'data');
    if (killedAfterMs !== undefined) {
      await Promise.race([sleep(killedAfterMs), ended]);
      child.kill('SIGKILL');
    }
    const [code] = await ended;
    if (killedAfterMs === undefined) expect(code).toBe(0);
  };
  const done: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await carryOut(Math.random() * KILLED_WITHIN_MS);
    const [{ n } = { n: 0 }] = await world.db.asOwner<{ n: number }>(
      'select count(*)::int as n from batch_parts where batch_id = $1 and done_at is not null',
      [batchId],
    );
    done.push(n);
  }
  await carryOut();
  expect(done[0]).toBeLessThan(PHONES / SIZE);
  expect(
    await world.db.asOwner('select state, total, allowed, refused from batches where batch_id = $1', [batchId]),
  ).toEqual([{ state: 'done', total: PHONES, allowed: PHONES, refused: 0 }]);
  const locked = await world.db.asOwner<{ level: number; n: number }>(
    `select w.lock_level as level, count(c.*)::int as n from device_desired w left join commands c on c.device_id = w.device_id and c.batch_id = $1
     group by w.device_id, w.lock_level`,
    [batchId],
  );
  expect(locked).toEqual(Array.from({ length: PHONES }, () => ({ level: 3, n: 1 })));
  expect(await world.violations()).toEqual([]);
  await world.close();
}, 240_000);
