const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** How a moment is sealed: AES-256-CBC with PKCS#7 padding. @param key 32 bytes, @param iv 16 */
export interface Sealer {
  sha256(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
  aesCbc(key: Uint8Array, iv: Uint8Array, message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** By the browser's own cryptography, which it gives to pages over https alone. */
export const subtleSealer = (subtle: SubtleCrypto): Sealer => ({
  sha256: async (message) => new Uint8Array(await subtle.digest('SHA-256', message as BufferSource)),
  async aesCbc(key, iv, message) {
    const sealing = await subtle.importKey('raw', key as BufferSource, 'AES-CBC', false, ['encrypt']);
    const sealed = await subtle.encrypt({ name: 'AES-CBC', iv: iv as BufferSource }, sealing, message as BufferSource);
    return new Uint8Array(sealed);
  },
});

/**
 * The X-EMM-Auth-Session header: hex(iv):hex(AES-256-CBC(decimal Unix ms)), key = SHA-256 of path and query as sent.
 * It shows freshness only; it is not authentication.
 */
export async function sealedTime(sealer: Sealer, pathAndQuery: string, nowMs: number): Promise<string> {
  const encoder = new TextEncoder();
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const key = await sealer.sha256(encoder.encode(pathAndQuery));
  return `${hex(iv)}:${hex(await sealer.aesCbc(key, iv, encoder.encode(String(Math.round(nowMs)))))}`;
}
