import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { checkFreshness, repeatDigest } from './freshness.ts';

const nowMs = Date.UTC(2026, 10, 22);
const keyOf = (url: string) => createHash('sha256').update(url).digest();

/** As an app makes the value: AES-256-CBC with its own padding. */
function seal(url: string, text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', keyOf(url), iv);
  return `${iv.toString('hex')}:${cipher.update(text, 'utf8', 'hex')}${cipher.final('hex')}`;
}
/** What the textbook's way back says of it; undefined where OpenSSL finds the padding broken. */
function open(url: string, value: string): string | undefined {
  const [iv = '', encrypted = ''] = value.split(':');
  try {
    const decipher = createDecipheriv('aes-256-cbc', keyOf(url), Buffer.from(iv, 'hex'));
    return decipher.update(encrypted, 'hex', 'latin1') + decipher.final('latin1');
  } catch {
    return undefined;
  }
}
const isFresh = (value: string, url: string): boolean => {
  try {
    return checkFreshness(value, url, nowMs) === value;
  } catch {
    return false;
  }
};

const url = fc.webPath().map((path) => `/api${path}?q=1`);
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));

test('for any URL and moment, exactly what AES-256-CBC opens to a moment within five minutes is fresh', () => {
  const skewMs = LIMITS.requestSkewS * 1000;
  fc.assert(
    fc.property(url, url, fc.integer({ min: -2 * skewMs, max: 2 * skewMs }), (madeFor, sentTo, offMs) => {
      const value = seal(madeFor, String(nowMs + offMs));
      expect(isFresh(value, madeFor)).toBe(Math.abs(offMs) <= skewMs);
      if (madeFor !== sentTo) expect(isFresh(value, sentTo)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('noise is fresh only where the textbook finds a moment in it, whatever was asked before', () => {
  const text = fc.oneof(fc.string({ maxLength: 15 }), fc.stringMatching(/^\d{12,16}$/));
  fc.assert(
    fc.property(
      url,
      fc.oneof(
        fc.tuple(hex(16), hex(16)).map(([iv, block]) => `${iv}:${block}`),
        text,
      ),
      (at, given) => {
        const value = given.includes(':') ? given : seal(at, given);
        const said = open(at, value);
        const wanted =
          /^[0-9a-f]{32}:[0-9a-f]{32}$/.test(value) &&
          said !== undefined &&
          /^\d{1,15}$/.test(said) &&
          Math.abs(Number(said) - nowMs) <= LIMITS.requestSkewS * 1000;
        expect(isFresh(value, at)).toBe(wanted);
      },
    ),
    { numRuns: 2000 },
  );
});

test('every padding but the one that CBC would have made is refused', () => {
  const at = '/api/x';
  const iv = randomBytes(16);
  const raw = (block: Buffer) => {
    const cipher = createCipheriv('aes-256-cbc', keyOf(at), iv).setAutoPadding(false);
    return `${iv.toString('hex')}:${cipher.update(block).toString('hex')}${cipher.final('hex')}`;
  };
  const digits = Buffer.from(String(nowMs));
  expect(isFresh(raw(Buffer.concat([digits, Buffer.alloc(3, 3)])), at)).toBe(true);
  for (const tail of [
    [3, 3, 2],
    [2, 3, 3],
    [0, 0, 0],
    [3, 3, 17],
    [1, 2, 3],
  ])
    expect(isFresh(raw(Buffer.concat([digits, Buffer.from(tail)])), at), tail.join()).toBe(false);
});

test('a value is known again in capitals', () => {
  const value = seal('/api/x', String(nowMs));
  expect(repeatDigest(value.toUpperCase())).toEqual(repeatDigest(value));
});
