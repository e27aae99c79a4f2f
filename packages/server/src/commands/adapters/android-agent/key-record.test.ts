import { X509Certificate } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GOOGLE_ROOTS } from './google-roots.ts';
import { recordOf } from './key-record.ts';

const folder = path.join(import.meta.dirname, '../../../../test/key-attestation');
const certificates = (file: string): X509Certificate[] =>
  readFileSync(path.join(folder, file), 'utf8')
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
    .map((pem) => new X509Certificate(pem));

interface Published {
  attestationSecurityLevel: string;
  keyMintSecurityLevel: string;
  attestationChallenge: string;
  softwareEnforced: { attestationApplicationId: { packages: { name: string }[]; signatures: string[] } };
  hardwareEnforced: {
    origin: string;
    attestationIdImei?: string;
    rootOfTrust: { deviceLocked: boolean; verifiedBootState: string };
  };
}
const LEVELS = ['SOFTWARE', 'TRUSTED_ENVIRONMENT', 'STRONG_BOX'];
const real = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

describe.each(real)('a real phone: %s', (name) => {
  const chain = certificates(`${name}.pem`);
  const published = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Published;

  test('its record is read as Google reads it', () => {
    const { softwareEnforced: software, hardwareEnforced: hardware, ...of } = published;
    const { packages, signatures } = software.attestationApplicationId;
    const record = recordOf(chain[0]!.raw)!;
    expect({ ...record, challenge: record.challenge.toString('base64') }).toEqual({
      attestedBy: LEVELS.indexOf(of.attestationSecurityLevel),
      keptBy: LEVELS.indexOf(of.keyMintSecurityLevel),
      challenge: of.attestationChallenge,
      isGenerated: hardware.origin === 'GENERATED',
      boot: {
        isLocked: hardware.rootOfTrust.deviceLocked,
        isVerified: hardware.rootOfTrust.verifiedBootState === 'VERIFIED',
      },
      packages: packages.map((one) => one.name),
      signers: signatures.map((signature) => Buffer.from(signature, 'base64')),
      imeis: hardware.attestationIdImei === undefined ? [] : [hardware.attestationIdImei],
    });
  });

  test('its chain ends in a root of Google’s, and only its own certificate has a record', () => {
    expect(GOOGLE_ROOTS.filter((root) => root.equals(chain.at(-1)!.publicKey))).toHaveLength(1);
    expect(chain.filter(({ raw }) => recordOf(raw) !== undefined)).toEqual([chain[0]]);
    for (const [index, one] of chain.slice(0, -1).entries()) expect(one.verify(chain[index + 1]!.publicKey)).toBe(true);
  });
});

test('a record with its values out of order is refused', () => {
  const [own] = certificates('tags_not_in_ascending_order.pem');
  expect(() => recordOf(own!.raw)).toThrow('out of order');
});

test('six real phones are looked at, of both roots', () => expect(real).toHaveLength(6));

test('whatever stands in a certificate, it is read or refused and never goes on for ever', () => {
  const [whole] = certificates('caiman-sdk36-TEE_EC_RKP.pem');
  const raw = whole!.raw;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: raw.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const changed = Buffer.from(raw);
      changed[at] = byte;
      try {
        recordOf(changed);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }),
    { numRuns: 3000 },
  );
  for (let length = 0; length < raw.length; length += 1)
    expect(() => recordOf(raw.subarray(0, length))).toThrow(RangeError);
});
