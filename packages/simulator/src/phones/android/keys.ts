import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { jcs } from '@kist/contract/jcs';

/** The wire's only signature: ECDSA P-256 over SHA-256, r‖s (64 bytes), as RFC 9421 and the lease want it. */
const ENCODING = 'ieee-p1363';

/** A phone's own key. Android would keep it in the keystore; here it never leaves this process but for its own state file. */
export interface PhoneKey {
  publicKeySpki: string;
  /** @returns 64 bytes */
  sign: (text: string) => Buffer;
  /** PKCS#8, base64url: for the state file only. */
  exported: () => string;
}

const keyOf = (privateKey: KeyObject): PhoneKey => ({
  publicKeySpki: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64url'),
  sign: (text) => sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: ENCODING }),
  exported: () => privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
});

export const generateKey = (): PhoneKey => keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

/** @throws Error when the text is no PKCS#8 key. */
export const importKey = (pkcs8Base64url: string): PhoneKey =>
  keyOf(createPrivateKey({ key: Buffer.from(pkcs8Base64url, 'base64url'), type: 'pkcs8', format: 'der' }));

/** @returns whether `signature` over `text` is by the holder of this public key; false for anything malformed. */
export function isSignedBy(spkiBase64url: string, text: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spkiBase64url, 'base64url'), type: 'spki', format: 'der' });
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: ENCODING }, signature);
  } catch {
    return false;
  }
}

/** A server key's name is its own hash, so the QR that names it also proves it: 16 characters of base64url(SHA-256(spki)). */
export const keyIdOf = (spkiBase64url: string): string =>
  createHash('sha256').update(Buffer.from(spkiBase64url, 'base64url')).digest('base64url').slice(0, 16);

/** Of the desired state that is applied: base64url of the SHA-256 of its JSON in the form of RFC 8785. */
export const policyDigest = (policy: object): string => createHash('sha256').update(jcs(policy)).digest('base64url');

/** Value of `Content-Digest` (RFC 9530). */
export const contentDigest = (body: string | Buffer): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
