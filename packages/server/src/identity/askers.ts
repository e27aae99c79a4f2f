import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { hmacSha256 } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { networkOf, siteOf } from '#server/platform/network.ts';
import { hit } from '#server/platform/rate-limit.ts';
import { knownWays } from './store.ts';

/**
 * Whose budget a request about a mobile draws on before anybody has proved who they are (docs/decisions/0006): a device that this user signed in with, an
 * address of one of the user's latest sign-ins, anybody else; a session orders step-up codes. What one lane uses up is missing in no other.
 */
export type Lane = 'device' | 'address' | 'stranger' | 'session';

export interface Asker {
  lane: Lane;
  /** Keyed hash of the device, the network or the user. */
  key: Buffer;
  /** Keyed hash of the widest network that one subscriber may be given; of strangers only. */
  site?: Buffer;
}

/**
 * Codes about one mobile in 24 hours that nobody used: for one asker, for one site of strangers, and for all of a lane together. Four addresses at two
 * sites at least are needed to use up what strangers have; the trusted devices are five at most.
 *
 * Guessing: a code has 6 digits and 5 tries, of all who try, and only the newest of an asker can be tried. Strangers get 20 × 5 tries at one in 10^6:
 * 10^-4 a day for a mobile. All lanes together, as if one guesser had every trusted device, address and session: (20 + 10 + 25 + 5) × 5 / 10^6 = 3 × 10^-4.
 */
export const CODES_A_DAY: Readonly<Record<Lane, { each: number; site?: number; together: number }>> = {
  stranger: { each: LIMITS.otpPerDay, site: 10, together: 20 },
  address: { each: LIMITS.otpPerDay, together: 10 },
  device: { each: LIMITS.otpPerDay, together: 25 },
  session: { each: LIMITS.otpPerDay, together: 5 },
};

/** Requests of one asker about one mobile in ten minutes: far above what a person needs. Presented codes are fewer for who is not on a trusted device. */
const windowS = 600;
const PER_WINDOW = { ask: 30, code: { device: 30, address: 10, stranger: 10, session: 10 } } as const;

export interface Askers {
  /** What is kept of a mobile: it finds the same mobile again and tells it to nobody without the pepper. */
  mobileHash(orgId: number, mobile: string): Buffer;
  /** @returns who asks about this mobile; one statement, the same for a mobile that is nobody's */
  find(from: { orgId: number; ip: string }, about: { mobile: string; deviceHash: Buffer | null }): Promise<Asker>;
  /** The account holder, ordering in a session. */
  inSession(userId: string): Asker;
  /** What stands for the device of a client that names none: its network, so that nobody elsewhere can use its code up. */
  networkHash(ip: string): Buffer;
  /** Counts a request before it is looked at. @throws KistError RATE_LIMITED; OTP_LOCKED for presented codes */
  admit(asker: Asker, mobileHash: Buffer, what: 'ask' | 'code'): Promise<void>;
}

export function createAskers(db: Pick<Database, 'read' | 'devicePool'>, pepper: Uint8Array): Askers {
  const keyOf = (lane: Lane, of: string | Uint8Array): Buffer => hmacSha256(pepper, 'asker', lane, of);
  return {
    mobileHash: (orgId, mobile) => hmacSha256(pepper, 'mobile', String(orgId), mobile),
    async find({ orgId, ip }, { mobile, deviceHash }) {
      const { isTrusted, addresses } = await db.read(orgId, (tx) => knownWays(tx, mobile, deviceHash));
      if (isTrusted && deviceHash) return { lane: 'device', key: keyOf('device', deviceHash) };
      const network = networkOf(ip);
      if (addresses.some((address) => networkOf(address) === network))
        return { lane: 'address', key: keyOf('address', network) };
      return { lane: 'stranger', key: keyOf('stranger', network), site: hmacSha256(pepper, 'site', siteOf(ip)) };
    },
    inSession: (userId) => ({ lane: 'session', key: keyOf('session', userId) }),
    networkHash: (ip) => hmacSha256(pepper, 'network', networkOf(ip)),
    async admit({ lane, key }, mobileHash, what) {
      const limit = what === 'ask' ? PER_WINDOW.ask : PER_WINDOW.code[lane];
      const subject = Buffer.concat([mobileHash, key]).toString('base64');
      const { allowed, retryAfterS } = await hit(db.devicePool, [{ name: `auth.${what}`, subject, limit, windowS }]);
      if (!allowed) throw new KistError(what === 'ask' ? 'RATE_LIMITED' : 'OTP_LOCKED', { retryAfterS });
    },
  };
}
