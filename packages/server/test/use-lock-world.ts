import { beforeAll } from 'vitest';
import { type LockWorld, createLockWorld } from './lock-world.ts';

/** The world of locks of a test file. Call it at the top of the file: it is there when its tests run, and closed after them. */
export function useLockWorld(): LockWorld {
  const world = {} as LockWorld;
  beforeAll(async () => {
    Object.assign(world, await createLockWorld());
    return world.close;
  });
  return world;
}
