import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

export interface Signing {
  challenge: string;
  origin: string;
  /** The name of the pages that it believes itself on; of `origin` unless given. */
  rpId?: string;
  /** Present and verified, unless given. */
  flags?: number;
  count?: number;
  type?: string;
  crossOrigin?: boolean;
}

/** A platform authenticator with one key, which answers as a phone's browser passes it on. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const parts = ({ challenge, origin, rpId, flags = 5, count = 0, type, crossOrigin }: Signing, usual: string) => {
    const head = Buffer.alloc(37);
    sha256(rpId ?? new URL(origin).hostname).copy(head);
    head.writeUInt8(flags, 32);
    head.writeUInt32BE(count, 33);
    const client = Buffer.from(
      JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: crossOrigin ?? false }),
    );
    return { head, client };
  };
  return {
    credential: text(id),
    /** What `navigator.credentials.create` gives. */
    make(signing: Signing) {
      const { head, client } = parts({ flags: 0x45, ...signing }, 'webauthn.create');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      // The maker's id, and after the credential a COSE key that nobody reads: the browser gives it as SPKI too.
      const data = Buffer.concat([head, Buffer.alloc(16), length, id, Buffer.from('a0', 'hex')]);
      return {
        credential: text(id),
        client_data: text(client),
        authenticator_data: text(data),
        public_key: text(publicKey.export({ format: 'der', type: 'spki' })),
      };
    },
    /** What `navigator.credentials.get` gives. */
    get(signing: Signing) {
      const { head, client } = parts(signing, 'webauthn.get');
      const signature = sign('sha256', Buffer.concat([head, sha256(client)]), privateKey);
      return {
        credential: text(id),
        client_data: text(client),
        authenticator_data: text(head),
        signature: text(signature),
      };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
