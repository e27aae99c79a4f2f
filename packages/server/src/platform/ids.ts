import { randomBytes, randomFillSync, randomInt } from 'node:crypto';

let lastMs = 0;
let sequence = 0;

/** Random bytes for ids, drawn many at a time: one call of the generator for each id was a tenth of an authenticated request. */
const pool = Buffer.alloc(8192);
let drawn = pool.length;
function eightRandomBytes(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += 8;
  return pool.subarray(drawn - 8, drawn);
}

/**
 * A new UUID version 7 (RFC 9562): sorts by creation, so inserts fill one end of an index. 12 bits count within one
 * millisecond (method 1), 62 bits are random. It is an identifier, never a secret.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = randomInt(0x400);
  } else if (sequence < 0xfff) {
    sequence += 1;
  } else {
    // The counter is used up, or the clock went back: go on from the last moment, so that ids still only grow.
    lastMs += 1;
    sequence = randomInt(0x400);
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const counter = (0x7000 | sequence).toString(16);
  const random = eightRandomBytes();
  random[0] = 0x80 | ((random[0] ?? 0) & 0x3f);
  const hex = random.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${counter}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** A secret nobody can guess: 256 bits, 43 characters of base64url. Store only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** `length` decimal digits, every value equally likely (randomInt draws without modulo bias), leading zeros kept. */
export function newDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
