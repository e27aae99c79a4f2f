import { isDeepStrictEqual } from 'node:util';
import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { addressSchema } from '@kist/contract/customers';
import { CUSTOMER_DETAILS, type DetailsChanged, type PersonEdit } from '@kist/contract/exchanging';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Notices } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';

/**
 * Who a customer is and how they are reached, each field by itself. Another number ends their login, and proves nothing until a code was told from it; the old one is told,
 * because whoever has the number has the customer's word.
 * @returns which fields are others now
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED; STATE_CONFLICT of a draft, which is registered as a whole, and of one who was erased; STAFF_NUMBER
 */
export async function changeDetails(
  tx: Tx,
  notices: Pick<Notices, 'numberChanges'>,
  actor: Actor,
  { customer_id, pan, ...given }: PersonEdit,
): Promise<DetailsChanged> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  if (customer.is_draft || (await customers.erasureOf(tx, customer))) throw new KistError('STATE_CONFLICT');
  const masked = pan === undefined ? {} : { pan_masked: customers.maskPan(pan) };
  const wanted = Object.entries({ ...given, ...masked }).filter(([, value]) => value !== undefined);
  const stands = { ...customer, address: addressSchema.parse(customer.address) };
  const fields = Object.fromEntries(
    wanted.filter(([name, value]) => !isDeepStrictEqual(stands[name as keyof typeof stands], value)),
  );
  const changed = CUSTOMER_DETAILS.filter((name) => (name === 'pan' ? 'pan_masked' : name) in fields);
  if (changed.length === 0) return { customer_id, changed };
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  if (changed.includes('mobile')) {
    if (await identity.isStaffNumber(tx, given.mobile!)) throw new KistError('STAFF_NUMBER');
    if (agreement) await notices.numberChanges(tx, agreement, { from: customer.mobile });
  }
  const search = await searchOf(tx, { ...customer, ...fields }, agreement?.agreement_no);
  await customers.change(tx, actor, { customer, fields: { ...fields, search } });
  return { customer_id, changed };
}

/** What the list's search looks in, of the phone and the agreement that they have now. */
async function searchOf(
  tx: Tx,
  {
    customer_id,
    first_name,
    last_name,
    mobile,
  }: Pick<customers.AuthorizedCustomer, 'customer_id' | 'first_name' | 'last_name' | 'mobile'>,
  agreementNo: string | undefined,
): Promise<string> {
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  const { imei1, imei2, serial, brand, model } = phone ?? {};
  return customers.searchText([first_name, last_name, mobile, imei1, imei2, serial, agreementNo, brand, model]);
}
