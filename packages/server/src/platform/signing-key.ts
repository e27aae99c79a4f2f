import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { sha256 } from './crypto.ts';

/** The server's EC P-256 key that phones pin: what it signs, a phone can check alone. */
export interface SigningKey {
  /** First 16 hex digits of SHA-256 over the public key's SPKI. */
  keyId: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** SubjectPublicKeyInfo, DER. */
  spki: Buffer;
  /** ECDSA P-256 with SHA-256, 64 bytes r‖s. */
  sign(data: string | Uint8Array): Buffer;
}

/** @throws Error when the PEM holds no EC P-256 private key */
export function signingKeyFromPem(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ec' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('The agent signing key must be an EC P-256 private key (PEM).');
  }
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    keyId: keyIdOf(spki),
    privateKey,
    publicKey,
    spki,
    sign: (data) => sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

/** The key id of any public key: first 16 hex digits of SHA-256 over its SPKI. */
function keyIdOf(spki: Uint8Array): string {
  return sha256(spki).toString('hex').slice(0, 16);
}

/** A new EC P-256 private key as PKCS#8 PEM. */
export function newSigningKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
