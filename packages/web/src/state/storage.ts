/** The specification's browser storage keys, the only ones used for session and device facts; and `user_type`, by which a page knows what to ask first. */
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
  | 'type'
  | 'user_type';

/** Who is signed in, and how: on a page that may keep nothing personal these live in memory. */
const PERSONAL: readonly string[] = [
  'account_id',
  'user_id',
  'phone',
  'token',
  'mpin',
  'type',
  'user_type',
] satisfies StorageKey[];
/** What a log-out by hand leaves: facts of this device, the organisation's look and server, and whose M-PIN this device may ask for. */
const LEFT_BEHIND: readonly string[] = [
  ...(['device_id', 'phone', 'mpin', 'type', 'language', 'isAndroid', 'deviceDetails'] satisfies StorageKey[]),
  'brand',
  'passkey',
  'server',
];

const inMemory = new Map<StorageKey, string>();

/**
 * Whether anything personal may lie on this phone's disk. Browsers give no WebCrypto to a page over plain http, so nothing could be sealed
 * there: it is kept in memory and gone with the page.
 */
export const mayKeepOnDisk = (): boolean => (crypto as { subtle?: SubtleCrypto }).subtle !== undefined;

/** @returns '' when absent, so that callers need no null checks. */
export const stored = (key: StorageKey): string => inMemory.get(key) ?? localStorage.getItem(key) ?? '';

/** An empty value removes the key. */
export function store(key: StorageKey, value: string): void {
  inMemory.delete(key);
  if (!value) localStorage.removeItem(key);
  else if (PERSONAL.includes(key) && !mayKeepOnDisk()) inMemory.set(key, value);
  else localStorage.setItem(key, value);
}

/** HTTP 511: everything in local storage goes. */
export function clearStorage(): void {
  localStorage.clear();
  inMemory.clear();
}

/** Log-out by hand: everything goes but what the next sign-in on this device needs; without an M-PIN that is not even the number. */
export function forgetUser(): void {
  const hasMpin = stored('mpin') !== '';
  const isLeft = (key: string) => LEFT_BEHIND.includes(key) && (hasMpin || key !== 'phone');
  for (const key of Object.keys(localStorage)) if (!isLeft(key)) localStorage.removeItem(key);
  for (const key of inMemory.keys()) if (!isLeft(key)) inMemory.delete(key);
}
