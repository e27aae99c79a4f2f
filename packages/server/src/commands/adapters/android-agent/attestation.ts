import { X509Certificate, createPublicKey } from 'node:crypto';
import type { Grade } from '@kist/contract/agent';

/**
 * How far a phone's key is vouched for. 'none': no certificates, or they do not hang together. 'software': the first certifies this very
 * key and each is signed by the next. 'hardware' needs the chain to end in one of Google's roots with its revocation list; until those
 * are checked here nobody gets it.
 * @param chain base64url DER, the key's own certificate first
 */
export function gradeOf(spki: Buffer, chain: readonly string[]): Grade {
  if (chain.length === 0) return 'none';
  try {
    const certificates = chain.map((der) => new X509Certificate(Buffer.from(der, 'base64url')));
    const own = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const isOwn = certificates[0]!.publicKey.equals(own);
    const isChain = certificates.every((certificate, index) => {
      const issuer = certificates[index + 1];
      return issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
    });
    return isOwn && isChain && certificates.length > 1 ? 'software' : 'none';
  } catch {
    return 'none';
  }
}
