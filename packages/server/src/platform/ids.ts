import { randomBytes, randomInt } from 'node:crypto';

let lastMs = 0;
let sequence = 0;

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
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A secret nobody can guess: 256 bits, 43 characters of base64url. Store only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** `length` decimal digits, every value equally likely (randomInt draws without modulo bias), leading zeros kept. */
export function newDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
