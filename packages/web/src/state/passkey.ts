/** Holds only that this device has one, as `mpin` does of the M-PIN; ends with a 511 like the device's own name. */
const KEY = 'passkey';
/** Who said no to it is not asked again; a cookie outlives a cleared local storage (511). */
const COOKIE = 'passkey';
let isDue = false;

export const hasPasskey = (): boolean => localStorage.getItem(KEY) === '1';
export function markPasskey(isSet: boolean): void {
  if (isSet) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}

/** An M-PIN was just typed: the moment at which a finger would have been quicker. */
export const offerPasskeySoon = (): void => void (isDue = true);
/** Asked once; true at most once after each sign-in by M-PIN. */
export function takePasskeyOffer(): boolean {
  const was = isDue && !hasPasskey() && !/(?:^|; )passkey=no/.test(document.cookie);
  isDue = false;
  return was;
}
export function refusePasskeyOffer(): void {
  document.cookie = `${COOKIE}=no; path=/; max-age=31536000; samesite=lax`;
}
