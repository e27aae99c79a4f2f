import { maskMobile } from '@kist/contract/masked';
import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { inSession, mobileHash } from './askers.ts';
import { mustBeAbleToSend, type OtpSent, sendOtp, type StepUpPurpose } from './otp.ts';
import { mayStepUp } from './policy.ts';
import { lockUser, useProof } from './store.ts';
import { tokenHash } from './tokens.ts';

/** What a step-up code is for: one act on one customer. */
export interface StepUp {
  purpose: StepUpPurpose;
  customer_id: string;
}

/**
 * Sends a step-up code to the mobile of the signed-in account holder. The caller has authorised the customer.
 * @throws KistError FORBIDDEN, FEATURE_NOT_OFFERED for what no call asks for here, OTP_TOO_SOON, OTP_DAILY_LIMIT, SMS_UNAVAILABLE
 */
export async function sendStepUp(
  tx: Tx,
  actor: Actor,
  { purpose, customer_id }: StepUp,
): Promise<OtpSent & { masked_mobile: string }> {
  const user = await lockUser.first(tx, { user_id: actor.userId });
  if (!mayStepUp(actor, purpose) || !user) throw new KistError('FORBIDDEN');
  if (!tx.ports.identity.stepUpDoors.includes(purpose))
    throw new KistError('FEATURE_NOT_OFFERED', { details: { purpose } });
  mustBeAbleToSend(tx.ports);
  const sent = await sendOtp(tx, {
    mobile_hash: mobileHash(tx.ports, actor.orgId, user.mobile),
    purpose,
    customer_id,
    device_hash: null,
    about_hash: null,
    deal_hash: null,
    asker: inSession(tx.ports, actor.userId),
    requested_by: actor.userId,
    recipient: user,
  });
  await audit.append(tx, {
    kind: 'user',
    id: actor.userId,
    actor,
    action: 'step_up_requested',
    data: { purpose, customer_id },
  });
  return { ...sent, masked_mobile: maskMobile(user.mobile) };
}

/** Uses a step-up token up, in the transaction of what it permits. @throws KistError STEP_UP_REQUIRED without one, STEP_UP_INVALID @internal no order asks for one yet */
export async function consumeStepUp(
  tx: Tx,
  actor: Actor,
  { token, purpose, customer_id }: StepUp & { token: string | undefined },
): Promise<void> {
  if (token === undefined) throw new KistError('STEP_UP_REQUIRED', { details: { purpose } });
  const proof = await useProof.first(tx, { token_hash: tokenHash(token), kind: purpose });
  if (!proof || proof.user_id !== actor.userId || proof.customer_id !== customer_id)
    throw new KistError('STEP_UP_INVALID');
}
