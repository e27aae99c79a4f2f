import { beforeAll, beforeEach } from 'vitest';
import { createTestDatabase } from './database.ts';
import { type DeviceWorld, closeDeviceWorld, createDeviceWorld } from './device-world.ts';

/**
 * A world of phones whose own dispatcher stands still: a test drives one of its own, and what another test left in the queue does not wait in it.
 * Call it at the top of a file: it is there when its tests run, and closed after them.
 */
export function useDispatchWorld(): DeviceWorld {
  const world = {} as DeviceWorld;
  beforeAll(async () => {
    Object.assign(world, await createDeviceWorld(await createTestDatabase()));
    await world.dispatcher.stop();
    return () => closeDeviceWorld(world);
  });
  beforeEach(() => world.db.asOwner('update deliveries set next_at = null, asked_at = null'));
  return world;
}
