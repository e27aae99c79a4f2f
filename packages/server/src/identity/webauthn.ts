import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { safeEqual, sha256 } from '#server/platform/crypto.ts';

/**
 * What a platform authenticator says, taken apart (WebAuthn level 2, 5.8.1 and 6.1). Small enough to be read whole: no attestation is asked for, so nothing but
 * two fixed layouts and one signature is looked at, and none of the formats that libraries exist for.
 */
export interface ClientData {
  type: string;
  challenge: string;
  origin: string;
  isCrossOrigin: boolean;
}

export interface AuthenticatorData {
  rpIdHash: Buffer;
  /** Somebody touched it, and it was its owner by finger, face or screen lock. */
  isPresent: boolean;
  isVerified: boolean;
  signCount: number;
  /** Only when a key was made. */
  credentialId: Buffer | undefined;
}

/** What a phone's maker may choose: ES256, and RS256 of Windows. */
const RSA_BITS = 2048;
const PRESENT = 1;
const VERIFIED = 4;
const HAS_KEY = 64;
/** Hash, flags, count; then the maker's id and the length of the credential's. */
const HEAD = 37;
const KEY_HEAD = HEAD + 18;

/** @returns undefined for what no browser sends */
export function readClientData(bytes: Buffer): ClientData | undefined {
  try {
    const { type, challenge, origin, crossOrigin } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
    return { type, challenge, origin, isCrossOrigin: crossOrigin !== undefined && crossOrigin !== false };
  } catch {
    return undefined;
  }
}

/** @returns undefined for what is cut off */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData | undefined {
  if (bytes.length < HEAD) return undefined;
  const flags = bytes.readUInt8(32);
  const hasKey = (flags & HAS_KEY) !== 0;
  if (hasKey && bytes.length < KEY_HEAD) return undefined;
  const end = hasKey ? KEY_HEAD + bytes.readUInt16BE(HEAD + 16) : HEAD;
  if (bytes.length < end) return undefined;
  return {
    rpIdHash: bytes.subarray(0, 32),
    isPresent: (flags & PRESENT) !== 0,
    isVerified: (flags & VERIFIED) !== 0,
    signCount: bytes.readUInt32BE(33),
    credentialId: hasKey ? bytes.subarray(KEY_HEAD, end) : undefined,
  };
}

/** @returns undefined for a key of any other kind than phones make */
export function readPublicKey(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const details = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === 'ec') return details.namedCurve === 'prime256v1' ? key : undefined;
    return key.asymmetricKeyType === 'rsa' && (details.modulusLength ?? 0) >= RSA_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}

/** What was asked, and what the device answered. */
interface Answer {
  type: 'webauthn.create' | 'webauthn.get';
  /** The page that asked. */
  origin: string;
  clientData: ClientData;
  authenticator: AuthenticatorData;
}

/** Whether the answer is to this question, on the page that asked it, by the device's owner. The challenge was found by its hash before. */
export const isAnswerTo = ({ type, origin, clientData, authenticator }: Answer): boolean =>
  clientData.type === type &&
  clientData.origin === origin &&
  !clientData.isCrossOrigin &&
  safeEqual(authenticator.rpIdHash, sha256(new URL(origin).hostname)) &&
  authenticator.isPresent &&
  authenticator.isVerified;

/** Whether the key signed exactly these data. */
export function isSigned(key: KeyObject, signed: { authenticatorData: Buffer; clientData: Buffer }, signature: Buffer) {
  try {
    return verify('sha256', Buffer.concat([signed.authenticatorData, sha256(signed.clientData)]), key, signature);
  } catch {
    return false;
  }
}

/** A device that counts says more each time; one that does not says 0 for ever. Anything else is signed by a copy, or was signed before. */
export const isCountHonest = (kept: number, said: number): boolean => (kept === 0 && said === 0) || said > kept;
