import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jcs } from '@kist/contract/jcs';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { digestOf } from '#test/phone.ts';
import { setDesired } from './desired.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const ofDesired = async (deviceId: string) => {
  const [row] = await world.db.asOwner<{ document: object; digest: Buffer | null }>(
    'select document, document_digest as digest from device_desired where device_id = $1',
    [deviceId],
  );
  return { ...row!, digest: row!.digest?.toString('base64url') };
};

const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    texts,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    tie('object'),
    tie('list'),
  ),
  object: fc.dictionary(
    fc.string({ maxLength: 12 }).filter((name) => !name.includes('\0')),
    tie('any'),
    { maxKeys: 6 },
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
})).object;

test('the database writes a document in the very characters of RFC 8785', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const [row] = await world.db.asOwner<{ text: string }>('select kist_jcs($1) as text', [JSON.stringify(value)]);
      expect(row!.text).toBe(jcs(value));
    }),
    { numRuns: 300 },
  );
});

test('a document that is written has its digest, by whatever way; a lease alone leaves it', async () => {
  const { deviceId } = await world.register();
  const first = await ofDesired(deviceId);
  expect(first.digest).toBe(digestOf(first.document));
  await world.db.transaction(ORG, (tx) =>
    setDesired(tx, deviceId, { toggles: { app_lock: true }, wallpaperText: 'दुकान' }),
  );
  const next = await ofDesired(deviceId);
  expect(next.digest).toBe(digestOf(next.document));
  expect(next.digest).not.toBe(first.digest);
  await world.db.asOwner(
    `update device_desired set document = jsonb_set(document, '{lock,level}', '3') where device_id = $1`,
    [deviceId],
  );
  const third = await ofDesired(deviceId);
  expect(third.digest).toBe(digestOf(third.document));
});

test('a document from before there were digests is held against its own, and no other', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await phone.checkin();
  await world.db.asOwner('update device_desired set document_digest = null where device_id = $1', [deviceId]);
  const unfit = async () =>
    (
      await world.db.asOwner<{ n: number }>('select unfit_polls as n from device_reports where device_id = $1', [
        deviceId,
      ])
    )[0]!.n;
  await phone.checkin();
  expect(await unfit()).toBe(0);
  phone.policy = { of: randomUUID() };
  await phone.checkin();
  expect(await unfit()).toBe(1);
});
