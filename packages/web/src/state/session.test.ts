// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { SessionGrant } from '@kist/contract/auth';
import { deviceId, endSession, hasSession, keepSession, loseSession, onSessionEnd } from './session.ts';

const grant: SessionGrant = {
  token: 'T',
  account_id: 'a',
  user_id: 'u',
  user_type: 'retailer',
  org_id: 20,
  first_name: 'Sunita',
  shop_name: 'Sunita Mobile',
  mpin_set: true,
};

describe('a session', () => {
  it("is kept under the specification's keys; of the M-PIN only that one is set", () => {
    keepSession(grant, '+919000000001');
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
      token: 'T',
      account_id: 'a',
      user_id: 'u',
      phone: '+919000000001',
      mpin: '1',
      type: 'mpin',
    });
  });
  it('ended by hand leaves the verified device and its number for the next sign-in', () => {
    const id = deviceId();
    keepSession(grant, '+919000000001');
    const ends: string[] = [];
    const stop = onSessionEnd((why) => ends.push(why));
    endSession();
    stop();
    expect(hasSession()).toBe(false);
    expect(deviceId()).toBe(id);
    expect(localStorage.getItem('phone')).toBe('+919000000001');
    expect(ends).toEqual(['logout']);
  });
  it('lost to a 511 leaves nothing', () => {
    keepSession(grant, '+919000000001');
    loseSession('T');
    expect(localStorage).toHaveLength(0);
  });
});
