import { askOverride, lateSale } from './asked-of-two.ts';
import type { LockWorld, Sale } from './lock-world.ts';

/** A phone that two people's override holds, and nothing else does. */
export async function heldByOverrideAlone(world: LockWorld): Promise<Sale> {
  const sale = await lateSale(world);
  for (const by of [world.shop, world.second]) await askOverride(world, sale, by);
  // Past every door: what the ladder took before.
  await world.db.plant(['locks'], `delete from locks where device_id = $1 and cause <> 'override'`, [sale.deviceId]);
  return sale;
}

/** Which causes hold the phone of a sale. */
export const causesOf = async (world: LockWorld, { deviceId }: Sale): Promise<string[]> =>
  (
    await world.db.asOwner<{ cause: string }>('select cause from locks where device_id = $1 and level > 0', [deviceId])
  ).map(({ cause }) => cause);
