import { createHash } from 'node:crypto';
import { type EnrolReply, type EnrolRequest, keyidOf, tokenName } from '@kist/contract/agent';
import { OWN_AGENT } from '@kist/contract/capabilities';
import { KistError } from '@kist/contract/errors';
import { INT4_MAX } from '@kist/contract/limits';
import type { PlanePorts } from '#server/commands/adapter.ts';
import { type Claim, verifyClaim } from './agent-signature.ts';
import { type Attests, gradeOf } from './attestation.ts';
import type { CodeNames } from './code-names.ts';
import { type ServerKey, publicKeyFrom } from './server-key.ts';

/** `<organisation, base 36>.<256 random bits>`. */
const TOKEN = /^([0-9a-z]{1,6})\.([A-Za-z0-9_-]{43})$/;

export interface EnrolPorts {
  plane: Pick<PlanePorts, 'enrolled'>;
  codes: Pick<CodeNames, 'isCode'>;
  key: Pick<ServerKey, 'spki' | 'keyId'>;
  attests: Attests;
}

/**
 * A phone asks to be taken in. The request is signed with the key it brings, so whoever holds the token also holds that key. Whoever made a token up is told
 * before its key is read: tokens cannot be guessed, so nobody learns of one that way who does not have it.
 * @param moment the product's time; `stale`: what to refuse it with once the token is known to exist
 * @throws KistError AGENT_SIGNATURE_INVALID, AGENT_UNKNOWN, and as `enrolled` of the plane
 */
export async function enrol(
  { plane, codes, key, attests }: EnrolPorts,
  claim: Claim,
  body: EnrolRequest,
  { stale, nowMs }: { stale: KistError | undefined; nowMs: number },
): Promise<EnrolReply> {
  if (claim.keyid !== tokenName(body.token))
    throw new KistError('AGENT_SIGNATURE_INVALID', { internal: 'keyid is not the token' });
  const orgId = Number.parseInt(TOKEN.exec(body.token)?.[1] ?? '', 36);
  if (!(orgId > 0 && orgId <= INT4_MAX) || !(await codes.isCode(claim.keyid))) throw new KistError('AGENT_UNKNOWN');
  const spki = Buffer.from(body.public_key_spki, 'base64url');
  const publicKey = publicKeyFrom(spki);
  if (!publicKey) throw new KistError('AGENT_SIGNATURE_INVALID', { internal: 'not a P-256 key in its one form' });
  verifyClaim(claim, publicKey);
  const grade = () => {
    // The code is this server's own and good once: its hash is the nonce that the key is to be made for.
    const challenge = createHash('sha256').update(body.token).digest();
    return gradeOf(spki, body.attestation, { challenge, program: attests.program, imeis: body.imei, nowMs }, attests);
  };
  const { enrolmentId: _, ...enrolled } = await plane.enrolled({ orgId, vendor: OWN_AGENT, spki, grade, body, stale });
  const keyid = keyidOf(orgId, createHash('sha256').update(spki).digest('base64url'));
  return { keyid, ...enrolled, server_key_spki: key.spki, server_key_id: key.keyId };
}
