import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { checkInvariants } from './invariants.ts';

let world: LockWorld;
/** What one phone was on file as before it went away, and as what it came back. */
let before: Sale;
let after: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-11T12:00:00');
});
afterAll(() => world.close());
beforeEach(async () => {
  [before, after] = [await world.sell(), await world.sell()];
});

const change = (text: string, values: readonly unknown[]) => world.db.plant(['devices'], text, [...values]);
/** Both say for longer than two polls that they are otherwise. */
async function lie(...sales: readonly Sale[]): Promise<{ claims: number; violations: number }> {
  const ids = sales.map(({ deviceId }) => deviceId);
  const says =
    'update device_reports set unfit_polls = $2, last_seen_at = kist_now() where device_id = any($1::uuid[])';
  await world.db.asOwner(says, [ids, 9]);
  const results = await checkInvariants(world.db, ORG);
  await world.db.asOwner(says, [ids, 0]);
  const { claims, violations } = results.find(({ invariant }) => invariant === 'I11')!;
  return { claims: claims.length, violations: violations.length };
}

describe('one phone by two lies', () => {
  it('exchanged away and back speaks once: what was let go is not heard', async () => {
    await change(
      `update devices set released_at = kist_now(), imei1 = (select imei1 from devices where device_id = $2) where device_id = $1`,
      [before.deviceId, after.deviceId],
    );
    expect(await lie(before, after)).toEqual({ claims: 1, violations: 0 });
  });

  it('is the same under the other of its numbers', async () => {
    const other = 'update devices set imei2 = (select imei1 from devices where device_id = $2) where device_id = $1';
    await change(other, [before.deviceId, after.deviceId]);
    expect(await lie(before, after)).toEqual({ claims: 2, violations: 0 });
  });

  it('two phones that say the same are believed', async () => {
    expect(await lie(before, after)).toEqual({ claims: 0, violations: 2 });
  });
});
