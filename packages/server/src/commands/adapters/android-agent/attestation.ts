import { type KeyObject, X509Certificate, createPublicKey } from 'node:crypto';
import type { Grade } from '@kist/contract/agent';
import { type KeyRecord, recordOf } from './key-record.ts';

const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1']);
const RSA_BITS_MOST = 4096;
const RSA_EXPONENT = 65_537n;

/**
 * What makers of phones certify with. Whoever sends certificates made them up, and chooses what it takes to prove them: one of 16,384 bits with a long
 * exponent takes a hundred times as long, and a chain has eight.
 */
function isUsual({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'ec') return CURVES.has(details.namedCurve);
  return (
    type === 'rsa' && (details.modulusLength ?? Infinity) <= RSA_BITS_MOST && details.publicExponent === RSA_EXPONENT
  );
}

/** What must be true of a key for it to be this server's agent on this very phone. */
export interface Asked {
  /** The nonce that this enrolment's code stands for. */
  challenge: Buffer;
  /** The agent as it is installed: its package, and the SHA-256 of the certificate it is signed with. */
  program: { name: string; signer: Buffer };
  imeis: readonly string[];
  nowMs: number;
}

/** Whom a chain must end with, and which certificates are taken back by their serial numbers (lower-case hex, without leading zeros). */
export interface Vouchers {
  roots: readonly KeyObject[];
  isRevoked: (serial: string) => boolean;
}

/** What a server knows of its own agent and of who may vouch for a phone's key. */
export interface Attests extends Vouchers {
  program: Asked['program'];
}

/**
 * How far a phone's key is vouched for. 'none': no certificates, or they do not hang together. 'software': the first certifies this very key and each is
 * signed by the next, all with keys as makers use them; anybody can make such. 'hardware': the chain ends in one of Google's roots, nothing of it is over or
 * taken back, and the secure part of the phone says that it made the key for this enrolment, on a locked phone that started what its maker signed, for the
 * agent as this server hands it out.
 * @param chain base64url DER, the key's own certificate first
 */
export function gradeOf(spki: Buffer, chain: readonly string[], asked: Asked, vouchers: Vouchers): Grade {
  if (chain.length === 0) return 'none';
  try {
    const certificates = chain.map((der) => new X509Certificate(Buffer.from(der, 'base64url')));
    if (!certificates.every(({ publicKey }) => isUsual(publicKey))) return 'none';
    const own = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const isOwn = certificates[0]!.publicKey.equals(own);
    if (!isOwn || certificates.length < 2 || !hangsTogether(certificates)) return 'none';
    if (certificates.some(({ serialNumber }) => vouchers.isRevoked(plainSerial(serialNumber)))) return 'none';
    return isVouchedFor(certificates, asked, vouchers) ? 'hardware' : 'software';
  } catch {
    return 'none';
  }
}

export const plainSerial = (serial: string): string => serial.toLowerCase().replace(/^0+/, '');

const hangsTogether = (certificates: readonly X509Certificate[]): boolean =>
  certificates.every((certificate, index) => {
    const issuer = certificates[index + 1];
    return issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  });

function isVouchedFor(certificates: readonly X509Certificate[], asked: Asked, { roots }: Vouchers): boolean {
  const root = certificates.at(-1)!;
  const between = certificates.slice(1, -1);
  // The root stands by its key: one of Google's was certified anew, and old phones bring it as it was.
  if (!roots.some((key) => key.equals(root.publicKey))) return false;
  // A phone's key has no end that its maker knew; a root none that counts.
  if (!between.every((one) => one.validFromDate.getTime() <= asked.nowMs && asked.nowMs <= one.validToDate.getTime()))
    return false;
  // A key that is vouched for could itself sign a certificate with a record that it made up.
  if (certificates.slice(1).some(({ raw }) => hasRecord(raw))) return false;
  const record = recordIn(certificates[0]!.raw);
  return record !== undefined && fits(record, asked);
}

const hasRecord = (certificate: Buffer): boolean => recordOf(certificate) !== undefined;

/** A record that cannot be read says nothing: the chain is still what it is. */
function recordIn(certificate: Buffer): KeyRecord | undefined {
  try {
    return recordOf(certificate);
  } catch {
    return undefined;
  }
}

const SOFTWARE = 0;

function fits(record: KeyRecord, { challenge, program, imeis }: Asked): boolean {
  return (
    record.attestedBy > SOFTWARE &&
    record.keptBy > SOFTWARE &&
    record.isGenerated &&
    record.challenge.equals(challenge) &&
    record.boot !== null &&
    record.boot.isLocked &&
    record.boot.isVerified &&
    record.packages.includes(program.name) &&
    record.signers.some((signer) => signer.equals(program.signer)) &&
    (record.imeis.length === 0 || record.imeis.some((imei) => imeis.includes(imei)))
  );
}
