import { type Lease, type Signed, leaseSchema } from '@kist/contract/agent';
import type { ServerKey } from './server-key.ts';

/**
 * Signs a lease. The signature covers the characters of `payload`, so a phone checks bytes and never re-encodes JSON.
 * @throws ZodError when the lease is not one: better no lease than one a phone would refuse
 */
export function signLease(key: ServerKey, lease: Lease): Signed {
  const payload = Buffer.from(JSON.stringify(leaseSchema.parse(lease))).toString('base64url');
  return { key_id: key.keyId, payload, signature: key.sign(payload).toString('base64url') };
}
