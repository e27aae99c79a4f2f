import { type KeyObject, X509Certificate, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAKER, type Said, certificate as certified, record, spkiOf } from '#test/phone-maker.ts';
import { type Asked, type Vouchers, gradeOf as graded, plainSerial } from './attestation.ts';

const { newKeys, chain, good } = MAKER;
const TOKEN = 'a.code-of-this-server';
const asked: Asked = {
  challenge: good(TOKEN).challenge,
  program: MAKER.attests.program,
  imeis: ['356938035643809'],
  nowMs: Date.parse('2026-03-05T06:30:00Z'),
};
const gradeOf = (spki: Buffer, certificates: readonly string[], vouchers: Partial<Vouchers> = {}) =>
  graded(spki, certificates, asked, { ...MAKER.attests, ...vouchers });
const certificate = (subject: string, key: KeyObject, issuer: string, issuerKey: KeyObject) =>
  certified({ subject, key, issuer, issuerKey });

const phone = newKeys();
const root = newKeys();
const leaf = certificate('phone', phone.publicKey, 'maker', root.privateKey);
const top = certificate('maker', root.publicKey, 'maker', root.privateKey);

test('a key with a certificate of its own that its issuer signed, whoever that is, is software grade', () => {
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

const keyOf = phone.publicKey;
const spkiOfPhone = spkiOf(keyOf);
const said = (changed: Partial<Said> = {}): Said => ({ ...good(TOKEN), ...changed });

test('a key that the secure part of a locked phone made for this code, for this agent, up to a root that counts, is hardware grade', () => {
  expect(gradeOf(spkiOfPhone, chain(keyOf, said()))).toBe('hardware');
  expect(gradeOf(spkiOfPhone, chain(keyOf, said({ attestedBy: 2, keptBy: 2 })))).toBe('hardware');
  expect(gradeOf(spkiOfPhone, chain(keyOf, said({ imei: asked.imeis[0] })))).toBe('hardware');
});

test.each<[string, Partial<Said>]>([
  ['software said it', { attestedBy: 0 }],
  ['software keeps it', { keptBy: 0 }],
  ['it was made for another code', { challenge: good('another').challenge }],
  ['it was brought there', { origin: 2 }],
  ['the phone is unlocked', { isLocked: false }],
  ['the phone started what its owner signed', { bootState: 1 }],
  ['the phone started what nobody signed', { bootState: 2 }],
  ['another app asked', { program: 'in.kist.other' }],
  ['somebody else signed the app', { signer: Buffer.alloc(32) }],
  ['it is another phone', { imei: '356938035643817' }],
])('it is no more than software grade where %s', (_what, changed) => {
  expect(gradeOf(spkiOfPhone, chain(keyOf, said(changed)))).toBe('software');
});

test('another root, a key between that is not valid yet or any more, and a record that comes from a vouched-for key are no more than software grade', () => {
  const whole = chain(keyOf, said());
  expect(gradeOf(spkiOfPhone, whole, { roots: [newKeys().publicKey] })).toBe('software');
  expect(gradeOf(spkiOfPhone, whole.slice(0, 2))).toBe('software');
  for (const validity of [
    ['250101000000Z', '260301000000Z'],
    ['260401000000Z', '270301000000Z'],
  ] as const)
    expect(gradeOf(spkiOfPhone, chain(keyOf, said(), { validity }))).toBe('software');
  // Its own key, in software, certified by the one that is vouched for.
  const [held, ...above] = chain(keyOf, said());
  const made = newKeys();
  const forged = certified({
    subject: 'made',
    key: made.publicKey,
    issuer: 'key',
    issuerKey: phone.privateKey,
    record: record(said()),
  });
  expect(gradeOf(spkiOf(made.publicKey), [forged, held!, ...above])).toBe('software');
});

test('a chain with a certificate that was taken back is no grade', () => {
  const whole = chain(keyOf, said());
  for (const one of whole) {
    const serial = plainSerial(new X509Certificate(Buffer.from(one, 'base64url')).serialNumber);
    expect(gradeOf(spkiOfPhone, whole, { isRevoked: (asked) => asked === serial })).toBe('none');
  }
});
