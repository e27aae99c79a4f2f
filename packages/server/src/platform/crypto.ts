import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

type Bytes = string | Uint8Array;

export function sha256(data: Bytes): Buffer {
  return createHash('sha256').update(data).digest();
}

/** Keyed hash. `parts` are length-prefixed, so ('ab','c') and ('a','bc') differ. */
export function hmacSha256(key: Uint8Array, ...parts: Bytes[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(part));
    hmac.update(length).update(part);
  }
  return hmac.digest();
}

/** Equality whose duration tells nothing about where two secrets differ. Different lengths are unequal. */
export function safeEqual(left: Bytes, right: Bytes): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/**
 * argon2id at OWASP's floor: 19 MiB, two passes, one lane; 11 ms measured. Four digits fall in two minutes whatever the
 * hash costs, so the pepper is the real defence: it lives outside the database.
 */
const argon2Parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** @returns an argon2id PHC string over the peppered secret */
export function hashSecret(secret: string, pepper: Uint8Array): Promise<string> {
  return hash(peppered(secret, pepper), argon2Parameters);
}

/** @throws Error when `phc` is no argon2 hash */
export function verifySecret(phc: string, secret: string, pepper: Uint8Array): Promise<boolean> {
  return verify(phc, peppered(secret, pepper));
}

/** As text: argon2's `verify` takes bytes for UTF-8 and fails on any others. */
function peppered(secret: string, pepper: Uint8Array): string {
  return hmacSha256(pepper, secret).toString('base64');
}

/** Key-encryption keys by version. New values are sealed under `current`; old versions still open. */
export interface KeyRing {
  current: number;
  keys: ReadonlyMap<number, Uint8Array>;
}

/** Authenticated encryption under keys kept outside the database. */
export interface Sealer {
  /** @param place where the value stands, `org|table|column|row`; moved anywhere else (another shop's row) it does not open */
  seal(plain: string | Uint8Array, place: string): Buffer;
  /** @throws SealBrokenError */
  open(sealed: Uint8Array, place: string): Buffer;
  /**
   * Seals the data key anew under the ring's current key; the value itself is not touched.
   * @param head the first `SEAL_HEAD_BYTES` of what was sealed
   * @returns the head that stands in its place; undefined when it is under the current key already
   * @throws SealBrokenError
   */
  renew(head: Uint8Array, place: string): Buffer | undefined;
}

/** The value was altered, moved from its place, or sealed under a key this process does not have. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

const formatByte = 1;
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const wrappedBytes = ivBytes + keyBytes + tagBytes;
const headerBytes = 5;
/** Of a sealed value: with which key of the ring, and the data key. What follows is the value, which a new key of the ring leaves as it is. */
export const SEAL_HEAD_BYTES = headerBytes + wrappedBytes;

/**
 * Envelope encryption: each value under a data key of its own, the data key under the ring's current key (AES-256-GCM
 * both). Layout: format(1) key version(4) wrapped data key(60) iv(12) ciphertext tag(16).
 */
export function createSealer(ring: KeyRing): Sealer {
  const headOf = (dataKey: Uint8Array, place: string): Buffer => {
    const header = Buffer.alloc(headerBytes);
    header.writeUInt8(formatByte, 0);
    header.writeUInt32BE(ring.current, 1);
    return Buffer.concat([header, encrypt(keyOf(ring, ring.current), dataKey, boundTo(header, place))]);
  };
  return {
    seal(plain, place) {
      const dataKey = randomBytes(keyBytes);
      return Buffer.concat([headOf(dataKey, place), encrypt(dataKey, Buffer.from(plain), Buffer.from(place))]);
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      if (bytes.length < SEAL_HEAD_BYTES + ivBytes + tagBytes) throw new SealBrokenError('not a sealed value');
      return decrypt(dataKeyOf(ring, bytes, place), bytes.subarray(SEAL_HEAD_BYTES), Buffer.from(place));
    },
    renew(head, place) {
      const bytes = Buffer.from(head);
      const dataKey = dataKeyOf(ring, bytes, place);
      return bytes.readUInt32BE(1) === ring.current ? undefined : headOf(dataKey, place);
    },
  };
}

const boundTo = (header: Uint8Array, place: string): Buffer => Buffer.concat([header, Buffer.from(place)]);

/** @throws SealBrokenError */
function dataKeyOf(ring: KeyRing, bytes: Buffer, place: string): Buffer {
  if (bytes.length < SEAL_HEAD_BYTES || bytes.readUInt8(0) !== formatByte)
    throw new SealBrokenError('not a sealed value');
  const header = bytes.subarray(0, headerBytes);
  const wrapped = bytes.subarray(headerBytes, SEAL_HEAD_BYTES);
  return decrypt(keyOf(ring, header.readUInt32BE(1)), wrapped, boundTo(header, place));
}

function keyOf(ring: KeyRing, version: number): Uint8Array {
  const key = ring.keys.get(version);
  if (key === undefined) throw new SealBrokenError(`no key of version ${version}`);
  return key;
}

function encrypt(key: Uint8Array, plain: Uint8Array, aad: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, bytes: Buffer, aad: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
  } catch (error) {
    throw new SealBrokenError('the value was altered or moved', { cause: error });
  }
}
