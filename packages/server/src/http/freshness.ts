import { createDecipheriv, createSecretKey, hash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';

const VALUE = /^([0-9a-f]{32}):([0-9a-f]{32})$/i;

/**
 * Checks `X-EMM-Auth-Session`: hex(iv):hex(AES-256-CBC(decimal Unix ms)), key = SHA-256 of path and query as sent. It shows that
 * the request is fresh and meant for this URL; its key is public, so it proves nothing about the sender.
 * @param url path and query exactly as they stand in the request line
 * @param nowMs real time: the demo's moved clock does not move the browsers
 * @returns the value's digest, by which a repeat is known
 * @throws KistError STALE_REQUEST when missing, malformed, made for another URL, or more than 5 minutes off
 */
export function checkFreshness(header: string | string[] | undefined, url: string, nowMs: number): Buffer {
  const sentMs = typeof header === 'string' ? decode(header, url) : undefined;
  if (sentMs === undefined || Math.abs(nowMs - sentMs) > LIMITS.requestSkewS * 1000)
    throw new KistError('STALE_REQUEST');
  return hash('sha256', (header as string).toLowerCase(), 'buffer');
}

/** 13 to 15 digits fill one AES block with its padding, so exactly one block is well-formed. */
function decode(header: string, url: string): number | undefined {
  const [, iv, encrypted] = VALUE.exec(header) ?? [];
  if (!iv || !encrypted) return undefined;
  try {
    // A KeyObject: with the key as plain bytes the same call takes 35 µs instead of 15.
    const key = createSecretKey(hash('sha256', url, 'buffer'));
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'hex'));
    const text = decipher.update(encrypted, 'hex', 'latin1') + decipher.final('latin1');
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  } catch {
    // Bad padding: another key, that is another URL, or noise.
    return undefined;
  }
}
