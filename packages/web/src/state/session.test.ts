// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionGrant } from '@kist/contract/auth';
import {
  deviceId,
  endSession,
  followOtherTabs,
  hasSession,
  keepSession,
  loseSession,
  onSessionEnd,
} from './session.ts';
import { stored } from './storage.ts';

const grant: SessionGrant = {
  token: 'T',
  account_id: 'a',
  user_id: 'u',
  user_type: 'retailer',
  org_id: 20,
  first_name: 'Sunita',
  shop_name: 'Sunita Mobile',
  mpin_set: true,
  seal_key: 'A'.repeat(43),
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
  it('lost to a 511 leaves nothing, but that it was lost and whose it was is told', () => {
    keepSession(grant, '+919000000001');
    const ends: unknown[] = [];
    const stop = onSessionEnd((...told) => ends.push(told));
    loseSession('T', 'expired');
    stop();
    expect(localStorage).toHaveLength(0);
    expect(ends).toEqual([['lost', 'expired', 'u']]);
  });
  it('ended by hand leaves nothing else: not even the number where no M-PIN asks for it', () => {
    localStorage.setItem('brand', '{}');
    localStorage.setItem('showAd', 'Meena Pawar');
    localStorage.setItem('left by an extension', 'Meena Pawar');
    deviceId();
    keepSession({ ...grant, mpin_set: false }, '+919000000001');
    endSession();
    expect(Object.keys(localStorage).toSorted()).toEqual(['brand', 'device_id', 'type']);
  });
});

describe('on a page over plain http, which has no WebCrypto', () => {
  afterEach(() => vi.unstubAllGlobals());
  it('who is signed in stays in memory, and the session works all the same', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const id = deviceId();
    keepSession(grant, '+919000000001');
    expect([hasSession(), stored('user_id'), stored('phone'), stored('mpin')]).toEqual([
      true,
      'u',
      '+919000000001',
      '1',
    ]);
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ device_id: id });
    endSession();
    expect([hasSession(), stored('user_id'), stored('phone')]).toEqual([false, '', '+919000000001']);
    keepSession(grant, '+919000000001');
    loseSession('T');
    expect([hasSession(), stored('phone')]).toEqual([false, '']);
  });
});

describe('in another tab', () => {
  const ends: string[] = [];
  const stop = onSessionEnd((why) => ends.push(why));
  followOtherTabs();
  const happens = (key: string | null, oldValue: string | null = null, newValue: string | null = null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }));
  it.each([
    ['a log-out', ['user_id', 'u', null], ['logout']],
    ['a 511', [null], ['lost']],
    ['the sign-in of somebody else', ['user_id', 'u', 'irfan'], ['logout']],
    ['a new session of the same user', ['user_id', 'u', 'u'], []],
    ['a change of language', ['language', 'en', 'hn'], []],
  ] as const)('%s ends the session here too, where it ends', (_name, [key, before, after], expected) => {
    keepSession(grant, '+919000000001');
    ends.length = 0;
    happens(key, before, after);
    happens(key, before, after);
    expect(ends).toEqual(expected);
    endSession();
  });
  it('that was cleared is told whose session was here', () => {
    const owners: string[] = [];
    const hear = onSessionEnd((_why, _cause, whose) => owners.push(whose));
    keepSession(grant, '+919000000001');
    happens(null);
    hear();
    expect(owners).toEqual(['u']);
    endSession();
  });
  it('nothing concerns a page where nobody is signed in', () => {
    ends.length = 0;
    happens(null);
    expect(ends).toEqual([]);
    stop();
  });
});
