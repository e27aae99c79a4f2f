import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { gradeOf } from './attestation.ts';

/* A certificate in a few lines of DER: enough for a chain of two. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
const name = (text: string) => der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(text)))));
const ALGORITHMS = {
  ec: der(0x30, oid('2a8648ce3d040302')),
  rsa: der(0x30, oid('2a864886f70d01010b'), Buffer.from([5, 0])),
};
const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spkiOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

function certificate(subject: string, key: KeyObject, issuer: string, issuerKey: KeyObject): string {
  const version = der(0xa0, der(2, Buffer.from([2])));
  const serial = der(2, Buffer.concat([Buffer.from([1]), randomBytes(7)]));
  const algorithm = ALGORITHMS[issuerKey.asymmetricKeyType as 'ec' | 'rsa'];
  const content = der(0x30, version, serial, algorithm, name(issuer), validity, name(subject), spkiOf(key));
  const signature = sign('sha256', content, issuerKey);
  return der(0x30, content, algorithm, der(3, Buffer.from([0]), signature)).toString('base64url');
}

const phone = newKeys();
const root = newKeys();
const leaf = certificate('phone', phone.publicKey, 'maker', root.privateKey);
const top = certificate('maker', root.publicKey, 'maker', root.privateKey);

test('a key with a certificate of its own that its issuer signed is software grade, and never more', () => {
  expect(gradeOf(spkiOf(phone.publicKey), [leaf, top])).toBe('software');
});

test('no chain, another key, another issuer, a lone certificate and noise are all no grade', () => {
  const other = newKeys();
  const spki = spkiOf(phone.publicKey);
  expect(gradeOf(spki, [])).toBe('none');
  expect(gradeOf(spki, [leaf])).toBe('none');
  expect(gradeOf(spkiOf(other.publicKey), [leaf, top])).toBe('none');
  expect(gradeOf(spki, [leaf, certificate('maker', other.publicKey, 'maker', other.privateKey)])).toBe('none');
  expect(gradeOf(spki, [leaf, certificate('stranger', root.publicKey, 'stranger', root.privateKey)])).toBe('none');
  expect(gradeOf(spki, ['AAAA', 'MIIB'])).toBe('none');
});

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent });

/** Whoever sends a chain chooses what it costs to prove: it is made up before anybody knows who asks. */
test.each([
  ['P-384', () => ec('P-384'), 'software'],
  ['RSA of 2048 bits', () => rsa(2048), 'software'],
  ['RSA of 4096 bits', () => rsa(4096), 'software'],
  ['RSA of more', () => rsa(4608), 'none'],
  ['RSA with an exponent of its own', () => rsa(2048, 0x7fff_ffff), 'none'],
  ['P-521', () => ec('P-521'), 'none'],
  ['a curve of no maker', () => ec('secp256k1'), 'none'],
] as const)('a chain is proved where it is made with keys of makers: %s', (_what, make, grade) => {
  const maker = make();
  const chain = [
    certificate('phone', phone.publicKey, 'maker', maker.privateKey),
    certificate('maker', maker.publicKey, 'maker', maker.privateKey),
  ];
  expect(gradeOf(spkiOf(phone.publicKey), chain)).toBe(grade);
});
