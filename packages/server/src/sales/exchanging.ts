import type { z } from 'zod';
import { NEEDS } from '@kist/contract/access';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { deviceInSchema } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import type { ExchangePreview, Exchanged } from '@kist/contract/exchanging';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as locking from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { keysLeft } from './signing.ts';

interface OfCustomer {
  customer_id: string;
}
/** Which phone comes, and why. */
export interface Exchange extends OfCustomer {
  device: z.output<typeof deviceInSchema>;
  reason: string;
}

/** @throws KistError FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED; STATE_CONFLICT when nothing runs, or the phone was let go for good */
function mayExchange(
  actor: Actor,
  customer: customers.AuthorizedCustomer,
  agreement: agreements.Agreement | undefined,
): agreements.Agreement {
  identity.requires(actor, NEEDS.activate);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  customers.assertEditOffered(actor, customer, 'IMEI_EDIT');
  if (agreement?.state !== 'active' || customer.status === CUSTOMER_STATUS.deactivate)
    throw new KistError('STATE_CONFLICT');
  return agreement;
}

/** A number that is put right keeps the consent, unless it is a number of another model: that is another phone than the one that was agreed to. */
const toldOf = (was_set_up: boolean, isAskedAnew = was_set_up) =>
  ({ kind: was_set_up ? 'EXCHANGED' : 'CORRECTED', consent: isAskedAnew ? 'ANEW' : 'KEPT' }) as const;

const keyFor = async (tx: Tx, of: OfCustomer) =>
  (await wallet.keyOf(tx, of)) === 'RESERVED' ? ('KEPT' as const) : ('NEW' as const);

/** What changing the phone would do, said before it is done and before anybody says which phone comes. @throws KistError NOT_FOUND, and as `exchangePhone` says of who may */
export async function previewExchange(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<ExchangePreview> {
  const customer = await customers.authorize(tx, actor, { customer_id });
  const agreement = mayExchange(actor, customer, await agreements.ofCustomer(tx, { customer_id }));
  const { agreement_id, agreement_no, device_id } = agreement;
  const { channel, lock, was_set_up, isHeldForOwner } = await locking.previewLetGo(tx, { device_id });
  return {
    agreement_id,
    agreement_no,
    channel,
    lock,
    ...toldOf(was_set_up),
    key: await keyFor(tx, { customer_id }),
    keys_left: await keysLeft(tx, customer),
    refused: isHeldForOwner ? 'HELD_FOR_OWNER' : null,
  };
}

/**
 * The phone under a running agreement changes (IMEI_EDIT): a wrong number is put right before any phone was set up, or another phone comes for the one in
 * use. The one that goes is let go with everything off it, the one that comes begins free, with a key and a set-up code of its own; money, complaints and
 * holds stay with the agreement. All in one transaction.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, DUPLICATE_IMEI, INSUFFICIENT_KEYS; STATE_CONFLICT of an agreement that does not
 * run, of a phone that was let go for good, or (`details.refused`) is held for its owner
 */
export async function exchangePhone(
  tx: Tx,
  actor: Actor,
  { customer_id, device, reason }: Exchange,
  letGo: Locking['letGoOfExchanged'],
): Promise<Exchanged> {
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  const agreement = mayExchange(actor, customer, await agreements.ofCustomerToChange(tx, { customer_id }));
  const { agreement_id, agreement_no } = agreement;
  // Taken before it is judged: a phone that is being set up with the old code waits, or was first.
  const before = await devices.get(tx, agreement.device_id, true);
  if (before.enrolledAt && devices.isSameNumber(before, device)) throw new KistError('DUPLICATE_IMEI');
  const gone = await letGo(tx, actor, { device_id: before.deviceId, note: reason });
  const { provisioningType } = before;
  const device_id = await devices.create(tx, actor, { ...device, customerId: customer_id, provisioningType });
  const { channel, lock, was_set_up, first_enrolled_at } = gone;
  const { schedule_version, is_asked_anew } = await agreements.exchange(tx, actor, agreement, {
    to_device_id: device_id,
    was_set_up,
    first_enrolled_at,
    reason,
  });
  const key = await keyFor(tx, { customer_id });
  const { owner_user_id: user_id, plan_type } = customer;
  await wallet.ensureKey(tx, actor, { user_id, plan_type, customer_id, isNew: true });
  if (was_set_up) await customers.beginAnew(tx, actor, { customer });
  const rowRef = await agreements.rowRefOf(tx, agreement);
  const search = customers.searchText({ person: customer, phone: device, agreementNo: agreement_no, rowRef });
  await customers.change(tx, actor, { customer, fields: { search } });
  const told = { agreement_id, agreement_no, ...toldOf(was_set_up, is_asked_anew), channel, lock, key };
  return { ...told, keys_left: await keysLeft(tx, customer), device_id, schedule_version };
}
