import { beforeAll, expect, test } from 'vitest';
import { newToken } from '#server/platform/ids.ts';
import { type TestApp, createShopApp, createUser, lastOtp, mobileHash } from '#test/http.ts';
import { authRoutes } from './auth.ts';

let http: TestApp;
beforeAll(async () => {
  http = await createShopApp(authRoutes);
});

const MPIN = '8305';
/** What clients that are not ours call their device: nothing, an Android id, an IMEI, a name, a browser's. */
const GUESSABLE = [
  undefined,
  '',
  '9774d56d682e549c',
  '490154203237518',
  'Redmi 13C',
  'Mozilla/5.0 (Linux; Android 14; SM-A515F) AppleWebKit/537.36',
];

async function signIn(mobile: string, device_id: string | undefined): Promise<string> {
  expect((await http.call('loginWithOtp', { body: { mobile, device_id } })).data).toMatchObject({ step: 'otp' });
  const otp = await lastOtp(http.db, 20, mobile);
  const { data } = await http.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN', device_id } });
  if (data.purpose !== 'LOGIN') throw new Error('no session');
  return data.token;
}
const later = (mobile: string) =>
  http.db.asOwner(`update otps set created_at = created_at - interval '1 minute' where mobile_hash = $1`, [
    mobileHash(mobile),
  ]);
const trusted = (userId: string) => http.db.asOwner('select from trusted_devices where user_id = $1', [userId]);
const askersOf = async (mobile: string) =>
  (
    await http.db.asOwner<{ lane: string; asker: Buffer }>(
      'select lane, asker from otps where mobile_hash = $1 order by created_at',
      [mobileHash(mobile)],
    )
  ).map(({ lane, asker }) => `${lane} ${asker.toString('hex')}`);

test.each(GUESSABLE)(
  'a device called %j signs in by code, is never trusted, never asked for an M-PIN and has no budget of its own',
  async (device_id) => {
    const { mobile, userId } = await createUser(http.db);
    const token = await signIn(mobile, device_id);
    expect((await http.call('setMpin', { token, body: { mpin: MPIN, device_id } })).status).toBe(200);
    expect(await trusted(userId)).toHaveLength(0);
    await later(mobile);
    for (const mpin of [MPIN, '9999']) {
      expect((await http.call('loginWithOtp', { body: { mobile, mpin, device_id } })).data).toMatchObject({
        step: 'otp',
      });
      await later(mobile);
    }
    const reset = await http.call('setMpin', { token, body: { mpin: '7294', current_mpin: MPIN, device_id } });
    expect([reset.status, await trusted(userId)]).toEqual([200, []]);
    // Signed in from this network before: the network's budget, the same as of a client that names nothing.
    await http.call('loginWithOtp', { body: { mobile, device_id: 'another name' } });
    const asked = await askersOf(mobile);
    expect(asked.slice(1).every((asker) => asker === asked[1] && asker.startsWith('address '))).toBe(true);
  },
);

test('a code is known by another guessable name of the same network: the name says nothing', async () => {
  const { mobile } = await createUser(http.db);
  await http.call('loginWithOtp', { body: { mobile, device_id: '9774d56d682e549c' } });
  const otp = await lastOtp(http.db, 20, mobile);
  expect((await http.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN' } })).status).toBe(200);
});

test('a device with a secret id is trusted as before, up to 120 characters', async () => {
  const { mobile, userId } = await createUser(http.db);
  const device_id = `${newToken()}${newToken()}-${'x'.repeat(33)}`;
  const token = await signIn(mobile, device_id);
  await http.call('setMpin', { token, body: { mpin: MPIN, device_id } });
  expect(await trusted(userId)).toHaveLength(1);
  expect((await http.call('loginWithOtp', { body: { mobile, mpin: MPIN, device_id } })).data).toMatchObject({
    step: 'session',
  });
});

test('what cannot be shown, or is longer, is refused', async () => {
  const { mobile } = await createUser(http.db);
  for (const device_id of ['a\nb', 'a\u202eb', 'x'.repeat(121)])
    expect(await http.call('loginWithOtp', { body: { mobile, device_id } })).toMatchObject({
      status: 400,
      errors: [{ path: 'device_id', code: 'field.device_id' }],
    });
});

test('a code is sent again without a purpose: for signing in', async () => {
  const { mobile } = await createUser(http.db);
  expect((await http.call('resendOtp', { body: { mobile } })).status).toBe(200);
  const otp = await lastOtp(http.db, 20, mobile);
  expect((await http.call('verifyOtpAuth', { body: { mobile, otp, purpose: 'LOGIN' } })).status).toBe(200);
});
