import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Attests } from '#server/commands/adapters/android-agent/attestation.ts';

/** A maker of phones whose root stands for Google's in tests: certificates, and records of keys as Android's keystore writes them. */

export const der = (tag: number | readonly number[], ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([...[tag].flat(), ...length]), body]);
};
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
const name = (text: string) => der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(text)))));
const ALGORITHMS = {
  ec: der(0x30, oid('2a8648ce3d040302')),
  rsa: der(0x30, oid('2a864886f70d01010b'), Buffer.from([5, 0])),
};
const utc = (text: string) => der(0x17, Buffer.from(text));
const ALWAYS = ['200101000000Z', '491231235959Z'] as const;

export const spkiOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

export interface Certified {
  subject: string;
  key: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  /** A key's record, as `record` makes it. */
  record?: Buffer;
  validity?: readonly [string, string];
  serial?: Buffer;
}

/** @returns base64url DER */
export function certificate({ subject, key, issuer, issuerKey, ...more }: Certified): string {
  const { record, validity: [from, to] = ALWAYS, serial = Buffer.concat([Buffer.from([1]), randomBytes(7)]) } = more;
  const algorithm = ALGORITHMS[issuerKey.asymmetricKeyType as 'ec' | 'rsa'];
  const said = record ? [der(0xa3, der(0x30, der(0x30, oid('2b06010401d679020111'), der(4, record))))] : [];
  const content = der(
    0x30,
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, serial),
    algorithm,
    name(issuer),
    der(0x30, utc(from), utc(to)),
    name(subject),
    spkiOf(key),
    ...said,
  );
  const signature = sign('sha256', content, issuerKey);
  return der(0x30, content, algorithm, der(3, Buffer.from([0]), signature)).toString('base64url');
}

export interface Said {
  attestedBy: number;
  keptBy: number;
  challenge: Buffer;
  origin: number;
  isLocked: boolean;
  bootState: number;
  program: string;
  signer: Buffer;
  imei?: string;
}

const int = (n: number) => der(2, Buffer.from([n]));
const octets = (bytes: Buffer | string) => der(4, Buffer.from(bytes));
/** Of an authorization list: numbers from 31 on take bytes of their own. */
const tagged = (tag: number, value: Buffer) => der([0xbf, 0x80 | (tag >> 7), tag & 127], value);

/** What a keystore says of a key (KeyDescription). */
export const record = (said: Said): Buffer =>
  der(
    0x30,
    der(2, Buffer.from([1, 144])),
    der(10, Buffer.from([said.attestedBy])),
    der(2, Buffer.from([1, 144])),
    der(10, Buffer.from([said.keptBy])),
    octets(said.challenge),
    octets(''),
    der(
      0x30,
      tagged(
        709,
        octets(der(0x30, der(0x31, der(0x30, octets(said.program), int(1))), der(0x31, octets(said.signer)))),
      ),
    ),
    der(
      0x30,
      tagged(503, der(5)),
      tagged(702, int(said.origin)),
      tagged(
        704,
        der(
          0x30,
          octets(randomBytes(32)),
          der(1, Buffer.from([said.isLocked ? 255 : 0])),
          der(10, Buffer.from([said.bootState])),
          octets(randomBytes(32)),
        ),
      ),
      ...(said.imei === undefined ? [] : [tagged(714, octets(said.imei))]),
    ),
  );

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [root, batch] = [newKeys(), newKeys()];
const top = certificate({ subject: 'root', key: root.publicKey, issuer: 'root', issuerKey: root.privateKey });
const program = { name: 'in.kist.agent', signer: createHash('sha256').update('the signer of this agent').digest() };
const attests: Attests = { program, roots: [root.publicKey], isRevoked: () => false };

export const MAKER = {
  attests,
  newKeys,
  /** What a good phone says of a key that was made for this code. */
  good: (token: string): Said => ({
    attestedBy: 1,
    keptBy: 1,
    challenge: createHash('sha256').update(token).digest(),
    origin: 0,
    isLocked: true,
    bootState: 0,
    program: program.name,
    signer: program.signer,
  }),
  /** @param between of the certificate between the phone's and the root's, which differs where a test says so */
  chain: (key: KeyObject, said: Said, between: Partial<Certified> = {}): string[] => [
    certificate({ subject: 'key', key, issuer: 'batch', issuerKey: batch.privateKey, record: record(said) }),
    certificate({ subject: 'batch', key: batch.publicKey, issuer: 'root', issuerKey: root.privateKey, ...between }),
    top,
  ],
};
