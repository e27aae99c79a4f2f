import type { z } from 'zod';
import type { authEndpoints, SessionGrant } from '@kist/contract/auth';
import type { Purpose } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import { hashSecret, hmacSha256, sha256, type Sealer } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { createAskers, type Asker } from './askers.ts';
import type { FailureWatch } from './failure-watch.ts';
import { clearTries, trustDevice, untrustDevices } from './mpin-store.ts';
import { refuseTrivial, setMpin, storeMpin, tryMpin } from './mpin.ts';
import { isStepUp, presentOtp, sendOtp, type OtpSent, type StepUpPurpose } from './otp.ts';
import { mayStepUp } from './policy.ts';
import { isSecretDeviceId, maskedMobile } from './rules.ts';
import { createSessions, openSession, type Sessions } from './sessions.ts';
import { revokeSessions, type DeviceNote } from './session-store.ts';
import { insertProof, lockUser, stepUpRequester, useProof, voidProofs, type OtpKey } from './store.ts';
import { newOrgToken, orgOfToken, tokenHash } from './tokens.ts';

/** Where a request without a session comes from. */
export interface Visitor {
  orgId: number;
  ip: string;
  client: DeviceNote;
}

export interface OtpRequest {
  mobile: string;
  purpose: Purpose;
  deviceId?: string;
  customerId?: string;
}

type LoginReply = z.input<typeof authEndpoints.loginWithOtp.reply>;
type VerifyReply = z.input<typeof authEndpoints.verifyOtpAuth.reply>;

export interface Identity extends Sessions {
  /** @throws KistError MPIN_INVALID, MPIN_LOCKED, OTP_TOO_SOON, OTP_DAILY_LIMIT, RATE_LIMITED, SMS_UNAVAILABLE */
  login(visitor: Visitor, request: { mobile: string; mpin?: string; deviceId?: string }): Promise<LoginReply>;
  /** @throws KistError OTP_INVALID, OTP_EXPIRED, OTP_USED_UP (five wrong tries), OTP_LOCKED (too many tries about this mobile) */
  verifyOtp(visitor: Visitor, request: OtpRequest & { otp: string }): Promise<VerifyReply>;
  /** Sends (again). @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT, RATE_LIMITED, SMS_UNAVAILABLE */
  requestOtp(visitor: Visitor, request: OtpRequest): Promise<OtpSent>;
  /** @throws KistError RESET_TOKEN_INVALID, MPIN_TOO_SIMPLE */
  resetMpin(visitor: Visitor, request: { resetToken: string; mpin: string; deviceId?: string }): Promise<SessionGrant>;
  /** @returns how many other sessions ended. @throws KistError MPIN_TOO_SIMPLE, MPIN_INVALID, MPIN_LOCKED */
  setMpin(actor: Actor, change: { mpin: string; currentMpin?: string; deviceId?: string }): Promise<number>;
  /**
   * Sends a step-up code to the mobile of the signed-in account holder. The caller has authorised the customer.
   * @throws KistError FORBIDDEN, OTP_TOO_SOON, OTP_DAILY_LIMIT, SMS_UNAVAILABLE
   */
  sendStepUp(
    tx: Tx,
    actor: Actor,
    order: { purpose: StepUpPurpose; customerId: string },
  ): Promise<OtpSent & { masked_mobile: string }>;
  /** Uses a step-up token up, in the transaction of what it permits. @throws KistError STEP_UP_REQUIRED without one, STEP_UP_INVALID */
  consumeStepUp(
    tx: Tx,
    actor: Actor,
    token: string | undefined,
    purpose: StepUpPurpose,
    customerId: string,
  ): Promise<void>;
}

export interface IdentityDeps {
  db: Database;
  /** Secret outside the database; codes and PINs are worthless to who has only the tables. */
  pepper: Uint8Array;
  /** Closes the messages that codes travel in. */
  sealer: Sealer;
  /** Whether text messages can leave at all; a code that cannot be sent is not promised. */
  canSendCodes: () => boolean;
  watch: FailureWatch;
  /** See `createSessions`. */
  sessionTrustMs?: number;
}

const RETRY_SENDING_S = 60;
const WRONG_MPIN: ReadonlySet<string> = new Set(['MPIN_INVALID', 'MPIN_LOCKED']);

export function createIdentity({ db, pepper, sealer, canSendCodes, watch, sessionTrustMs }: IdentityDeps): Identity {
  const askers = createAskers(db, pepper);
  /** Of a device whose id is a secret; any other id says no more about who asks than none. */
  const deviceHash = (deviceId: string | undefined): Buffer | null =>
    isSecretDeviceId(deviceId) ? sha256(deviceId) : null;
  const keyOf = ({ orgId, ip }: Visitor, { mobile, purpose, deviceId, customerId }: OtpRequest): OtpKey => ({
    mobileHash: askers.mobileHash(orgId, mobile),
    purpose,
    // Step-up codes are ordered from a session, which no device of the counter may answer for; sign-in codes stay with who asked.
    customerId: isStepUp(purpose) ? (customerId ?? null) : null,
    deviceHash: isStepUp(purpose) ? null : (deviceHash(deviceId) ?? askers.networkHash(ip)),
  });

  /** Who asks about this mobile, counted in a budget that no other asker can use up. */
  async function admitted(
    visitor: Visitor,
    { mobile, deviceId }: { mobile: string; deviceId?: string | undefined },
    what: 'ask' | 'code',
  ): Promise<Asker> {
    const asker = await askers.find(visitor, { mobile, deviceHash: deviceHash(deviceId) });
    await askers.admit(asker, askers.mobileHash(visitor.orgId, mobile), what);
    return asker;
  }
  const failed = (kind: 'otp' | 'mpin', whose: string) => watch.failed(kind, hmacSha256(pepper, whose).toString('hex'));

  /** Before anything about the mobile is known, so that it tells nothing about it. */
  function mustBeAbleToSend(): void {
    if (!canSendCodes()) throw new KistError('SMS_UNAVAILABLE', { retryAfterS: RETRY_SENDING_S });
  }

  async function requestOtp(visitor: Visitor, request: OtpRequest): Promise<OtpSent> {
    mustBeAbleToSend();
    return sendFor(visitor, await admitted(visitor, request, 'ask'), request);
  }

  function sendFor(visitor: Visitor, asker: Asker, request: OtpRequest): Promise<OtpSent> {
    const key = keyOf(visitor, request);
    return db.transaction(visitor.orgId, async (tx) => {
      const user = await lockUser(tx, { mobile: request.mobile });
      // Nobody gets a step-up code that was not ordered in a session; the reply does not tell.
      const requestedBy = isStepUp(request.purpose) ? ((await stepUpRequester(tx, key)) ?? null) : null;
      const isMeant = !isStepUp(request.purpose) || (requestedBy !== null && requestedBy === user?.userId);
      return sendOtp(tx, { pepper, sealer }, { ...key, asker, requestedBy, recipient: isMeant ? user : undefined });
    });
  }

  async function login(
    visitor: Visitor,
    { mobile, mpin, deviceId }: { mobile: string; mpin?: string; deviceId?: string },
  ): Promise<LoginReply> {
    const { orgId } = visitor;
    const asker = await admitted(visitor, { mobile, deviceId }, 'ask');
    const hash = deviceHash(deviceId);
    if (mpin !== undefined && hash) {
      const right = await tryMpin(db, orgId, pepper, { mobile, deviceHash: hash }, mpin).catch((error: unknown) => {
        failed('mpin', mobile);
        throw error;
      });
      const session = right && (await enterByMpin(visitor, right, hash));
      if (session) return { step: 'session', session };
    }
    mustBeAbleToSend();
    return { step: 'otp', ...(await sendFor(visitor, asker, { mobile, purpose: 'LOGIN', deviceId })) };
  }

  function enterByMpin(
    visitor: Visitor,
    { userId, mpinHash }: { userId: string; mpinHash: string },
    hash: Buffer,
  ): Promise<SessionGrant | undefined> {
    return db.transaction(visitor.orgId, async (tx) => {
      const user = await lockUser(tx, { userId });
      // Changed while the hash was computed: what was right is so no more.
      if (user?.mpinHash !== mpinHash) return undefined;
      await clearTries(tx, userId);
      await trustDevice(tx, userId, hash);
      return openSession(tx, visitor.orgId, user, visitor, 'mpin');
    });
  }

  async function verifyOtp(visitor: Visitor, request: OtpRequest & { otp: string }): Promise<VerifyReply> {
    await admitted(visitor, request, 'code');
    const key = keyOf(visitor, request);
    // The verdict leaves the transaction as a value: a wrong try has to be counted, and a thrown error would undo it.
    const outcome = await db.transaction(visitor.orgId, async (tx): Promise<VerifyReply | KistError> => {
      const { verdict, otp } = await presentOtp(tx, pepper, key, request.otp);
      if (verdict !== 'accepted') return new KistError(verdict);
      return (await granted(tx, visitor, request, otp?.requestedBy ?? null)) ?? new KistError('OTP_INVALID');
    });
    if (!(outcome instanceof KistError)) return outcome;
    failed('otp', request.mobile);
    throw outcome;
  }

  /** What an accepted code opens. */
  async function granted(
    tx: Tx,
    visitor: Visitor,
    { mobile, purpose, deviceId, customerId }: OtpRequest,
    requestedBy: string | null,
  ): Promise<VerifyReply | undefined> {
    const user = await lockUser(tx, { mobile });
    if (!user) return undefined;
    if (purpose === 'LOGIN') {
      const hash = deviceHash(deviceId);
      if (hash) await trustDevice(tx, user.userId, hash);
      await clearTries(tx, user.userId);
      return { purpose, ...(await openSession(tx, visitor.orgId, user, visitor, 'otp')) };
    }
    const token = newOrgToken(visitor.orgId);
    const proof = {
      hash: tokenHash(token),
      userId: user.userId,
      customerId: isStepUp(purpose) ? (customerId ?? null) : null,
    };
    if (purpose === 'FORGOT_PASSWORD') {
      await insertProof(tx, { ...proof, kind: 'RESET', ttlS: LIMITS.resetTtlS });
      return { purpose, reset_token: token, expires_in_s: LIMITS.resetTtlS };
    }
    if (requestedBy !== user.userId) return undefined;
    await insertProof(tx, { ...proof, kind: purpose, ttlS: LIMITS.stepUpTtlS });
    await audit.append(tx, {
      kind: 'user',
      id: user.userId,
      actor: { ...user, ip: visitor.ip },
      action: 'step_up_granted',
      data: { purpose, customer_id: customerId },
    });
    return { purpose, step_up_token: token, expires_in_s: LIMITS.stepUpTtlS };
  }

  async function resetMpin(
    visitor: Visitor,
    { resetToken, mpin, deviceId }: { resetToken: string; mpin: string; deviceId?: string },
  ): Promise<SessionGrant> {
    const orgId = orgOfToken(resetToken);
    if (orgId === undefined) throw new KistError('RESET_TOKEN_INVALID');
    const mpinHash = await hashSecret(mpin, pepper);
    return db.transaction(orgId, async (tx) => {
      const proof = await useProof(tx, tokenHash(resetToken), 'RESET');
      const user = proof && (await lockUser(tx, { userId: proof.userId }));
      if (!user) throw new KistError('RESET_TOKEN_INVALID');
      // Thrown inside, so the token stays good for a better M-PIN.
      refuseTrivial(mpin, user);
      const hash = deviceHash(deviceId);
      await storeMpin(tx, user, mpinHash, hash);
      // Whoever needed a new M-PIN may have lost the old phone: only this one stays trusted.
      await untrustDevices(tx, user.userId, hash ?? undefined);
      await voidProofs(tx, user.userId);
      const ended = await revokeSessions(tx, user.userId, {});
      await audit.append(tx, {
        kind: 'user',
        id: user.userId,
        actor: { ...user, ip: visitor.ip },
        action: 'mpin_reset',
        data: { sessions_ended: ended.length },
      });
      return openSession(tx, orgId, { ...user, mpinHash }, visitor, 'reset');
    });
  }

  async function sendStepUp(
    tx: Tx,
    actor: Actor,
    { purpose, customerId }: { purpose: StepUpPurpose; customerId: string },
  ): Promise<OtpSent & { masked_mobile: string }> {
    const user = await lockUser(tx, { userId: actor.userId });
    if (!mayStepUp(actor, purpose) || !user) throw new KistError('FORBIDDEN');
    mustBeAbleToSend();
    const order = {
      mobileHash: askers.mobileHash(actor.orgId, user.mobile),
      purpose,
      customerId,
      deviceHash: null,
      asker: askers.inSession(actor.userId),
      requestedBy: actor.userId,
      recipient: user,
    };
    const sent = await sendOtp(tx, { pepper, sealer }, order);
    await audit.append(tx, {
      kind: 'user',
      id: actor.userId,
      actor,
      action: 'step_up_requested',
      data: { purpose, customer_id: customerId },
    });
    return { ...sent, masked_mobile: maskedMobile(user.mobile) };
  }

  async function consumeStepUp(
    tx: Tx,
    actor: Actor,
    token: string | undefined,
    purpose: StepUpPurpose,
    customerId: string,
  ): Promise<void> {
    if (token === undefined) throw new KistError('STEP_UP_REQUIRED', { details: { purpose } });
    const proof = await useProof(tx, tokenHash(token), purpose);
    if (!proof || proof.userId !== actor.userId || proof.customerId !== customerId)
      throw new KistError('STEP_UP_INVALID');
  }

  return {
    ...createSessions(db, sessionTrustMs),
    login,
    verifyOtp,
    requestOtp,
    resetMpin,
    setMpin: (actor, { mpin, currentMpin, deviceId }) =>
      setMpin(db, pepper, actor, { mpin, currentMpin, deviceHash: deviceHash(deviceId) }).catch((error: unknown) => {
        if (error instanceof KistError && WRONG_MPIN.has(error.code)) failed('mpin', actor.userId);
        throw error;
      }),
    sendStepUp,
    consumeStepUp,
  };
}

export { requires } from './access.ts';
export { type Actor, SYSTEM, SYSTEM_USER_ID } from './actor.ts';
export { createFailureWatch } from './failure-watch.ts';
export { forgetExpired } from './forget.ts';
export { DECOY_TOPIC } from './otp.ts';
export { profile } from './profile.ts';
export { TRUSTED_MS } from './session-epochs.ts';
export { endSessions, listSessions, openSession } from './sessions.ts';
export { ensureStaff } from './staff.ts';
export { orgOfToken } from './tokens.ts';
