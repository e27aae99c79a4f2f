/** The specification's browser storage keys, the only ones used for session and device facts. */
export type StorageKey =
  | 'account_id'
  | 'user_id'
  | 'device_id'
  | 'phone'
  | 'token'
  | 'mpin'
  | 'language'
  | 'isAndroid'
  | 'showAd'
  | 'deviceDetails'
  | 'type';

/** @returns '' when absent, so that callers need no null checks. */
export const stored = (key: StorageKey): string => localStorage.getItem(key) ?? '';

/** An empty value removes the key. */
export function store(key: StorageKey, value: string): void {
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
}

/** HTTP 511: everything in local storage goes. Drafts and queued work live in IndexedDB, sealed to their user, and stay. */
export const clearStorage = (): void => localStorage.clear();
