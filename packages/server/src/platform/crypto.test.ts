import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  SEAL_HEAD_BYTES,
  SealBrokenError,
  createSealer,
  hashSecret,
  hmacSha256,
  safeEqual,
  verifySecret,
} from './crypto.ts';

const pepper = randomBytes(32);
const ring = { current: 2, keys: new Map([1, 2].map((version) => [version, randomBytes(32)])) };
const sealer = createSealer(ring);
const place = '20|documents|sealed|0198-row';

test('a sealed value opens only in its own place: shop, table, column and row are bound to it', () => {
  const sealed = sealer.seal('Aadhaar copy', place);
  expect(sealer.open(sealed, place).toString()).toBe('Aadhaar copy');
  for (const other of [
    '21|documents|sealed|0198-row',
    '20|users|sealed|0198-row',
    '20|documents|bytes|0198-row',
    '20|documents|sealed|0199-row',
  ]) {
    expect(() => sealer.open(sealed, other)).toThrow(SealBrokenError);
  }
});

test('changing any bit of a sealed value is noticed', () => {
  const sealed = sealer.seal('secret', place);
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => sealer.open(altered, place)).toThrow(SealBrokenError);
    }),
    { numRuns: 500 },
  );
});

test('any bytes come back, and sealing them twice shows no likeness', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      const [first, second] = [sealer.seal(bytes, place), sealer.seal(bytes, place)];
      expect(sealer.open(first, place).equals(bytes)).toBe(true);
      expect(first.subarray(5).equals(second.subarray(5))).toBe(false);
    }),
  );
});

test('after a rotation old values open, new ones carry the new key, and without the old key the old ones do not open', () => {
  const old = createSealer({ current: 1, keys: ring.keys }).seal('before', place);
  expect(sealer.open(old, place).toString()).toBe('before');
  expect(sealer.seal('after', place).readUInt32BE(1)).toBe(2);
  const onlyNew = createSealer({ current: 2, keys: new Map([[2, ring.keys.get(2)!]]) });
  expect(() => onlyNew.open(old, place)).toThrow(/no key of version 1/);
});

test('a head that is renewed opens what it stood before, with the new key alone; one under the new key is left as it is', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const sealed = createSealer({ current: 1, keys: new Map([[1, old]]) }).seal('Aadhaar copy', place);
  const both = createSealer({
    current: 2,
    keys: new Map([
      [1, old],
      [2, fresh],
    ]),
  });
  const head = both.renew(sealed.subarray(0, SEAL_HEAD_BYTES), place)!;
  const alone = createSealer({ current: 2, keys: new Map([[2, fresh]]) });
  expect(alone.open(Buffer.concat([head, sealed.subarray(SEAL_HEAD_BYTES)]), place).toString()).toBe('Aadhaar copy');
  expect(both.renew(head, place)).toBeUndefined();
  expect(() => both.renew(sealed.subarray(0, SEAL_HEAD_BYTES), `${place}x`)).toThrow(SealBrokenError);
  expect(() => alone.renew(sealed, place)).toThrow(SealBrokenError);
});

test('garbage is refused, never a crash of another kind', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(() => sealer.open(bytes, place)).toThrow(SealBrokenError);
    }),
    { numRuns: 1_000 },
  );
});

test('a stolen table of M-PINs yields nothing without the pepper', async () => {
  const stolen = await hashSecret('4821', pepper);
  expect(stolen).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifySecret(stolen, '4821', pepper)).toBe(true);
  expect(await verifySecret(stolen, '4822', pepper)).toBe(false);
  expect(await verifySecret(stolen, '4821', randomBytes(32))).toBe(false);
  expect(await verifySecret(await hash('4821'), '4821', pepper)).toBe(false);
});

test('the parts of a keyed hash cannot be shifted into one another', () => {
  expect(hmacSha256(pepper, 'ab', 'c').equals(hmacSha256(pepper, 'a', 'bc'))).toBe(false);
  expect(hmacSha256(pepper, 'é').equals(hmacSha256(pepper, 'é'))).toBe(true);
});

test('secrets of different lengths are unequal, not an error', () => {
  expect(safeEqual('token', 'token')).toBe(true);
  expect(safeEqual('token', 'token1')).toBe(false);
  expect(safeEqual('', 'a')).toBe(false);
});
