import { NEEDS } from '@kist/contract/access';
import { CUSTOMER_STATUS, PROVISIONING, provisioningName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { ShownCode } from '#server/devices/codes.ts';
import type { Waker } from '#server/commands/wake.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';

interface OfCustomer {
  customer_id: string;
}

/** How far a customer's phone is set up. */
export interface SetUp {
  status: number;
  is_enrolled: boolean;
  /** Of the set-up that stands. */
  enrolled_at: Date | null;
  /** A new code can be made: the plan offers EMM_QR_CODE, and phones of this type are set up by code here. */
  offers_code: boolean;
}

/**
 * Before a code for the customer's phone goes out: a key stands behind it. One that came back is set aside again; a phone that was uninstalled begins
 * anew. @throws KistError NOT_FOUND, INSUFFICIENT_KEYS
 */
export async function setKeyAside(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<void> {
  identity.requires(actor, NEEDS.activate);
  const { status, owner_user_id, plan_type } = await customers.authorizeToChange(tx, actor, { customer_id });
  const isNew = customers.isUnpaidFor(status);
  await wallet.ensureKey(tx, actor, { user_id: owner_user_id, plan_type, customer_id, isNew });
  if (status === CUSTOMER_STATUS.uninstall)
    await customers.changeStatus(tx, actor, { customer_id, status: CUSTOMER_STATUS.inactive, reason: 'set up anew' });
}

/** How far the phone is set up; makes no code and shows none. @throws KistError NOT_FOUND */
export async function setUpOf(tx: Tx, actor: Actor, of: OfCustomer): Promise<SetUp> {
  return (await phoneOf(tx, actor, of)).setUp;
}

/**
 * The same with the code that the phone is set up by. A phone that waits to be set up gets one; one that is set up, only what was made for it on
 * purpose: looking makes no code, takes no key and begins nothing anew. @throws KistError NOT_FOUND, INSUFFICIENT_KEYS
 */
export async function showCode(
  tx: Tx,
  actor: Actor,
  { customer_id }: OfCustomer,
): Promise<SetUp & { code: ShownCode | undefined }> {
  const { setUp, phone } = await phoneOf(tx, actor, { customer_id });
  const code = phone && setUp.offers_code ? await codeFor(tx, actor, { customer_id, phone, setUp }) : undefined;
  return { ...setUp, code };
}

async function codeFor(
  tx: Tx,
  actor: Actor,
  { customer_id, phone, setUp }: OfCustomer & { phone: Phone; setUp: SetUp },
): Promise<ShownCode | undefined> {
  const { codes } = tx.ports.sales;
  if (setUp.status === CUSTOMER_STATUS.install) return codes.live(tx, phone.deviceId);
  if (setUp.status !== CUSTOMER_STATUS.inactive) return undefined;
  await setKeyAside(tx, actor, { customer_id });
  return codes.current(tx, actor, phone.deviceId);
}

/**
 * A fresh code; the one before it dies, and a phone that was uninstalled begins anew.
 * @throws KistError NOT_FOUND, FEATURE_NOT_OFFERED, NO_PHONE_YET, INSUFFICIENT_KEYS
 */
export async function makeCode(
  tx: Tx,
  actor: Actor,
  { customer_id }: OfCustomer,
): Promise<{ code: ShownCode; device_id: string; is_enrolled: boolean }> {
  const customer = await customers.authorize(tx, actor, { customer_id });
  customers.assertEditOffered(actor, customer, 'EMM_QR_CODE');
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  if (!phone) throw new KistError('NO_PHONE_YET');
  await setKeyAside(tx, actor, { customer_id });
  const code = await tx.ports.sales.codes.fresh(tx, actor, phone.deviceId);
  const { status } = await customers.authorize(tx, actor, { customer_id });
  return { code, device_id: phone.deviceId, is_enrolled: await devices.isSetUp(tx, phone, status) };
}

/**
 * A fresh link for a phone in use; the one before it dies. @throws KistError as `makeCode` does, and FEATURE_NOT_OFFERED for a phone of another type: its
 * agent needs a factory-fresh phone, or there is none
 */
export async function makeLink(
  tx: Tx,
  actor: Actor,
  of: OfCustomer,
): Promise<{ code: ShownCode; device_id: string; is_enrolled: boolean }> {
  const made = await makeCode(tx, actor, of);
  const { provisioningType } = await devices.get(tx, made.device_id);
  if (provisioningType !== PROVISIONING.LINKFL)
    throw new KistError('FEATURE_NOT_OFFERED', {
      details: { edit: 'EMM_QR_CODE', provisioning: provisioningName(provisioningType) },
    });
  return made;
}

/**
 * The link of a phone in use, as `showCode` shows its code: looking at one that is set up makes none. @throws KistError NOT_FOUND, INSUFFICIENT_KEYS,
 * FEATURE_NOT_OFFERED (a phone of another type, or its plan has no code), ENROLMENT_TOKEN_USED (set up, and nobody asked for another), NO_PHONE_YET
 */
export async function deepLink(
  tx: Tx,
  actor: Actor,
  of: OfCustomer,
): Promise<{ code: ShownCode; is_enrolled: boolean }> {
  const { phone, setUp } = await phoneOf(tx, actor, of);
  if (!phone) throw new KistError('NO_PHONE_YET');
  if (phone.provisioningType !== PROVISIONING.LINKFL || !setUp.offers_code)
    throw new KistError('FEATURE_NOT_OFFERED', {
      details: { edit: 'EMM_QR_CODE', provisioning: provisioningName(phone.provisioningType) },
    });
  const code = await codeFor(tx, actor, { ...of, phone, setUp });
  if (!code) throw new KistError('ENROLMENT_TOKEN_USED');
  return { code, is_enrolled: setUp.is_enrolled };
}

/** How a phone stands that no code sets up, and a hint to it to say so anew where phones of its type are reached from here. @throws KistError NOT_FOUND, FEATURE_NOT_OFFERED */
export async function checkStatus(tx: Tx, actor: Actor, of: OfCustomer, waker: Pick<Waker, 'signal'>) {
  identity.requires(actor, NEEDS.activate);
  customers.assertEditOffered(actor, await customers.authorize(tx, actor, of), 'CHECK_STATUS');
  const { phone, setUp } = await phoneOf(tx, actor, of);
  const type = phone && provisioningName(phone.provisioningType);
  const isInUse = phone !== undefined && phone.enrolledAt !== null && phone.releasedAt === null;
  const is_asked = isInUse && (tx.ports.sales.planes as readonly unknown[]).includes(type);
  if (is_asked) tx.afterCommit(() => waker.signal('wake', [phone.deviceId]));
  return { ...setUp, last_seen_at: phone ? await devices.lastSeen(tx, phone.deviceId) : null, is_asked };
}

type Phone = NonNullable<Awaited<ReturnType<typeof devices.deviceOfCustomer>>>;

async function phoneOf(
  tx: Tx,
  actor: Actor,
  { customer_id }: OfCustomer,
): Promise<{ setUp: SetUp; phone: Phone | undefined }> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorize(tx, actor, { customer_id });
  const { status } = customer;
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  if (!phone) return { phone, setUp: { status, is_enrolled: false, enrolled_at: null, offers_code: false } };
  const is_enrolled = await devices.isSetUp(tx, phone, status);
  const isByCode = !phone.releasedAt && tx.ports.sales.codes.isFor(phone.provisioningType);
  const setUp = {
    status,
    is_enrolled,
    enrolled_at: is_enrolled ? phone.enrolledAt : null,
    offers_code: isByCode && customers.isEditOffered(actor, customer, 'EMM_QR_CODE'),
  };
  return { phone, setUp };
}
