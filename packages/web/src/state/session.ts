import type { SessionGrant } from '@kist/contract/auth';
import { newId } from './ids.ts';
import { clearStorage, store, stored } from './storage.ts';

/** Why a session ended: 'lost' the server said 511, 'logout' the user did. */
export type SessionEnd = 'lost' | 'logout';

const listeners = new Set<(why: SessionEnd) => void>();
/** @returns a function that stops listening. */
export function onSessionEnd(listener: (why: SessionEnd) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const hasSession = (): boolean => stored('token') !== '';

/** This browser's own name for the device-bound M-PIN; made once, gone with a 511. */
export function deviceId(): string {
  const known = stored('device_id');
  if (known) return known;
  const fresh = newId();
  store('device_id', fresh);
  return fresh;
}

/** Keeps a fresh session. `mpin` says only that one is set; the M-PIN itself is never stored. */
export function keepSession(grant: SessionGrant, phone: string): void {
  store('token', grant.token);
  store('account_id', grant.account_id);
  store('user_id', grant.user_id);
  store('phone', phone);
  markMpin(grant.mpin_set);
}

/** Notes that an M-PIN is (not) set; `type` is the kind of pin the next sign-in asks for. */
export function markMpin(isSet: boolean): void {
  store('mpin', isSet ? '1' : '');
  store('type', isSet ? 'mpin' : 'otp');
}

/**
 * 511: clears local storage and tells the app.
 * @param token the one that the refused request carried: a late answer to an old session must not end a new one, and an answer to a request
 * without any (sent while logging out) has nothing to end.
 */
export function loseSession(token: string): void {
  if (!token || token !== stored('token')) return;
  clearStorage();
  for (const listener of listeners) listener('lost');
}

/** Log out by hand: the token goes, the verified device and its M-PIN flag stay for the next sign-in. */
export function endSession(): void {
  store('token', '');
  store('account_id', '');
  store('user_id', '');
  for (const listener of listeners) listener('logout');
}
