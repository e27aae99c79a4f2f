/** @returns a random UUID v4; also where crypto.randomUUID is missing (a page served over plain http to a phone on the shop's Wi-Fi). */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = randomBytes();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  return asUuid(bytes);
}

/**
 * @returns a UUID of version 7 (RFC 9562): the moment, then chance. So what is made later sorts later, as the server's own ids do.
 * @param nowMs the phone's clock, which may be wrong: the id is only a name
 */
export function newTimedId(nowMs: number = Date.now()): string {
  const bytes = randomBytes();
  for (let place = 0; place < 6; place += 1) bytes[place] = Math.floor(nowMs / 2 ** (8 * (5 - place))) % 256;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  return asUuid(bytes);
}

const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(16));

function asUuid(bytes: Uint8Array): string {
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
