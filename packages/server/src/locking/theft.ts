import type { Language, TheftPurpose } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LockingDeps } from './deps.ts';
import { isHeldBy, lookAtPhones, takePhoneOf } from './facts.ts';
import { type Ordered, type Refused, lockTaken } from './manual.ts';
import { assertMayTheft } from './policy.ts';
import { type Lifted, closeTheft, isOpen, lift } from './protection.ts';
import { insertReport, ownNumber } from './protection-store.ts';

type Customer = customers.AuthorizedCustomer;

/** An administrator sees all of the organisation. */
const seeing = (actor: Actor): Actor => (actor.userType === 'admin' ? identity.SYSTEM(actor.orgId) : actor);

/** A customer that this actor sees, and the phone in use. @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (no phone in use) */
async function phoneOf(tx: Tx, actor: Actor, customerId: string): Promise<{ customer: Customer; deviceId: string }> {
  assertMayTheft(actor);
  const customer = await customers.authorize(tx, seeing(actor), { customer_id: customerId });
  const device = await devices.deviceOfCustomer(tx, customer.customer_id);
  if (!device?.enrolledAt || device.releasedAt) throw new KistError('STATE_CONFLICT');
  return { customer, deviceId: device.deviceId };
}

/** A code proves the customer's word only where the number is known to be theirs. @throws KistError NUMBER_NOT_CONFIRMED */
async function assertOwnNumber(tx: Tx, { customer_id }: Customer): Promise<void> {
  const known = await ownNumber.first(tx, { customer_id });
  if (known?.is_confirmed !== true) throw new KistError('NUMBER_NOT_CONFIRMED');
}

/** Nothing of the kind is to be said now: it was said already, or there is nothing to take back. @throws KistError STATE_CONFLICT */
async function assertTimeFor(tx: Tx, deviceId: string, purpose: TheftPurpose): Promise<void> {
  if ((await isOpen(tx, deviceId, 'theft')) === (purpose === 'THEFT_REPORT')) throw new KistError('STATE_CONFLICT');
}

async function isHeldForTheft(tx: Tx, deviceId: string): Promise<boolean> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  return phone !== undefined && isHeldBy(phone.row, 'theft');
}

/** Refused to a customer: who has the own session needs no code. @throws KistError FORBIDDEN */
function assertAtCounter({ userType }: Actor): void {
  if (userType !== 'retailer' && userType !== 'miniretailer') throw new KistError('FORBIDDEN');
}

/**
 * Sends the customer the code with which the shop reports the theft, or lifts its lock, in their name.
 * @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT, NUMBER_NOT_CONFIRMED, OTP_TOO_SOON, OTP_DAILY_LIMIT, OTP_SHOP_LIMIT, SMS_UNAVAILABLE
 */
export async function sendTheftCode(
  tx: Tx,
  actor: Actor,
  { customerId, purpose }: { customerId: string; purpose: TheftPurpose },
) {
  const { customer, deviceId } = await phoneOf(tx, actor, customerId);
  assertAtCounter(actor);
  await assertTimeFor(tx, deviceId, purpose);
  await assertOwnNumber(tx, customer);
  const { customer_id, mobile, language } = customer;
  const sent = await identity.sendCustomerCode(tx, actor, {
    customer_id,
    mobile,
    purpose,
    text_hash: null,
    language: language as Language,
  });
  const data = { purpose, masked_mobile: sent.masked_mobile };
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'theft_code_sent', data });
  return sent;
}

/** Counts the code and uses it up when it is right. @returns the code that was used up, or what was wrong */
async function present(
  tx: Tx,
  actor: Actor,
  customer: Customer,
  { purpose, otp }: { purpose: TheftPurpose; otp: string },
): Promise<string | KistError> {
  await assertOwnNumber(tx, customer);
  const { customer_id, mobile } = customer;
  const code = { customer_id, mobile, purpose, text_hash: null };
  const { verdict, otp_id } = await identity.presentCustomerCode(tx, actor, code, otp);
  if (verdict !== 'accepted') return new KistError(verdict);
  return otp_id!;
}

/**
 * The customer says at the counter that the phone was stolen, by the code that went to their number: it is held at once, as by their own report.
 * The transaction must commit whatever comes of it: a wrong code is returned, not thrown, because it counts.
 * @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (no phone in use, or said already), NUMBER_NOT_CONFIRMED
 */
export async function reportTheft(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { customerId, otp, note }: { customerId: string; otp: string; note: string },
): Promise<Ordered | Refused | KistError> {
  const { customer, deviceId } = await phoneOf(tx, actor, customerId);
  assertAtCounter(actor);
  await takePhoneOf(tx, seeing(actor), deviceId);
  await assertTimeFor(tx, deviceId, 'THEFT_REPORT');
  const otpId = await present(tx, actor, customer, { purpose: 'THEFT_REPORT', otp });
  if (otpId instanceof KistError) return otpId;
  const by = 'customer_code';
  await insertReport.run(tx, {
    report_id: newId(),
    device_id: deviceId,
    kind: 'theft',
    reported_by: by,
    actor_user_id: actor.userId,
    note,
    code_mobile: customer.mobile,
    code_otp_id: otpId,
  });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'lost_reported', data: { kind: 'theft', by } });
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone) throw new KistError('STATE_CONFLICT');
  return lockTaken(tx, deps, actor, phone, { reason: 'THEFT_REPORTED', note });
}

/**
 * The customer says at the counter that the phone is there again, by a code of its own purpose; or the organisation lifts the lock, with a reason. What
 * other causes hold stays.
 * @returns what was wrong with the code, which counts: the transaction must commit
 * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (nobody said that it was stolen), NUMBER_NOT_CONFIRMED, OTP_INVALID (a shop without a code)
 */
export async function liftTheft(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { customerId, otp, reason }: { customerId: string; otp?: string | undefined; reason: string },
): Promise<Lifted | KistError> {
  const { customer, deviceId } = await phoneOf(tx, actor, customerId);
  const isOrganisation = actor.userType === 'admin' || actor.userType === 'system';
  if (!isOrganisation) assertAtCounter(actor);
  await takePhoneOf(tx, seeing(actor), deviceId);
  // The organisation lifts a lock whose word is gone, too: nobody else could.
  if (!isOrganisation || !(await isHeldForTheft(tx, deviceId))) await assertTimeFor(tx, deviceId, 'THEFT_LIFT');
  let otpId: string | null = null;
  if (!isOrganisation) {
    if (otp === undefined) throw new KistError('OTP_INVALID');
    const presented = await present(tx, actor, customer, { purpose: 'THEFT_LIFT', otp });
    if (presented instanceof KistError) return presented;
    otpId = presented;
  }
  const as = isOrganisation ? 'organisation' : 'customer_code';
  await closeTheft(tx, actor, deviceId, { as, reason, otpId });
  return lift(tx, deps, actor, deviceId, { kind: 'theft', reason: 'THEFT_REPORTED' });
}
