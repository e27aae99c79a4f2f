/** A record as it lies in IndexedDB: whose it is, and the rest sealed. */
export interface Sealed {
  id: string;
  owner: string;
  iv?: Uint8Array<ArrayBuffer>;
  box: ArrayBuffer | string;
}

/** AES-GCM key of one user on this phone; it cannot be exported, and another user's rows stay shut without theirs. */
export const newSealKey = (): Promise<CryptoKey> | undefined =>
  (crypto as { subtle?: SubtleCrypto }).subtle?.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);

/** @param key undefined on a page without WebCrypto (plain http): the row is then only marked with its owner. */
export async function seal(id: string, owner: string, value: unknown, key: CryptoKey | undefined): Promise<Sealed> {
  const text = JSON.stringify(value);
  if (!key) return { id, owner, box: text };
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return {
    id,
    owner,
    iv,
    box: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text)),
  };
}

/** @returns the value; undefined when it cannot be opened with this key. */
export async function unseal(row: Sealed, key: CryptoKey | undefined): Promise<unknown> {
  if (typeof row.box === 'string') return JSON.parse(row.box);
  if (!key || !row.iv) return undefined;
  try {
    return JSON.parse(
      new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: row.iv }, key, row.box)),
    );
  } catch {
    return undefined;
  }
}
