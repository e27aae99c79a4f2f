import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const refused = { status: 400, body: { code: 'AGENT_SIGNATURE_INVALID' } };

/** Whoever sees a code could else set a phone up with a key that is not its own: it would be locked and freed by what another phone says. */
it('a phone is set up only by whoever has the key that it names, and the code stays good for them', async () => {
  const { deviceId, imei } = await world.register();
  const token = await world.token(deviceId);
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const public_key_spki = another.export({ format: 'der', type: 'spki' }).toString('base64url');
  const phone = world.phone(imei);
  expect(await phone.enrol(token, { public_key_spki })).toMatchObject(refused);
  // Signed well, and sent with another key in its place.
  const named = { imei: [imei], serial: 'SER1', brand: 'Acme', model: 'One', agent: 'DPC', agent_version: '1.0.0' };
  const sentBody = JSON.stringify({
    proto: 1,
    token,
    public_key_spki,
    attestation: [],
    boot_count: 1,
    elapsed_ms: 1000,
    ...named,
  });
  expect(await phone.enrol(token, {}, { sentBody })).toMatchObject(refused);
  expect(await phone.enrol(token, {}, { keyid: 'another' })).toMatchObject(refused);
  const [kept] = await world.db.asOwner<{ n: number }>(
    'select count(*)::int as n from enrolments where device_id = $1',
    [deviceId],
  );
  expect(kept).toEqual({ n: 0 });
  expect((await phone.enrol(token)).status).toBe(200);
});
