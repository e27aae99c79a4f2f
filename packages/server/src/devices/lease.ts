import { type Lease, type Signed, leaseSchema } from '@kist/contract/agent';
import type { ServerKey } from './server-key.ts';

/** What the locking slice decides of a lease; number, revision, phone and moment of issue are the device's own and set with it. */
export type LeaseTerms = Omit<Lease, 'v' | 'device_id' | 'seq' | 'revision' | 'issued_at'>;

/**
 * Signs a lease. The signature covers the characters of `payload`, so a phone checks bytes and never re-encodes JSON.
 * @throws ZodError when the lease is not one: better no lease than one a phone would refuse
 */
export function signLease(key: ServerKey, lease: Lease): Signed {
  const payload = Buffer.from(JSON.stringify(leaseSchema.parse(lease))).toString('base64url');
  return { key_id: key.keyId, payload, signature: key.sign(payload).toString('base64url') };
}
