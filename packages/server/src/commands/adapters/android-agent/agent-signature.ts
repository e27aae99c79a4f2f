import { type KeyObject, hash, timingSafeEqual } from 'node:crypto';
import {
  KEY_HEADER,
  REPLY_COMPONENTS,
  REQUEST_COMPONENTS,
  type SignatureParams,
  parseContentDigest,
  parsePublicKey,
  parseSignature,
  parseSignatureInput,
  signatureBase,
  signatureInput,
} from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import type { AgentHeaders, AgentRequest } from '#server/commands/adapter.ts';
import { type ServerKey, isSignedBy } from './server-key.ts';

/** What a request claims, before its key is known. */
export interface Claim extends SignatureParams {
  readonly base: string;
  /** The key that the request brings; whether it is the one that `keyid` names is not asked yet. */
  readonly publicKey: Buffer | undefined;
  readonly signature: Buffer;
}

const one = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');
const bytesOf = (text: string | undefined): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64url');
/** In one call: a hash that is fed and read by turns costs twice as much. */
const digestOf = (body: Buffer | string): Buffer => hash('sha256', body, 'buffer');
const refuse = (why: string): KistError => new KistError('AGENT_SIGNATURE_INVALID', { internal: why });

/**
 * Reads the signature headers and proves that the body is the signed one.
 * @throws KistError AGENT_SIGNATURE_INVALID for whatever is missing or malformed
 */
export function readClaim(request: AgentRequest): Claim {
  const { digest, ...claim } = readHeaders(request);
  const claimed = Buffer.from(digest, 'base64');
  const computed = digestOf(request.body);
  if (claimed.length !== computed.length || !timingSafeEqual(claimed, computed))
    throw refuse('body differs from its digest');
  return claim;
}

/** What was signed, and the key, of questions whose signature was looked at before their body came, by their headers. */
const proved = new WeakMap<AgentHeaders['headers'], { base: string; key: KeyObject }>();

/** Whether the headers, which are all that a signature is over, were signed by this key; of the body nothing is known by that. */
export function isSignedQuestion(request: AgentHeaders, key: KeyObject): boolean {
  try {
    const claim = readHeaders(request);
    verifyClaim(claim, key);
    proved.set(request.headers, { base: claim.base, key });
    return true;
  } catch (error) {
    if (error instanceof KistError) return false;
    throw error;
  }
}

/** As `verifyClaim`; a signature is dear, and one that was found right at these very headers is not looked at again. @throws KistError AGENT_SIGNATURE_INVALID */
export function verifyOnce({ headers }: AgentHeaders, claim: Claim, key: KeyObject): void {
  const before = proved.get(headers);
  if (before?.base !== claim.base || before.key !== key) verifyClaim(claim, key);
}

/** @throws KistError AGENT_SIGNATURE_INVALID for whatever is missing or malformed */
function readHeaders(request: AgentHeaders): Claim & { digest: string } {
  const params = parseSignatureInput(one(request.headers['signature-input']), REQUEST_COMPONENTS);
  if (!params) throw refuse('signature-input');
  const signature = parseSignature(one(request.headers.signature));
  if (!signature) throw refuse('signature');
  const header = one(request.headers['content-digest']);
  const digest = parseContentDigest(header);
  if (!digest) throw refuse('content-digest');
  const values = { '@method': request.method, '@path': request.path, 'content-digest': header };
  return {
    ...params,
    digest,
    base: signatureBase(REQUEST_COMPONENTS, values, params),
    publicKey: bytesOf(parsePublicKey(one(request.headers[KEY_HEADER]))),
    signature: Buffer.from(signature, 'base64'),
  };
}

/** @throws KistError AGENT_SIGNATURE_INVALID when the claim was not signed by this key */
export function verifyClaim(claim: Claim, key: KeyObject): void {
  if (!isSignedBy(key, claim.base, claim.signature)) throw refuse('signature does not fit');
}

/**
 * Headers of a signed answer. The nonce of the question stands in it, so an old answer never passes for a new one.
 * @param body as text, which leaves in UTF-8
 * @param nonce of the request; '' when it had none that could be read
 */
export function signReply(
  key: ServerKey,
  status: number,
  body: string,
  nonce: string,
  atMs: number,
): Record<string, string> {
  const digest = `sha-256=:${digestOf(body).toString('base64')}:`;
  const params: SignatureParams = { created: Math.floor(atMs / 1000), nonce, keyid: key.keyId };
  const values = { '@status': String(status), 'content-digest': digest, 'kist-nonce': nonce };
  const signature = key.sign(signatureBase(REPLY_COMPONENTS, values, params));
  return {
    'content-digest': digest,
    'kist-nonce': nonce,
    'signature-input': signatureInput(REPLY_COMPONENTS, params),
    signature: `sig1=:${signature.toString('base64')}:`,
    'x-server-time': new Date(atMs).toISOString(),
  };
}
