import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { derOf, sideBySide } from './ecdsa-form.ts';

/** Phones pin this key: with it the server signs answers and leases. One for each installation, kept outside the database. */
export interface ServerKey {
  /** First 16 characters of base64url(SHA-256(spki)). */
  readonly keyId: string;
  /** Public key, base64url of DER SubjectPublicKeyInfo. */
  readonly spki: string;
  /** @returns ECDSA P-256 over SHA-256, 64 bytes r‖s (IEEE P1363). On this thread: handing it to another costs more than the signature. */
  sign(text: string): Buffer;
  verify(text: string, signature: Buffer): boolean;
}

/**
 * @param privateKey PEM (PKCS #8) or key object, curve P-256
 * @throws TypeError when the key is of another kind
 */
export function createServerKey(privateKey: string | KeyObject): ServerKey {
  const secret = typeof privateKey === 'string' ? createPrivateKey(privateKey) : privateKey;
  if (!isP256(secret)) throw new TypeError('The agent key is not an EC P-256 key.');
  const open = createPublicKey(secret);
  const der = open.export({ format: 'der', type: 'spki' });
  return {
    keyId: createHash('sha256').update(der).digest('base64url').slice(0, 16),
    spki: der.toString('base64url'),
    sign: (text) => sideBySide(sign('sha256', Buffer.from(text), secret)),
    verify: (text, signature) => isSignedBy(open, text, signature),
  };
}

const isP256 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';

/** All that comes before the two coordinates, 32 bytes each, in the one form in which a key may come; it names the curve. */
const UNCOMPRESSED_P256 = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');
const SPKI_BYTES = 91;

/**
 * One key has many forms (compressed, hybrid, longer lengths, bytes behind it), and its name is the hash of its bytes: in more than one form it would be
 * more than one phone.
 * @returns the key of a phone; undefined when the bytes are no P-256 public key in the one form
 */
export const publicKeyFrom = (spki: Buffer): KeyObject | undefined =>
  spki.length === SPKI_BYTES && spki.subarray(0, UNCOMPRESSED_P256.length).equals(UNCOMPRESSED_P256)
    ? readKey(spki)
    : undefined;

/** @returns a key that was taken in, perhaps before there was only one form; whose phone is held must still be heard */
export function storedKeyFrom(spki: Buffer): KeyObject | undefined {
  const key = readKey(spki);
  return key && isP256(key) ? key : undefined;
}

/** To ask a key for its curve costs half as much again as to read it: who knows it does not ask. @returns undefined of bytes that are no key, a point off its curve among them */
function readKey(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** @returns whether the holder of this key signed this text. */
export function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const der = derOf(signature);
  return der !== undefined && verify('sha256', Buffer.from(text), key, der);
}
