import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

const signOnPool = promisify(sign);
const verifyOnPool = promisify(verify);

/** Phones pin this key: with it the server signs answers and leases. One for each installation, kept outside the database. */
export interface ServerKey {
  /** First 16 characters of base64url(SHA-256(spki)). */
  readonly keyId: string;
  /** Public key, base64url of DER SubjectPublicKeyInfo. */
  readonly spki: string;
  /** @returns ECDSA P-256 over SHA-256, 64 bytes r‖s (IEEE P1363). */
  sign(text: string): Buffer;
  /** The same on another thread: a server answers thousands of phones a second, and every answer is signed. */
  signAside(text: string): Promise<Buffer>;
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
    sign: (text) => sign('sha256', Buffer.from(text), { key: secret, dsaEncoding: 'ieee-p1363' }),
    signAside: (text) => signOnPool('sha256', Buffer.from(text), { key: secret, dsaEncoding: 'ieee-p1363' }),
    verify: (text, signature) =>
      verify('sha256', Buffer.from(text), { key: open, dsaEncoding: 'ieee-p1363' }, signature),
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

/** @returns whether the holder of a phone's key signed this text; on another thread, for the same reason. */
export const isSignedBy = (key: KeyObject, text: string, signature: Buffer): Promise<boolean> =>
  verifyOnPool('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature);
