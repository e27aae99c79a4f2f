import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { hmacSha256, sha256 } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { networkOf, siteOf } from '#server/platform/network.ts';
import type { Ports } from '#server/platform/ports.ts';
import { hit } from '#server/platform/rate-limit.ts';
import type { Visitor } from './actor.ts';
import { isSecretDeviceId } from './rules.ts';
import * as store from './store.ts';

/**
 * Whose budget a request about a mobile draws on before anybody has proved who they are (docs/decisions/0006): a device that this user signed in with, an
 * address of one of the user's latest sign-ins, anybody else; a session orders step-up codes, a shop's counter asks a customer for their word. What one lane uses up is missing in no other.
 */
export type Lane = 'device' | 'address' | 'stranger' | 'session' | 'counter';

export interface Asker {
  lane: Lane;
  /** Keyed hash of the device, the network or the user. */
  asker: Buffer;
  /** Keyed hash of the widest network that one subscriber may be given; of strangers only. */
  site: Buffer | null;
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
  counter: { each: LIMITS.otpPerDay, together: 25 },
};

/** Requests of one asker about one mobile in ten minutes: far above what a person needs. Presented codes are fewer for who is not on a trusted device. */
const windowS = 600;
const PER_WINDOW = { ask: 30, code: { device: 30, address: 10, stranger: 10, session: 10, counter: 10 } } as const;

/** What is kept of a mobile: it finds the same mobile again and tells it to nobody without the pepper. */
export const mobileHash = ({ identity }: Ports, orgId: number, mobile: string): Buffer =>
  hmacSha256(identity.pepper, 'mobile', String(orgId), mobile);

/** Of a device whose id is a secret; any other id says no more about who asks than none. */
export const deviceHash = (deviceId: string | undefined): Buffer | null =>
  isSecretDeviceId(deviceId) ? sha256(deviceId) : null;

/** What stands for the device of a client that names none: its network, so that nobody elsewhere can use its code up. */
export const networkHash = ({ identity }: Ports, ip: string): Buffer =>
  hmacSha256(identity.pepper, 'network', networkOf(ip));

/** The account holder, ordering in a session. */
export const inSession = (ports: Ports, userId: string): Asker => ({
  lane: 'session',
  asker: askerHash(ports, 'session', userId),
  site: null,
});

/** A shop with its mini-retailers, asking a customer at the counter; what it uses up is missing to no other shop, and not to the customer's own sign-in. */
export const atCounter = (ports: Ports, shopUserId: string): Asker => ({
  lane: 'counter',
  asker: askerHash(ports, 'counter', shopUserId),
  site: null,
});

/**
 * Counts a request about a mobile before it is looked at, in a budget that no other asker can use up.
 * @returns who asks
 * @throws KistError RATE_LIMITED; OTP_LOCKED for presented codes
 */
export async function admit(
  db: Database,
  visitor: Visitor,
  { mobile, device_id }: { mobile: string; device_id?: string | undefined },
  what: 'ask' | 'code',
): Promise<Asker> {
  const from = await find(db, visitor, mobile, deviceHash(device_id));
  const limit = what === 'ask' ? PER_WINDOW.ask : PER_WINDOW.code[from.lane];
  const subject = Buffer.concat([mobileHash(db.ports, visitor.orgId, mobile), from.asker]).toString('base64');
  const { allowed, retryAfterS } = await hit(db.devicePool, [{ name: `auth.${what}`, subject, limit, windowS }]);
  if (!allowed) throw new KistError(what === 'ask' ? 'RATE_LIMITED' : 'OTP_LOCKED', { retryAfterS });
  return from;
}

/** One statement, the same for a mobile that is nobody's. */
async function find(db: Database, { orgId, ip }: Visitor, mobile: string, device_hash: Buffer | null): Promise<Asker> {
  const { ports } = db;
  const earlier = await db.read(orgId, (tx) => store.earlierSignIns.first(tx, { mobile, device_hash }));
  if (earlier?.is_trusted && device_hash)
    return { lane: 'device', asker: askerHash(ports, 'device', device_hash), site: null };
  const network = networkOf(ip);
  if (earlier?.addresses.some((address) => networkOf(address) === network))
    return { lane: 'address', asker: askerHash(ports, 'address', network), site: null };
  const site = hmacSha256(ports.identity.pepper, 'site', siteOf(ip));
  return { lane: 'stranger', asker: askerHash(ports, 'stranger', network), site };
}

const askerHash = ({ identity }: Ports, lane: Lane, of: string | Uint8Array): Buffer =>
  hmacSha256(identity.pepper, 'asker', lane, of);
