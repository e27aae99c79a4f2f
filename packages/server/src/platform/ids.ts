import { createHash, randomBytes, randomFillSync, randomInt } from 'node:crypto';

let lastMs = 0;
let sequence = 0;
let time = '';

/**
 * The last 62 bits of ids and their two bits of the variant, in hexadecimal, drawn and written many at a time: one call of the generator for each id was
 * a tenth of an authenticated request.
 */
const pool = Buffer.alloc(8192);
let written = '';
let drawn = 0;
function randomEnd(): string {
  if (drawn === written.length) {
    randomFillSync(pool);
    for (let at = 0; at < pool.length; at += 8) pool[at] = 0x80 | ((pool[at] ?? 0) & 0x3f);
    written = pool.toString('hex');
    drawn = 0;
  }
  drawn += 16;
  return `${written.slice(drawn - 16, drawn - 12)}-${written.slice(drawn - 12, drawn)}`;
}

function enter(nowMs: number): void {
  lastMs = nowMs;
  sequence = randomInt(0x400);
  const hex = nowMs.toString(16).padStart(12, '0');
  time = `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/**
 * A new UUID version 7 (RFC 9562): sorts by creation, so inserts fill one end of an index. 12 bits count within one
 * millisecond (method 1), 62 bits are random. It is an identifier, never a secret.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs) enter(nowMs);
  else if (sequence < 0xfff) sequence += 1;
  // The counter is used up, or the clock went back: go on from the last moment, so that ids still only grow.
  else enter(lastMs + 1);
  return `${time}-${(0x7000 | sequence).toString(16)}-${randomEnd()}`;
}

/** The id that a name always gives (RFC 9562, version 8: its SHA-256), for what is done once under a name. */
export function idOfName(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** When an id of version 7 was made, by the clock of who made it; undefined of any other. */
export const madeAt = (id: string): Date | undefined =>
  id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : undefined;

/** A secret nobody can guess: 256 bits, 43 characters of base64url. Store only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** `length` decimal digits, every value equally likely (randomInt draws without modulo bias), leading zeros kept. */
export function newDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

/** An id as 22 letters, for addresses that people send one another. */
export const shortId = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
/** @returns the id that `shortId` made these letters of */
export const longId = (letters: string): string =>
  Buffer.from(letters, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
