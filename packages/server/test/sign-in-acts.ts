import { expect } from 'vitest';
import { newToken } from '#server/platform/ids.ts';
import { createUser, lastOtp, type TestApp, type TestUser } from './http.ts';

/** An M-PIN that nobody guesses first. */
export const mpin = '8305';
export const wrongOtp = (otp: string): string => (otp === '000000' ? '000001' : '000000');

/** How a test's people come in. */
export function signInActs(app: () => TestApp) {
  const newDevice = () => newToken();
  async function signIn(user: TestUser, deviceId?: string) {
    await app().call('loginWithOtp', { body: { mobile: user.mobile, device_id: deviceId } });
    const otp = await lastOtp(app().db, user.orgId, user.mobile);
    const { data } = await app().call('verifyOtpAuth', {
      body: { mobile: user.mobile, otp, purpose: 'LOGIN', device_id: deviceId },
    });
    if (data.purpose !== 'LOGIN') throw new Error('no session');
    return data;
  }
  /** A user with an M-PIN on a device it trusts. */
  async function withMpin(options: Parameters<typeof createUser>[1] = {}) {
    const user = await createUser(app().db, options);
    const deviceId = newDevice();
    const { token } = await signIn(user, deviceId);
    expect((await app().call('setMpin', { token, body: { mpin, device_id: deviceId } })).status).toBe(200);
    return { user, deviceId, token };
  }
  return { newDevice, signIn, withMpin };
}
