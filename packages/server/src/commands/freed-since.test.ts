import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { freedSince } from './batch-store.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const SINCE = new Date(Date.now() - 3_600_000);
const MANY = 4000;

/** Rows of orders that this transaction has read so far. */
const readBy = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ n: number }>(
      `select coalesce(seq_tup_read + idx_tup_fetch, 0)::int as n from pg_stat_xact_user_tables where relname = 'commands'`,
    )
  ).rows[0]!.n;

/** As many orders to other phones, as the parts of an order to many that came before this one leave. */
const order = (deviceId: string, count: number, type: 'lock' | 'unlock') =>
  world.db.asOwner(
    `insert into commands (org_id, command_id, device_id, seq, type, is_state, revision, reason, state, created_at, expires_at)
     select $1, gen_random_uuid(), $2, n + (select coalesce(max(seq), 0) from commands where device_id = $2), $4, true, 1, 'EMI_OVERDUE', 'QUEUED', kist_now(), kist_now() + interval '1 day'
     from generate_series(1, $3::integer) n`,
    [ORG, deviceId, count, type],
  );

test('who was freed since is found by phone, though the plan was made while there were hardly any orders', async () => {
  const [asked, freed, other] = [await world.enrolledPhone(), await world.enrolledPhone(), await world.enrolledPhone()];
  await order(freed.deviceId, 1, 'unlock');
  await world.db.asOwner('analyze commands');
  await world.db.transaction(ORG, async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan');
    const find = () => freedSince.all(tx, { device_ids: [asked.deviceId, freed.deviceId], since: SINCE });
    await find();
    await order(other.deviceId, MANY, 'lock');
    const before = await readBy(tx);
    expect(await find()).toEqual([{ device_id: freed.deviceId }]);
    expect((await readBy(tx)) - before).toBeLessThan(100);
  });
});
