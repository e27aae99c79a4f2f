/** A record as it lies in IndexedDB: whose it is, and the rest sealed. */
export interface Sealed {
  id: string;
  owner: string;
  iv: Uint8Array<ArrayBuffer>;
  box: ArrayBuffer;
}

/** AES-GCM key of one user on this phone; it cannot be exported, and another user's rows stay shut without theirs. */
export const newSealKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** @param text base64url of 32 bytes. @returns the same key each time; it cannot be read out again. */
export const sealKeyOf = (text: string): Promise<CryptoKey> => {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
};

export async function seal(id: string, owner: string, value: unknown, key: CryptoKey): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { id, owner, iv, box: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes) };
}

/** @returns the value; undefined when it cannot be opened with this key. */
export async function unseal({ iv, box }: Sealed, key: CryptoKey | undefined): Promise<unknown> {
  if (!key) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, box)));
  } catch {
    return undefined;
  }
}
