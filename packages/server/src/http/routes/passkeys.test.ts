import { beforeAll, describe, expect, test } from 'vitest';
import * as identity from '#server/identity/identity.ts';
import { newToken } from '#server/platform/ids.ts';
import { type Authenticator, type Signing, createAuthenticator } from '#test/authenticator.ts';
import { createOrganisation, createShopApp, createUser, lastOtp, type TestApp, type TestUser } from '#test/http.ts';
import { authRoutes } from './auth.ts';
import { passkeyRoutes } from './passkeys.ts';
import { sessionRoutes } from './sessions.ts';

const ORIGIN = 'http://localhost:3210';
const page = (origin = ORIGIN) => ({ origin });
const mpin = '8305';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(authRoutes, passkeyRoutes, sessionRoutes);
});
const sql = (text: string, values: unknown[]) => it.db.asOwner(text, values);
const audited = async (userId: string) =>
  (
    await sql("select action from audit_lines where subject_kind = 'user' and subject_id = $1 order by seq", [userId])
  ).map((row) => row['action']);

interface Owner {
  user: TestUser;
  deviceId: string;
  token: string;
  mobile: string;
}
/** Signed in by a code on a new device, with an M-PIN there. */
async function owner(user?: TestUser): Promise<Owner> {
  const known = user ?? (await createUser(it.db));
  const { mobile, orgId } = known;
  const deviceId = newToken();
  await sql(`update otps set created_at = created_at - interval '31 seconds'`, []);
  await it.call('loginWithOtp', { body: { mobile, device_id: deviceId } });
  const otp = await lastOtp(it.db, orgId, mobile);
  const { data } = await it.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN', device_id: deviceId } });
  if (data.purpose !== 'LOGIN') throw new Error('no session');
  if (!user) await it.call('setMpin', { token: data.token, body: { mpin, device_id: deviceId } });
  return { user: known, deviceId, token: data.token, mobile };
}
const offer = ({ token, deviceId }: Owner, origin?: string) =>
  it.call('offerPasskey', { token, headers: page(origin), body: { device_id: deviceId } });
async function add(of: Owner, device: Authenticator, signing: Partial<Signing> = {}) {
  const { challenge } = (await offer(of)).data;
  const made = device.make({ challenge, origin: ORIGIN, ...signing });
  return it.call('addPasskey', { token: of.token, headers: page(), body: { device_id: of.deviceId, ...made } });
}
async function withPasskey() {
  const of = await owner();
  const device = createAuthenticator();
  expect((await add(of, device)).status).toBe(200);
  return { of, device };
}
const ask = ({ mobile, deviceId }: Pick<Owner, 'mobile' | 'deviceId'>, origin?: string) =>
  it.call('askPasskey', { headers: page(origin), body: { mobile, device_id: deviceId } });
const enter = ({ mobile, deviceId }: Owner, signed: ReturnType<Authenticator['get']>) =>
  it.call('enterByPasskey', { headers: page(), body: { mobile, device_id: deviceId, ...signed } });
const signIn = async (of: Owner, device: Authenticator, signing: Partial<Signing> = {}) => {
  const { challenge } = (await ask(of)).data;
  return enter(of, device.get({ challenge, origin: ORIGIN, ...signing }));
};
const isRefused = ({ status, code }: { status: number; code?: string | undefined }) =>
  expect([status, code]).toEqual([400, 'PASSKEY_REFUSED']);

describe('a device that was verified by a code', () => {
  test('is given a key of its own, and opens a session with it; both are in the audit', async () => {
    const { of, device } = await withPasskey();
    const asked = await ask(of);
    expect(asked.data).toMatchObject({ rp_id: 'localhost', credentials: [device.credential] });
    const entered = await enter(of, device.get({ challenge: asked.data.challenge, origin: ORIGIN }));
    expect(entered.data.session).toMatchObject({ user_id: of.user.userId, mpin_set: true });
    expect((await it.call('mySessions', { token: entered.data.session.token })).status).toBe(200);
    expect(await audited(of.user.userId)).toEqual(expect.arrayContaining(['passkey_added', 'signed_in']));
  });

  test('lists it and takes it away again; then it opens nothing', async () => {
    const { of, device } = await withPasskey();
    const { data } = await it.call('myPasskeys', { token: of.token });
    expect(data).toHaveLength(1);
    const body = { passkey_id: data[0]!.passkey_id };
    const stranger = await owner();
    expect((await it.call('removePasskey', { token: stranger.token, body })).code).toBe('NOT_FOUND');
    const { challenge } = (await ask(of)).data;
    expect((await it.call('removePasskey', { token: of.token, body })).status).toBe(200);
    isRefused(await enter(of, device.get({ challenge, origin: ORIGIN })));
    expect((await ask(of)).data.credentials).toEqual([]);
    expect(await audited(of.user.userId)).toContain('passkey_removed');
  });

  test('has the newest of its keys only', async () => {
    const { of, device } = await withPasskey();
    const second = createAuthenticator();
    expect((await add(of, second)).status).toBe(200);
    isRefused(await signIn(of, device));
    expect((await signIn(of, second)).status).toBe(200);
  });
});

describe('what does not open anything', () => {
  test('a device that no M-PIN was used on', async () => {
    const of = await owner();
    const elsewhere = { ...of, deviceId: newToken() };
    expect((await offer(elsewhere)).code).toBe('STATE_CONFLICT');
    expect((await ask(elsewhere)).data.credentials).toEqual([]);
  });

  test('a device that was trusted by a code, where no M-PIN is set or it is none any more', async () => {
    const of = await owner(await createUser(it.db));
    expect((await offer(of)).code).toBe('STATE_CONFLICT');
    await it.call('setMpin', { token: of.token, body: { mpin, device_id: of.deviceId } });
    const device = createAuthenticator();
    expect((await add(of, device)).status).toBe(200);
    await sql('update users set mpin_hash = null where user_id = $1', [of.user.userId]);
    expect((await ask(of)).data.credentials).toEqual([]);
    isRefused(await signIn(of, device));
  });

  test('another origin: asked from there, signed there, or under its name', async () => {
    const { of, device } = await withPasskey();
    const evil = 'https://kist.example.evil';
    isRefused(await ask(of, evil));
    isRefused(await offer(of, evil));
    isRefused(await it.call('askPasskey', { body: { mobile: of.mobile, device_id: of.deviceId } }));
    isRefused(await signIn(of, device, { origin: evil }));
    isRefused(await signIn(of, device, { rpId: 'kist.example.evil' }));
    isRefused(await signIn(of, device, { origin: 'http://localhost:9999' }));
    isRefused(await add(of, createAuthenticator(), { origin: evil }));
    expect((await signIn(of, device)).status).toBe(200);
  });

  test('an answer a second time, to an older question, or too late', async () => {
    const { of, device } = await withPasskey();
    const { challenge } = (await ask(of)).data;
    const signed = device.get({ challenge, origin: ORIGIN });
    const both = await Promise.all([enter(of, signed), enter(of, signed), enter(of, signed)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    isRefused(await enter(of, signed));
    const older = (await ask(of)).data.challenge;
    await ask(of);
    isRefused(await enter(of, device.get({ challenge: older, origin: ORIGIN })));
    const late = (await ask(of)).data.challenge;
    await sql(`update passkey_challenges set expires_at = now() - interval '1 second'`, []);
    isRefused(await enter(of, device.get({ challenge: late, origin: ORIGIN })));
    // A question to make a key is none to come in by.
    const offered = (await offer(of)).data.challenge;
    isRefused(await enter(of, device.get({ challenge: offered, origin: ORIGIN })));
    isRefused(await enter(of, device.get({ challenge: newToken(), origin: ORIGIN })));
  });

  test("another user's key, on another user's device or under their mobile", async () => {
    const mine = await withPasskey();
    const theirs = await withPasskey();
    const { challenge } = (await ask(mine.of)).data;
    isRefused(await enter(mine.of, theirs.device.get({ challenge, origin: ORIGIN })));
    const again = (await ask(mine.of)).data.challenge;
    isRefused(
      await enter({ ...theirs.of, deviceId: mine.of.deviceId }, mine.device.get({ challenge: again, origin: ORIGIN })),
    );
    // Whoever holds the key's id cannot take it over.
    isRefused(await add(theirs.of, mine.device));
    expect((await signIn(mine.of, mine.device)).status).toBe(200);
  });

  test("another organisation's device", async () => {
    const { of, device } = await withPasskey();
    await createOrganisation(it.db, { orgId: 77 });
    const headers = { ...page(), 'x-org': 'org-77' };
    const body = { mobile: of.mobile, device_id: of.deviceId };
    const { data } = await it.call('askPasskey', { headers, body });
    expect(data.credentials).toEqual([]);
    const signed = device.get({ challenge: data.challenge, origin: ORIGIN });
    isRefused(await it.call('enterByPasskey', { headers, body: { ...body, ...signed } }));
  });

  test('a finger that was not looked at, a touch only, another kind of answer, a frame in another page', async () => {
    expect.hasAssertions();
    const { of, device } = await withPasskey();
    isRefused(await signIn(of, device, { flags: 1 }));
    isRefused(await signIn(of, device, { flags: 4 }));
    isRefused(await signIn(of, device, { type: 'webauthn.create' }));
    isRefused(await signIn(of, device, { crossOrigin: true }));
    isRefused(await add(of, createAuthenticator(), { flags: 0x41 }));
  });

  test('a signature that is not over these data, and bytes that are no answer', async () => {
    expect.hasAssertions();
    const { of, device } = await withPasskey();
    const { challenge } = (await ask(of)).data;
    const signed = device.get({ challenge, origin: ORIGIN });
    isRefused(
      await enter(of, {
        ...signed,
        authenticator_data: device.get({ challenge, origin: ORIGIN, count: 9 }).authenticator_data,
      }),
    );
    for (const broken of [{ client_data: 'AAAA' }, { authenticator_data: 'AAAA' }, { signature: 'AAAA' }]) {
      const fresh = device.get({ challenge: (await ask(of)).data.challenge, origin: ORIGIN });
      isRefused(await enter(of, { ...fresh, ...broken }));
    }
  });

  test('a copy: what it counts goes back, and then the key is gone', async () => {
    const { of, device } = await withPasskey();
    expect((await signIn(of, device, { count: 5 })).status).toBe(200);
    expect((await signIn(of, device, { count: 6 })).status).toBe(200);
    isRefused(await signIn(of, device, { count: 6 }));
    expect(await audited(of.user.userId)).toContain('passkey_copied');
    isRefused(await signIn(of, device, { count: 7 }));
    expect((await ask(of)).data.credentials).toEqual([]);
  });
});

describe('it ends', () => {
  test('with a new M-PIN after a forgotten one, on every device and this one too', async () => {
    const { of, device } = await withPasskey();
    const { mobile, deviceId } = of;
    await sql(`update otps set created_at = created_at - interval '31 seconds'`, []);
    await it.call('forgotPassword', { body: { mobile, device_id: deviceId } });
    const otp = await lastOtp(it.db, of.user.orgId, mobile);
    const proof = await it.call('verifyOtpAuth', {
      body: { mobile, otp, purpose: 'FORGOT_PASSWORD', device_id: deviceId },
    });
    if (proof.data.purpose !== 'FORGOT_PASSWORD') throw new Error('no proof');
    const body = { reset_token: proof.data.reset_token, mpin: '9164', device_id: deviceId };
    expect((await it.call('resetPassword', { body })).status).toBe(200);
    expect((await ask(of)).data.credentials).toEqual([]);
    isRefused(await signIn(of, device));
  });

  test('with the trust of its device: a changed M-PIN takes it from all others', async () => {
    const { of, device } = await withPasskey();
    const other = await owner(of.user);
    const body = { mpin: '9164', current_mpin: mpin, device_id: other.deviceId };
    expect((await it.call('setMpin', { token: other.token, body })).status).toBe(200);
    isRefused(await signIn(of, device));
  });

  test('with its user: suspended, nobody comes in', async () => {
    expect.hasAssertions();
    const { of, device } = await withPasskey();
    await sql('update users set is_active = false where user_id = $1', [of.user.userId]);
    isRefused(await signIn(of, device));
  });

  test('with its user: suspended and let in again, who holds the phone is asked for an OTP', async () => {
    const { of, device } = await withPasskey();
    const { mobile, deviceId, user } = of;
    const actor = identity.SYSTEM(user.orgId);
    await it.db.transaction(user.orgId, (tx) =>
      identity.suspendPerson(tx, actor, { user_id: user.userId, reason: 'the phone was stolen' }),
    );
    await it.db.transaction(user.orgId, (tx) => identity.activatePerson(tx, actor, { user_id: user.userId }));
    expect((await ask(of)).data.credentials).toEqual([]);
    isRefused(await signIn(of, device));
    await sql(`update otps set created_at = created_at - interval '31 seconds'`, []);
    const asked = await it.call('loginWithOtp', { body: { mobile, mpin, device_id: deviceId } });
    expect(asked.data).toMatchObject({ step: 'otp' });
    const otp = await lastOtp(it.db, user.orgId, mobile);
    await it.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN', device_id: deviceId } });
    // The M-PIN is the one of before, and the device has its trust by the OTP.
    const again = await it.call('loginWithOtp', { body: { mobile, mpin, device_id: deviceId } });
    expect(again.data).toMatchObject({ step: 'session', session: { user_id: user.userId, mpin_set: true } });
  });

  test('nobody tells whether a mobile is anybody’s, and asking is limited', async () => {
    const body = { mobile: '+919812300000', device_id: newToken() };
    const reply = await it.call('askPasskey', { headers: page(), body });
    expect(reply.data).toEqual({ challenge: expect.any(String) as string, rp_id: 'localhost', credentials: [] });
    const codes = new Set<string | undefined>();
    for (let i = 0; i < 31; i += 1) codes.add((await it.call('askPasskey', { headers: page(), body })).code);
    expect(codes).toContain('RATE_LIMITED');
  });
});
