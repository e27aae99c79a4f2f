import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { clauseOf, proofsOf } from './consents.ts';
import type { Registered } from './sales.ts';
import { assertDeliveredLately, complete, type Registration, type Sale } from './rules.ts';

interface Signing {
  customer: customers.AuthorizedCustomer;
  /** How the plan's phones are reached; null for a plan without a managed phone. */
  provisioning_type: number | null;
  body: Registration;
  /** Whose loan it is; undefined: the shop's own EMI. */
  financer_id: number | undefined;
}

const unusable = (path: string, key: string) => new KistError('INVALID_INPUT', { fields: [{ path, key }] });

/** The registration itself: a key is set aside, the phone and the agreement are there, the consent is on record. @throws KistError as `register` does */
export async function sign(
  tx: Tx,
  actor: Actor,
  { customer, provisioning_type, ...given }: Signing,
): Promise<Registered> {
  const { body, financer_id } = given;
  const sale = complete(body);
  assertDeliveredLately(sale.emi.delivered_on, await today(tx));
  const clause = clauseOf(tx, sale.consent, 'consent.text_version');
  const { customer_id, owner_user_id: user_id, plan_type } = customer;
  if (provisioning_type === null || !catalogue.isEmiPlan(plan_type)) throw unusable('plan_id', 'field.plan');
  await wallet.reserve(tx, actor, { user_id, plan_type, customer_id });
  const device_id = await devices.create(tx, actor, {
    ...sale.device,
    customerId: customer_id,
    provisioningType: provisioning_type,
  });
  const agreement = await agreements.open(tx, actor, {
    customer_id,
    device_id,
    owner_user_id: user_id,
    plan_type,
    terms: sale.emi,
    policy: await locking.policyFor(tx),
  });
  const { agreement_id, agreement_no } = agreement;
  await keepConsent(tx, actor, { customer_id, agreement_id, clause, sale, financer_id });
  await customers.change(tx, actor, { customer, fields: signedFields(sale, agreement_no) });
  const keys_left = await keysLeft(tx, customer);
  // Last: until the sale stands nobody else of this till gets a number.
  await payments.takeDownPayment(tx, actor, agreement);
  return { customer_id, is_draft: false, status: customer.status, agreement_id, agreement_no, device_id, keys_left };
}

async function keepConsent(
  tx: Tx,
  actor: Actor,
  given: {
    customer_id: string;
    agreement_id: string;
    clause: ReturnType<typeof clauseOf>;
    sale: Sale;
    financer_id: number | undefined;
  },
): Promise<void> {
  const { customer_id, agreement_id, clause, sale, financer_id } = given;
  const { method } = sale.consent;
  // A typed name is drawn and kept as a picture too. The number is the one that is signed for, whatever the draft said when its code was told.
  const { mobile } = sale.customer;
  // What was signed or told for another phone, other terms or another's loan is no word on these: the agreement stands without it, and no debt holds the phone
  // until it is given anew.
  const deal_hash = customers.dealOf({ ...sale, financer_id });
  const proofs = await proofsOf(tx, { customer_id, mobile }, clause, { deal_hash });
  // A shop's by now, whosever it was when the code was told.
  if (await identity.isStaffNumber(tx, mobile)) proofs.confirmation_id = null;
  await agreements.recordConsent(tx, actor, { ...clause, ...proofs, agreement_id, method });
  await identity.dealIsSigned(tx, actor, { customer_id, mobile, deal_hash });
}

function signedFields({ customer, device }: Sale, agreementNo: string) {
  return {
    ...customers.identityFields(customer),
    is_draft: false,
    draft: {},
    search: customers.searchText({ person: customer, phone: device, agreementNo }),
  };
}

/** Keys that the customer's shop has left of the customer's plan. */
export async function keysLeft(
  tx: Tx,
  { owner_user_id, plan_type }: Pick<customers.AuthorizedCustomer, 'owner_user_id' | 'plan_type'>,
): Promise<number> {
  const row = (await wallet.keysOf(tx, owner_user_id)).find((keys) => keys.plan_type === plan_type);
  return (row?.paid ?? 0) + (row?.granted ?? 0);
}
