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

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The X-EMM-Auth-Session header: hex(iv):hex(AES-256-CBC(decimal Unix ms)), key = SHA-256 of path and query as sent.
 * It shows freshness only; it is not authentication.
 */
export async function authSession(pathAndQuery: string, nowMs = Date.now() + offsetMs): Promise<string> {
  const encoder = new TextEncoder();
  const path = encoder.encode(pathAndQuery);
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const time = encoder.encode(String(Math.round(nowMs)));
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) {
    const soft = await import('./soft-crypto.ts');
    return `${hex(iv)}:${hex(soft.aesCbc(soft.sha256(path), iv, time))}`;
  }
  const key = await subtle.importKey('raw', await subtle.digest('SHA-256', path), 'AES-CBC', false, ['encrypt']);
  return `${hex(iv)}:${hex(new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, key, time)))}`;
}
