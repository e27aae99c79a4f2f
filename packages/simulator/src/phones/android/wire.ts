import { randomBytes } from 'node:crypto';
import {
  KEY_HEADER,
  REPLY_COMPONENTS,
  REQUEST_COMPONENTS,
  isKeyName,
  leaseSchema,
  parseContentDigest,
  parseSignature,
  parseSignatureInput,
  signatureBase,
  signatureInput,
} from '@kist/contract/agent';
import type { Lease, Signed } from '@kist/contract/agent';
import { contentDigest, isSignedBy } from './keys.ts';
import type { PhoneKey } from './keys.ts';

export interface SignedRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
  nonce: string;
}

export interface Signer {
  keyid: string;
  key: Pick<PhoneKey, 'sign' | 'publicKeySpki'>;
}

/**
 * Signs one request of the agent protocol.
 * @param createdMs Unix milliseconds for `created`
 * @param body JSON text; empty for GET (its digest is signed all the same)
 */
export function signRequest(
  signer: Signer,
  method: 'GET' | 'POST',
  path: string,
  body: string,
  createdMs: number,
): SignedRequest {
  const nonce = randomBytes(18).toString('base64url');
  const params = { created: Math.floor(createdMs / 1000), nonce, keyid: signer.keyid };
  const digest = contentDigest(body);
  const values = { '@method': method, '@path': path, 'content-digest': digest };
  const signature = signer.key.sign(signatureBase(REQUEST_COMPONENTS, values, params)).toString('base64');
  const headers: Record<string, string> = {
    'content-digest': digest,
    'signature-input': signatureInput(REQUEST_COMPONENTS, params),
    signature: `sig1=:${signature}:`,
    ...(isKeyName(signer.keyid) && { [KEY_HEADER]: signer.key.publicKeySpki }),
  };
  if (method === 'POST') headers['content-type'] = 'application/json';
  return { method, path, headers, body, nonce };
}

export interface PinnedKey {
  keyId: string;
  spki: string;
}

/** An answer that is not the pinned server's own: no byte of it is used. */
export class ForgedAnswer extends Error {}

interface Answer {
  status: number;
  header: (name: string) => string | null;
  body: string;
}

/**
 * Proves that an answer is the pinned server's, whole, and belongs to this very question (the signed nonce).
 * @throws ForgedAnswer otherwise
 */
export function proveAnswer(pinned: PinnedKey, nonce: string, answer: Answer): void {
  const params = parseSignatureInput(answer.header('signature-input') ?? '', REPLY_COMPONENTS);
  const signature = parseSignature(answer.header('signature') ?? '');
  const digest = answer.header('content-digest') ?? '';
  if (!params || !signature) throw new ForgedAnswer('not signed');
  if (params.keyid !== pinned.keyId) throw new ForgedAnswer('signed by another key');
  if (answer.header('kist-nonce') !== nonce) throw new ForgedAnswer('answer to another question');
  const isWhole = parseContentDigest(digest) !== undefined && digest === contentDigest(answer.body);
  if (!isWhole) throw new ForgedAnswer('body does not match its digest');
  const values = { '@status': String(answer.status), 'content-digest': digest, 'kist-nonce': nonce };
  const base = signatureBase(REPLY_COMPONENTS, values, params);
  if (!isSignedBy(pinned.spki, base, Buffer.from(signature, 'base64'))) throw new ForgedAnswer('wrong signature');
}

/**
 * Opens a signed lease with the pinned key.
 * @throws ForgedAnswer when it is signed by anyone else or is no lease
 */
export function openLease(pinned: PinnedKey, signed: Signed): Lease {
  if (signed.key_id !== pinned.keyId) throw new ForgedAnswer('lease by another key');
  if (!isSignedBy(pinned.spki, signed.payload, Buffer.from(signed.signature, 'base64url'))) {
    throw new ForgedAnswer('lease with a wrong signature');
  }
  const parsed = leaseSchema.safeParse(readJson(Buffer.from(signed.payload, 'base64url').toString('utf8')));
  if (!parsed.success) throw new ForgedAnswer('not a lease');
  return parsed.data;
}

/** @returns the parsed JSON; undefined when the text is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
