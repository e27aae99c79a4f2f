import type { SessionGrant } from '@kist/contract/auth';
import { newId } from './ids.ts';
import { clearStorage, forgetUser, store, stored } from './storage.ts';

/** Why a session ended: 'lost' the server said 511, 'logout' the user did. */
export type SessionEnd = 'lost' | 'logout';

/**
 * @param cause of a lost one, as the server says it: `expired`, `logged_out`, `suspended`
 * @param whose it was: their id
 */
type Listener = (why: SessionEnd, cause: unknown, whose: string) => void;
const listeners = new Set<Listener>();
/** @returns a function that stops listening. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const beginnings = new Set<(grant: SessionGrant) => void>();
/** Hears of each fresh session, before anything else is done in it. */
export const onSessionBegin = (listener: (grant: SessionGrant) => void): void => void beginnings.add(listener);

export const hasSession = (): boolean => stored('token') !== '';

/** This browser's own name for the device-bound M-PIN; made once, gone with a 511. */
export function deviceId(): string {
  const known = stored('device_id');
  if (known) return known;
  const fresh = newId();
  store('device_id', fresh);
  return fresh;
}

/** Whose session this page shows, or '': what happens in another tab then concerns it. */
let userHere = hasSession() ? stored('user_id') : '';

/** Keeps a fresh session. `mpin` says only that one is set; the M-PIN itself is never stored. */
export function keepSession(grant: SessionGrant, phone: string): void {
  store('token', grant.token);
  store('account_id', grant.account_id);
  store('user_id', grant.user_id);
  store('phone', phone);
  markMpin(grant.mpin_set);
  userHere = grant.user_id;
  for (const listener of beginnings) listener(grant);
}

/** Notes that an M-PIN is (not) set; `type` is the kind of pin the next sign-in asks for. */
export function markMpin(isSet: boolean): void {
  store('mpin', isSet ? '1' : '');
  store('type', isSet ? 'mpin' : 'otp');
}

function end(why: SessionEnd, whose: string, cause?: unknown): void {
  userHere = '';
  for (const listener of listeners) listener(why, cause, whose);
}

/**
 * 511: clears local storage and tells the app.
 * @param token the one that the refused request carried: a late answer to an old session must not end a new one, and an answer to a request
 * without any (sent while logging out) has nothing to end.
 * @param cause as the server says it
 */
export function loseSession(token: string, cause?: unknown): void {
  if (!token || token !== stored('token')) return;
  const whose = stored('user_id');
  clearStorage();
  end('lost', whose, cause);
}

/** Log out by hand: of the user only what the next sign-in by M-PIN needs stays. */
export function endSession(): void {
  const whose = stored('user_id');
  forgetUser();
  end('logout', whose);
}

/** All tabs of a browser share one session: one that ended or changed hands in another tab ends here too, and its data leaves this page. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (!userHere) return;
    if (key === null) end('lost', userHere);
    else if (key === 'user_id' && oldValue && oldValue !== newValue) end('logout', userHere);
  });
}
