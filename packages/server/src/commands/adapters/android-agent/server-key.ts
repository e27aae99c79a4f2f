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

/** @returns the key of a phone; undefined when the bytes are no P-256 public key. */
export function publicKeyFrom(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return isP256(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the holder of this key signed this text. */
export function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const der = derOf(signature);
  return der !== undefined && verify('sha256', Buffer.from(text), key, der);
}
