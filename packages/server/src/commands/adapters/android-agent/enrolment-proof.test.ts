import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { enrolRequestSchema } from '@kist/contract/agent';
import { OWN_AGENT } from '@kist/contract/capabilities';
import { createTestDatabase } from '#test/database.ts';
import { MAKER } from '#test/phone-maker.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';

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

it('a phone whose key was vouched for when it was made for this very code has the grade for it, one with what was said for another code has not', async () => {
  const gradeWith = async (made: (token: string) => string) => {
    const { deviceId, imei } = await world.register();
    const token = await world.token(deviceId);
    const phone = world.phone(imei);
    const key = createPublicKey({ key: Buffer.from(phone.publicKey, 'base64url'), format: 'der', type: 'spki' });
    const attestation = MAKER.chain(key, MAKER.good(made(token)));
    expect((await phone.enrol(token, { attestation })).status).toBe(200);
    const [row] = await world.db.asOwner<{ grade: string }>('select grade from enrolments where device_id = $1', [
      deviceId,
    ]);
    return row?.grade;
  };
  expect(await gradeWith((token) => token)).toBe('hardware');
  expect(await gradeWith(() => 'of another phone')).toBe('software');
});

/** Certificates are anybody's to make up, and dear to prove. */
it('nobody’s certificates are looked at before the code is known to be good for this phone', async () => {
  const { deviceId, imei } = await world.register();
  const token = await world.token(deviceId);
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ask = (given: { token?: string; imei?: string }, grade: () => 'none') =>
    world.plane.enrolled({
      orgId: ORG,
      vendor: OWN_AGENT,
      spki: publicKey.export({ format: 'der', type: 'spki' }),
      grade,
      stale: undefined,
      body: enrolRequestSchema.parse({
        proto: 1,
        token: given.token ?? token,
        public_key_spki: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
        imei: [given.imei ?? imei],
        serial: 'SER1',
        brand: 'Acme',
        model: 'One',
        agent: 'DPC',
        agent_version: '1.0.0',
        boot_count: 1,
        elapsed_ms: 1000,
      }),
    });
  const looked = vi.fn<() => 'none'>(() => 'none');
  await expect(ask({ token: `${ORG.toString(36)}.${'A'.repeat(43)}` }, looked)).rejects.toThrow('AGENT_UNKNOWN');
  await expect(ask({ imei: '350000000000000' }, looked)).rejects.toThrow('ENROLMENT_PHONE_MISMATCH');
  expect(looked).not.toHaveBeenCalled();
  await ask({}, looked);
  expect(looked).toHaveBeenCalledTimes(1);
});

/** A transaction, a key that is read and a signature are dear; whether a code begins so is one look at an index. */
it('a code that was made up is refused before its key is read, and before any transaction', async () => {
  const { deviceId, imei } = await world.register();
  const token = await world.token(deviceId);
  const enrolled = vi.spyOn(world.plane, 'enrolled');
  const unknown = { status: 404, body: { code: 'AGENT_UNKNOWN' } };
  const public_key_spki = 'AAAA';
  const phone = world.phone(imei);
  for (const made of [`k.${'A'.repeat(43)}`, `${token.slice(0, -1)}!`, `0.${'A'.repeat(43)}`, 'k.'.padEnd(30, 'A')])
    expect(await phone.enrol(made, { public_key_spki })).toMatchObject(unknown);
  // Who has the beginning of a code is asked for the key, and for the rest of the code.
  const begun = `${token.slice(0, 16)}${'A'.repeat(token.length - 16)}`;
  expect(await phone.enrol(begun, { public_key_spki })).toMatchObject(refused);
  expect(enrolled).not.toHaveBeenCalled();
  expect(await phone.enrol(begun)).toMatchObject(unknown);
  expect((await phone.enrol(token)).status).toBe(200);
});
