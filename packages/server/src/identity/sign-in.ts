import type { z } from 'zod';
import type { authEndpoints, SessionGrant } from '@kist/contract/auth';
import type { Purpose } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import { hashSecret } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Ports } from '#server/platform/ports.ts';
import { type Visitor, userActor } from './actor.ts';
import { type Asker, admit, deviceHash, mobileHash, networkHash } from './askers.ts';
import { countFailure } from './failure-watch.ts';
import { type MpinTry, clearTries, useDevice } from './mpin-store.ts';
import { setFirstMpin, trustDevice, tryMpin } from './mpin.ts';
import { type OtpKey, stepUpRequester } from './otp-store.ts';
import { type OtpSent, isStepUp, mustBeAbleToSend, presentOtp, sendOtp } from './otp.ts';
import { openSession } from './sessions.ts';
import { insertProof, lockUser, lockUserOfMobile, proveNumber, type User } from './store.ts';
import { newOrgToken, tokenHash } from './tokens.ts';

/** A code about a mobile, as somebody without a session asks for it. */
export interface OtpRequest {
  mobile: string;
  purpose: Purpose;
  device_id?: string | undefined;
  customer_id?: string | undefined;
}

type LoginReply = z.input<typeof authEndpoints.loginWithOtp.reply>;
type VerifyReply = z.input<typeof authEndpoints.verifyOtpAuth.reply>;

/**
 * With the right M-PIN on a trusted device a session, else a code by message: the reply does not tell whether the mobile is anybody's.
 * @throws KistError MPIN_INVALID, MPIN_LOCKED, OTP_TOO_SOON, OTP_DAILY_LIMIT, RATE_LIMITED, SMS_UNAVAILABLE
 */
export async function login(
  db: Database,
  visitor: Visitor,
  { mobile, mpin, device_id }: Omit<OtpRequest, 'purpose' | 'customer_id'> & { mpin?: string | undefined },
): Promise<LoginReply> {
  const asker = await admit(db, visitor, { mobile, device_id }, 'ask');
  const device_hash = deviceHash(device_id);
  if (mpin !== undefined && device_hash) {
    const right = await tryMpin(db, visitor.orgId, { mobile, device_hash }, mpin);
    const session = right && (await enterByMpin(db, visitor, right, device_hash));
    if (session) return { step: 'session', session };
  }
  mustBeAbleToSend(db.ports);
  return { step: 'otp', ...(await sendTo(db, visitor, asker, { mobile, purpose: 'LOGIN', device_id })) };
}

function enterByMpin(
  db: Database,
  visitor: Visitor,
  { user_id, mpin_hash }: MpinTry,
  device_hash: Buffer,
): Promise<SessionGrant | undefined> {
  return db.transaction(visitor.orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id });
    // Changed while the hash was computed: what was right is so no more.
    if (!user || user.mpin_hash !== mpin_hash) return undefined;
    // Logged out from elsewhere meanwhile: it is trusted no more.
    if (!(await useDevice.first(tx, { user_id, device_hash }))) return undefined;
    await clearTries.run(tx, { user_id });
    return openSession(tx, user, visitor, { how: 'mpin', device_hash });
  });
}

/** Sends (again). @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT, RATE_LIMITED, SMS_UNAVAILABLE */
export async function requestOtp(db: Database, visitor: Visitor, request: OtpRequest): Promise<OtpSent> {
  mustBeAbleToSend(db.ports);
  return sendTo(db, visitor, await admit(db, visitor, request, 'ask'), request);
}

function sendTo(db: Database, visitor: Visitor, asker: Asker, request: OtpRequest): Promise<OtpSent> {
  const { mobile, purpose } = request;
  const key = keyOf(db.ports, visitor, request);
  return db.transaction(visitor.orgId, async (tx) => {
    const user = await lockUserOfMobile.first(tx, { mobile });
    // Nobody gets a step-up code that was not ordered in a session; the reply does not tell.
    const requested_by = isStepUp(purpose) ? ((await stepUpRequester.first(tx, key))?.requested_by ?? null) : null;
    const isMeant = !isStepUp(purpose) || (requested_by !== null && requested_by === user?.user_id);
    return sendOtp(tx, { ...key, asker, requested_by, recipient: isMeant ? user : undefined });
  });
}

/** Step-up codes are ordered from a session, which no device of the counter may answer for; sign-in codes stay with who asked. */
const keyOf = (
  ports: Ports,
  { orgId, ip }: Visitor,
  { mobile, purpose, device_id, customer_id }: OtpRequest,
): OtpKey => ({
  mobile_hash: mobileHash(ports, orgId, mobile),
  purpose,
  customer_id: isStepUp(purpose) ? (customer_id ?? null) : null,
  device_hash: isStepUp(purpose) ? null : (deviceHash(device_id) ?? networkHash(ports, ip)),
  about_hash: null,
  deal_hash: null,
});

/** An M-PIN that comes along with a code, and its hash: made outside any transaction, and before it is known whose the mobile is. */
interface ChosenMpin {
  mpin: string;
  mpin_hash: string;
}

/**
 * What a code that was sent opens: a session, or a token for what it was asked for. An M-PIN that is refused leaves the code as it was.
 * @throws KistError OTP_INVALID, OTP_EXPIRED, OTP_USED_UP (five wrong tries), OTP_LOCKED (too many tries about this mobile), and of a first M-PIN
 * MPIN_TOO_SIMPLE, INVALID_INPUT
 */
export async function verifyOtp(
  db: Database,
  visitor: Visitor,
  { otp, mpin, ...request }: OtpRequest & { otp: string; mpin?: string | undefined },
): Promise<VerifyReply> {
  await admit(db, visitor, request, 'code');
  const key = keyOf(db.ports, visitor, request);
  const isChosen = mpin !== undefined && request.purpose === 'LOGIN';
  const chosen = isChosen ? { mpin, mpin_hash: await hashSecret(mpin, db.ports.identity.pepper) } : undefined;
  // The verdict leaves the transaction as a value: a wrong try has to be counted, and a thrown error would undo it.
  const outcome = await db.transaction(visitor.orgId, async (tx): Promise<VerifyReply | KistError> => {
    const { verdict, requested_by } = await presentOtp(tx, key, otp);
    if (verdict !== 'accepted') return new KistError(verdict);
    return (await granted(tx, visitor, { ...request, chosen }, requested_by)) ?? new KistError('OTP_INVALID');
  });
  if (!(outcome instanceof KistError)) return outcome;
  countFailure(db.ports, 'otp', request.mobile);
  throw outcome;
}

/** What an accepted code opens. */
async function granted(
  tx: Tx,
  visitor: Visitor,
  { mobile, purpose, device_id, customer_id, chosen }: OtpRequest & { chosen: ChosenMpin | undefined },
  requestedBy: string | null,
): Promise<VerifyReply | undefined> {
  const user = await lockUserOfMobile.first(tx, { mobile });
  if (!user) return undefined;
  const { user_id } = user;
  if (purpose === 'LOGIN') return { purpose, ...(await entered(tx, visitor, user, { device_id, chosen })) };
  const token = newOrgToken(visitor.orgId);
  const proof = { token_hash: tokenHash(token), user_id };
  if (purpose === 'FORGOT_PASSWORD') {
    await insertProof.run(tx, { ...proof, kind: 'RESET', customer_id: null, ttl_s: LIMITS.resetTtlS });
    return { purpose, reset_token: token, expires_in_s: LIMITS.resetTtlS };
  }
  if (requestedBy !== user_id) return undefined;
  await insertProof.run(tx, { ...proof, kind: purpose, customer_id: customer_id ?? null, ttl_s: LIMITS.stepUpTtlS });
  await audit.append(tx, {
    kind: 'user',
    id: user_id,
    actor: userActor(user, visitor.ip),
    action: 'step_up_granted',
    data: { purpose, customer_id },
  });
  return { purpose, step_up_token: token, expires_in_s: LIMITS.stepUpTtlS };
}

/** A session by a code, with the first M-PIN where one comes along. @throws KistError MPIN_TOO_SIMPLE, INVALID_INPUT */
async function entered(
  tx: Tx,
  visitor: Visitor,
  user: User,
  { device_id, chosen }: Pick<OtpRequest, 'device_id'> & { chosen: ChosenMpin | undefined },
): Promise<SessionGrant> {
  const { user_id } = user;
  const device_hash = deviceHash(device_id);
  if (chosen) await setFirstMpin(tx, userActor(user, visitor.ip), { user, ...chosen });
  if (device_hash) await trustDevice(tx, { user_id, device_hash });
  await clearTries.run(tx, { user_id });
  await proveNumber.run(tx, { user_id });
  return openSession(tx, { ...user, mpin_hash: chosen?.mpin_hash ?? user.mpin_hash }, visitor, {
    how: 'otp',
    device_hash,
  });
}
