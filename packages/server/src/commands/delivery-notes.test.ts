import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { guardActs } from '#test/spoken-cloud.ts';
import { noteCarried } from './delivery-store.ts';
import { reconcile } from './reconcile.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  await world.dispatcher.stop();
});
afterAll(() => closeDeviceWorld(world));
const { phone, level } = guardActs(() => world);

const rowOf = async (deviceId: string) =>
  (
    await world.db.asOwner(
      `select revision::integer, level, operation, asked_at is not null as "isAsked", next_at is not null as "isWaiting" from deliveries where device_id = $1`,
      [deviceId],
    )
  )[0];

test('an outcome that comes late, or says nothing of what was taken, takes back nothing of the newest that the vendor has', async () => {
  const { deviceId, enrolmentId: enrolment_id } = await phone();
  const [row] = await world.db.asOwner<{ no: number }>(
    `update deliveries set revision = 7, level = 0, operation = 'newest' where device_id = $1 returning change_no as no`,
    [deviceId],
  );
  const outcome = { enrolment_id, change_no: row!.no, again_ms: null, is_tried: true, is_put_aside: false, why: null };
  for (const late of [
    { revision: 6, level: 4, operation: 'older' },
    { revision: null, level: null, operation: null },
  ])
    await noteCarried.run(world.db.devicePool, { org_id: ORG, carried: [{ ...outcome, ...late }] });
  expect(await rowOf(deviceId)).toMatchObject({ revision: 7, level: 0, operation: 'newest' });
});

test('a vendor is asked again about what it never confirmed, and no more about what fits', async () => {
  const [fits, open] = [await phone(), await phone()];
  for (const { deviceId } of [fits, open]) await level(deviceId, 2);
  await world.db.asOwner(`update deliveries set next_at = null, asked_at = kist_now() - interval '6 minutes'`);
  await world.db.asOwner(
    `update device_reports r set revision = w.revision, unfit_polls = 0 from device_desired w where w.org_id = r.org_id and w.device_id = r.device_id and r.device_id = $1`,
    [fits.deviceId],
  );
  expect((await reconcile({ db: world.db, onReports: async () => undefined })).asked).toBeGreaterThan(0);
  expect(await rowOf(fits.deviceId)).toMatchObject({ isAsked: false, isWaiting: false });
  expect(await rowOf(open.deviceId)).toMatchObject({ isAsked: true, isWaiting: true });
});

test('what a vendor could not carry out puts off nothing newer that waits already', async () => {
  const channel = await phone();
  const inS = async () =>
    (
      await world.db.asOwner<{ s: number }>(
        `select extract(epoch from next_at - kist_now())::float8 as s from deliveries where device_id = $1`,
        [channel.deviceId],
      )
    )[0]!.s;
  const again = () => world.plane.again(channel, { afterMs: 60_000, why: 'BUSY' });
  await level(channel.deviceId, 0);
  await again();
  expect(await inS()).toBeLessThanOrEqual(0);
  await world.db.asOwner('update deliveries set next_at = null where device_id = $1', [channel.deviceId]);
  await again();
  expect(await inS()).toBeGreaterThan(50);
});
