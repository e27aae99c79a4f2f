import { type KeyObject, X509Certificate, createPublicKey } from 'node:crypto';
import type { Grade } from '@kist/contract/agent';

const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1']);
const RSA_BITS_MOST = 4096;
const RSA_EXPONENT = 65_537n;

/**
 * What makers of phones certify with. Whoever sends certificates made them up, and chooses what it takes to prove them: one of 16,384 bits with a long
 * exponent takes a hundred times as long, and a chain has eight.
 */
function isUsual({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'ec') return CURVES.has(details.namedCurve);
  return (
    type === 'rsa' && (details.modulusLength ?? Infinity) <= RSA_BITS_MOST && details.publicExponent === RSA_EXPONENT
  );
}

/**
 * How far a phone's key is vouched for. 'none': no certificates, or they do not hang together. 'software': the first certifies this very
 * key and each is signed by the next, all with keys as makers use them. 'hardware' needs the chain to end in one of Google's roots with its revocation list; until those
 * are checked here nobody gets it.
 * @param chain base64url DER, the key's own certificate first
 */
export function gradeOf(spki: Buffer, chain: readonly string[]): Grade {
  if (chain.length === 0) return 'none';
  try {
    const certificates = chain.map((der) => new X509Certificate(Buffer.from(der, 'base64url')));
    if (!certificates.every(({ publicKey }) => isUsual(publicKey))) return 'none';
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
