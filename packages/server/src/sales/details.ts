import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { addressSchema } from '@kist/contract/customers';
import { CUSTOMER_DETAILS, type DetailsChanged, type PersonEdit } from '@kist/contract/exchanging';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Notices } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';

/** A customer whose fields are changed one by one. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT */
async function standing(tx: Tx, actor: Actor, of: { customer_id: string }): Promise<customers.AuthorizedCustomer> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, of);
  if (customer.is_draft || (await customers.erasureOf(tx, customer))) throw new KistError('STATE_CONFLICT');
  return customer;
}

const LAST_DIGITS = 4;
const codeOf = (
  { customer_id, mobile }: Pick<customers.AuthorizedCustomer, 'customer_id' | 'mobile'>,
  to: string,
): identity.CustomerCode => ({
  customer_id,
  mobile,
  purpose: 'NUMBER',
  text_hash: createHash('sha256').update(to).digest(),
});

/**
 * Sends the customer, on the number on file, the code with which they agree to this other number and to none else.
 * @throws KistError as `changeDetails`; STATE_CONFLICT of the number on file itself; OTP_TOO_SOON, OTP_DAILY_LIMIT, OTP_SHOP_LIMIT, SMS_UNAVAILABLE
 */
export async function sendNumberCode(
  tx: Tx,
  actor: Actor,
  { customer_id, mobile }: { customer_id: string; mobile: string },
) {
  const customer = await standing(tx, actor, { customer_id });
  if (customer.mobile === mobile) throw new KistError('STATE_CONFLICT');
  await noneOfAShop(tx, [mobile, customer.mobile]);
  const sent = await identity.sendCustomerCode(tx, actor, {
    ...codeOf(customer, mobile),
    language: customer.language as Language,
    words: { ending: mobile.slice(-LAST_DIGITS) },
  });
  const data = { masked_mobile: sent.masked_mobile };
  await audit.append(tx, { kind: 'customer', id: customer_id, actor, action: 'number_code_sent', data });
  return sent;
}

/** The shop would speak in the customer's place. @throws KistError STAFF_NUMBER */
async function noneOfAShop(tx: Tx, numbers: readonly string[]): Promise<void> {
  for (const number of numbers) if (await identity.isStaffNumber(tx, number)) throw new KistError('STAFF_NUMBER');
}

/** @returns which code from the number on file agreed; undefined: none was given; what was wrong with it, which counts */
async function agreedBy(
  tx: Tx,
  actor: Actor,
  { customer, to, otp }: { customer: customers.AuthorizedCustomer; to: string; otp: string | undefined },
): Promise<string | undefined | KistError> {
  if (otp === undefined) return undefined;
  await noneOfAShop(tx, [customer.mobile]);
  const { verdict, otp_id } = await identity.presentCustomerCode(tx, actor, codeOf(customer, to), otp);
  return otp_id ?? new KistError(verdict === 'accepted' ? 'OTP_INVALID' : verdict);
}

/**
 * Who a customer is and how they are reached, each field by itself. Another number ends their login, and proves nothing until a code was told from it; the old one is told,
 * because whoever has the number has the customer's word. Unless a code from the old one agreed, codes to the new one count after a day, and a few changes
 * a day are all; the number that spoke until then waits for nothing when it comes back. The transaction must commit whatever comes of it: a wrong code is
 * returned, not thrown, because it counts.
 * @returns which fields are others now
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED; STATE_CONFLICT of a draft, which is registered as a whole, and of one who was erased; STAFF_NUMBER, NUMBER_IS_NEW, NUMBER_CHANGED_OFTEN
 */
export async function changeDetails(
  tx: Tx,
  notices: Pick<Notices, 'numberChanges'>,
  actor: Actor,
  { customer_id, pan, otp, ...given }: PersonEdit,
): Promise<DetailsChanged | KistError> {
  const customer = await standing(tx, actor, { customer_id });
  const masked = pan === undefined ? {} : { pan_masked: customers.maskPan(pan) };
  const wanted = Object.entries({ ...given, ...masked }).filter(([, value]) => value !== undefined);
  const stands = { ...customer, address: addressSchema.parse(customer.address) };
  const fields = Object.fromEntries(
    wanted.filter(([name, value]) => !isDeepStrictEqual(stands[name as keyof typeof stands], value)),
  );
  const changed = CUSTOMER_DETAILS.filter((name) => (name === 'pan' ? 'pan_masked' : name) in fields);
  if (changed.length === 0) return { customer_id, changed, number_speaks_at: null };
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  let agreed: string | undefined;
  if (changed.includes('mobile')) {
    await noneOfAShop(tx, [given.mobile!]);
    const told = await agreedBy(tx, actor, { customer, to: given.mobile!, otp });
    if (told instanceof KistError) return told;
    agreed = told;
    if (agreed === undefined) await customers.mayChangeNumber(tx, { customer_id, to: given.mobile! });
    if (agreement) await notices.numberChanges(tx, agreement, { from: customer.mobile });
  }
  const search = await searchOf(tx, { ...customer, ...fields }, agreement);
  await customers.change(tx, actor, { customer, fields: { ...fields, search }, agreedBy: agreed });
  const speaksAt = changed.includes('mobile') ? await identity.numberSpeaksAt(tx, customer) : null;
  return { customer_id, changed, number_speaks_at: speaksAt?.toISOString() ?? null };
}

/** What the list's search looks in, of the phone and the agreement that they have now. */
async function searchOf(
  tx: Tx,
  person: Pick<customers.AuthorizedCustomer, 'customer_id' | 'first_name' | 'last_name' | 'mobile'>,
  agreement: agreements.Agreement | undefined,
): Promise<string> {
  const phone = await devices.deviceOfCustomer(tx, person.customer_id);
  const rowRef = agreement && (await agreements.rowRefOf(tx, agreement));
  return customers.searchText({ person, phone, agreementNo: agreement?.agreement_no, rowRef });
}
