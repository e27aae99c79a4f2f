import { generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derOf, sideBySide } from './ecdsa-form.ts';
import { isSignedBy } from './server-key.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p1363 = (key: typeof publicKey) => ({ key, dsaEncoding: 'ieee-p1363' as const });

describe('the two forms of a signature', () => {
  it('say the same to the crypto library, in both directions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (text) => {
        const made = sign('sha256', text, privateKey);
        expect(verify('sha256', text, p1363(publicKey), sideBySide(made))).toBe(true);
        const other = sign('sha256', text, p1363(privateKey));
        expect(verify('sha256', text, publicKey, derOf(other)!)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('turn into each other without loss, with zeros in front and with the highest bit set', () => {
    const byte = fc.oneof(fc.constant(0), fc.constant(0x7f), fc.constant(0x80), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { minLength: 64, maxLength: 64 }), fc.nat(31), fc.nat(31), (bytes, r, s) => {
        const signature = Buffer.from(bytes);
        signature.fill(0, 0, r);
        signature.fill(0, 32, 32 + s);
        const der = derOf(signature)!;
        expect(der[1]).toBe(der.length - 2);
        expect(sideBySide(der)).toEqual(signature);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([0, 1, 63, 65, 128])('refuse %i bytes', (length) => expect(derOf(Buffer.alloc(length, 1))).toBeUndefined());

  it.each([
    ['zeros', '00'.repeat(64)],
    ['zero and one', '00'.repeat(32) + '00'.repeat(31) + '01'],
    ['the highest numbers', 'ff'.repeat(64)],
    ["the group's order", 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2)],
  ])('a forged signature of %s is refused and throws nothing', (_name, forged) =>
    expect(isSignedBy(publicKey, 'a lease', Buffer.from(forged, 'hex'))).toBe(false),
  );
});
