import { sealedTime, subtleSealer } from './sealed-time.ts';

/** How far the server's clock is ahead of this phone's, learnt from `x-server-time`. */
let offsetMs = 0;

/** @param serverTime the `x-server-time` header: ISO 8601 or decimal milliseconds. @returns whether it was understood. */
export function learnServerTime(serverTime: string | null | undefined): boolean {
  if (!serverTime) return false;
  const atMs = /^\d+$/.test(serverTime) ? Number(serverTime) : Date.parse(serverTime);
  if (!Number.isFinite(atMs)) return false;
  offsetMs = atMs - Date.now();
  return true;
}

/** @returns the X-EMM-Auth-Session header of a request that leaves now. */
export async function authSession(pathAndQuery: string, nowMs = Date.now() + offsetMs): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  return sealedTime(subtle ? subtleSealer(subtle) : await import('./soft-crypto.ts'), pathAndQuery, nowMs);
}
