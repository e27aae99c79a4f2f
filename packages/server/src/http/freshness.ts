import { createDecipheriv, type Decipheriv, hash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';

const BLOCK_BYTES = 16;
const BLOCK_DIGITS = 2 * BLOCK_BYTES;

/**
 * Checks `X-EMM-Auth-Session`: hex(iv):hex(AES-256-CBC(decimal Unix ms)), key = SHA-256 of path and query as sent. It shows that
 * the request is fresh and meant for this URL; its key is public, so it proves nothing about the sender.
 * @param url path and query exactly as they stand in the request line
 * @param nowMs real time: the demo's moved clock does not move the browsers
 * @returns the value as it stood there, see `repeatDigest`
 * @throws KistError STALE_REQUEST when missing, malformed, made for another URL, or more than 5 minutes off
 */
export function checkFreshness(header: string | string[] | undefined, url: string, nowMs: number): string {
  const sentMs = typeof header === 'string' ? decode(header, url) : undefined;
  if (sentMs === undefined || Math.abs(nowMs - sentMs) > LIMITS.requestSkewS * 1000)
    throw new KistError('STALE_REQUEST');
  return header as string;
}

/** @returns that by which a value is known again, however it was written. */
export const repeatDigest = (header: string): Buffer => hash('sha256', header.toLowerCase(), 'buffer');

/**
 * One open decipher for each URL asked lately; most are of a few dozen fixed paths. ECB without padding keeps no state from one block to the next, and
 * CBC of a single block is ECB and an exclusive or with the IV: making a decipher took three quarters of this check.
 */
const deciphers = new Map<string, Decipheriv>();
const DECIPHERS_KEPT = 512;

function decipherOf(url: string): Decipheriv {
  const known = deciphers.get(url);
  if (known) return known;
  const decipher = createDecipheriv('aes-256-ecb', hash('sha256', url, 'buffer'), null).setAutoPadding(false);
  if (deciphers.size >= DECIPHERS_KEPT) deciphers.clear();
  deciphers.set(url, decipher);
  return decipher;
}

/** Decimal digits, then PKCS #7 padding: so many bytes, each of them that number. */
function paddedNumber(block: Buffer): number | undefined {
  const padding = block[BLOCK_BYTES - 1] ?? 0;
  const digits = BLOCK_BYTES - padding;
  if (padding === 0 || digits < 1) return undefined;
  for (let at = digits; at < BLOCK_BYTES; at += 1) if (block[at] !== padding) return undefined;
  const text = block.toString('latin1', 0, digits);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Of each character its value as a hexadecimal digit; 0xff for what is none. */
const DIGITS = new Uint8Array(128).fill(0xff);
for (let value = 0; value < 16; value += 1) {
  DIGITS[value.toString(16).charCodeAt(0)] = value;
  DIGITS[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** Reads one block into `to`. @returns false where a character is no hexadecimal digit */
function readBlock(header: string, from: number, to: Buffer): boolean {
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const high = DIGITS[header.charCodeAt(from + 2 * at)] ?? 0xff;
    const low = DIGITS[header.charCodeAt(from + 2 * at + 1)] ?? 0xff;
    if (high === 0xff || low === 0xff) return false;
    to[at] = (high << 4) | low;
  }
  return true;
}

// Filled anew by every call, none of which waits for anything.
const iv = Buffer.alloc(BLOCK_BYTES);
const sealed = Buffer.alloc(BLOCK_BYTES);

/** 13 to 15 digits fill one AES block with its padding, so exactly one block is well-formed. Noise, or another URL's key, decodes to no number. */
function decode(header: string, url: string): number | undefined {
  if (header.length !== 2 * BLOCK_DIGITS + 1 || header[BLOCK_DIGITS] !== ':') return undefined;
  if (!readBlock(header, 0, iv) || !readBlock(header, BLOCK_DIGITS + 1, sealed)) return undefined;
  const block = decipherOf(url).update(sealed);
  for (let at = 0; at < BLOCK_BYTES; at += 1) block[at] = (block[at] ?? 0) ^ (iv[at] ?? 0);
  return paddedNumber(block);
}
