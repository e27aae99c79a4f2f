import { NEEDS } from '@kist/contract/access';
import { CUSTOMER_STATUS, planName } from '@kist/contract/codes';
import { type CustomerProfile, addressSchema } from '@kist/contract/customers';
import { needsConsentCode } from '@kist/contract/consent-code';
import { isErased } from '@kist/contract/erased';
import * as agreements from '#server/agreements/agreements.ts';
import type { AuthorizedCustomer } from '#server/customers/customers.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { stateOf } from './emi-details.ts';
import { securityOf } from './security.ts';
import * as store from './store.ts';

type AgreementView = NonNullable<CustomerProfile['agreement']>;

async function agreementView(tx: Tx, found: agreements.Agreement): Promise<AgreementView> {
  const opened = agreements.asRead(await agreements.account(tx, { agreement_id: found.agreement_id }));
  const { agreement } = opened;
  const on = await today(tx);
  const state = opened.instalments.length > 0 ? agreements.dues(opened, on) : undefined;
  return {
    agreement_id: agreement.agreement_id,
    agreement_no: agreement.agreement_no,
    state: agreement.state,
    emi_paise: agreement.emi_paise,
    tenure: agreement.tenure,
    paid_count: agreement.paid_count,
    outstanding_paise: agreement.outstanding_paise,
    overdue_paise: state?.overdue_paise ?? 0,
    next_due_on: state?.oldestUnpaid?.due_on ?? null,
    next_due_paise: state?.oldestUnpaid?.left_paise ?? 0,
    days_past_due: state?.days_past_due ?? 0,
    segments: opened.instalments.map((row) => stateOf(row, on)),
  };
}

/** A code that was told already is found when the rest is collected; where none is needed, the signature counts once somebody collects it. */
async function consentMissing(
  tx: Tx,
  found: agreements.Agreement | undefined,
): Promise<CustomerProfile['consent_missing']> {
  if (found?.state !== 'active' || (await agreements.hasWholeConsent(tx, found))) return [];
  if ((await documents.signatureUnder(tx, found)) !== null) return ['code'];
  return needsConsentCode(found.policy) ? ['signature', 'code'] : ['signature'];
}

/** Phones that were the agreement's before, the last one first. */
async function exchangesOf(tx: Tx, found: agreements.Agreement | undefined): Promise<CustomerProfile['exchanges']> {
  if (!found) return [];
  const rows = await store.exchangesOf.all(tx, { agreement_id: found.agreement_id });
  return rows.map(({ made_at, ...row }) => ({ at: made_at.toISOString(), ...row }));
}

/** What is done of an enrolment, in the order in which the shop does it. */
function stepsOf(
  customer: AuthorizedCustomer,
  has: { agreement: boolean; consent: boolean; signature: boolean; enrolled: boolean },
): CustomerProfile['steps'] {
  const draft = customer.draft as Partial<Record<'customer' | 'device' | 'emi' | 'consent', unknown>>;
  const isSigned = has.agreement;
  return [
    { step: 'plan', is_done: customer.plan_id !== null },
    { step: 'identity', is_done: isSigned || draft.customer !== undefined },
    { step: 'device', is_done: isSigned || draft.device !== undefined },
    { step: 'emi', is_done: isSigned || draft.emi !== undefined },
    { step: 'consent', is_done: has.consent },
    { step: 'signature', is_done: has.signature },
    { step: 'qr', is_done: has.enrolled },
  ];
}

async function customerView(
  tx: Tx,
  customer: AuthorizedCustomer,
  signatureId: string | null,
): Promise<CustomerProfile['customer']> {
  const sale = await store.saleOf.first(tx, { user_id: customer.owner_user_id, plan_id: customer.plan_id });
  const {
    customer_id,
    status,
    is_draft,
    plan_id,
    plan_type,
    first_name,
    last_name,
    mobile,
    alternate_mobile,
    email,
    birth_on,
    language,
    pan_masked,
    photo_document_id,
  } = customer;
  return {
    customer_id,
    status,
    is_draft,
    plan_id,
    plan_type,
    first_name,
    last_name,
    mobile,
    alternate_mobile,
    email,
    birth_on,
    language,
    pan_masked,
    photo_document_id,
    plan_name: sale?.plan_name ?? planName(plan_type) ?? '',
    address: addressSchema.parse(customer.address),
    aadhaar_masked: customer.aadhaar_last4 ? `•••• •••• ${customer.aadhaar_last4}` : null,
    signature_document_id: signatureId,
    created_at: customer.created_at.toISOString(),
    added_by: sale?.added_by ?? '',
  };
}

/** The database holds to it that the erased have the one name: of all others nothing is looked up. */
async function erasureOf(tx: Tx, customer: AuthorizedCustomer): Promise<CustomerProfile['erasure']> {
  const found = isErased(customer) ? await customers.erasureOf(tx, customer) : undefined;
  if (!found) return null;
  const { erased_at, evidence_until, books_until } = found;
  return { erased_at: erased_at.toISOString(), evidence_until, books_until };
}

/** Everything about one customer, for the shop and for the customer. @throws KistError NOT_FOUND. */
export async function customerProfile(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<CustomerProfile> {
  identity.requires(actor, NEEDS.read);
  const customer = await customers.authorize(tx, actor, { customer_id });
  const found = await agreements.ofCustomer(tx, { customer_id });
  const agreement = found ? await agreementView(tx, found) : null;
  const phone = await devices.deviceOfCustomer(tx, customer_id);
  const seen = phone ? await devices.view(tx, phone.deviceId, await organisations.allowedFeatures(tx)) : null;
  const signatureId = await documents.latest(tx, { customer_id, document_type: 'signature' });
  const missing = await consentMissing(tx, found);
  const erasure = await erasureOf(tx, customer);
  // An exchanged phone needs a signature and a code of its own, whatever is kept of the one before.
  const isAskedAnew = Boolean(found?.exchanged_at);
  const isUnderLock = Boolean(seen?.device.enrolled_at);
  return {
    customer: await customerView(tx, customer, signatureId),
    erasure,
    consent_missing: missing,
    ...(found && !needsConsentCode(found.policy) && { consent_needs_no_code: true as const }),
    exchanges: await exchangesOf(tx, found),
    device: seen?.device ?? null,
    agreement,
    lock: isUnderLock ? seen!.lock : null,
    lost_reports: phone ? await locking.lostReports(tx, phone.deviceId) : [],
    disputes: agreement ? await locking.disputesOf(tx, agreement.agreement_id) : [],
    lock_timeline: agreement && isUnderLock ? await locking.lockTimeline(tx, agreement.agreement_id) : null,
    override: phone && isUnderLock ? await locking.overrideOf(tx, actor, phone.deviceId) : null,
    security: await securityOf(tx, seen),
    // Of somebody erased nothing is taken any more.
    edit_actions: erasure ? [] : customers.editsOffered(actor, customer),
    steps: stepsOf(customer, {
      agreement: agreement !== null,
      consent: isAskedAnew
        ? missing.length === 0
        : agreement !== null && (await store.hasConsent.one(tx, { agreement_id: agreement.agreement_id })).has_consent,
      signature: signatureId !== null && !(isAskedAnew && missing.includes('signature')),
      // Status 0 with a phone that was enrolled once: uninstalled, and to be set up anew.
      enrolled: customer.status !== CUSTOMER_STATUS.inactive && Boolean(phone?.enrolledAt),
    }),
    draft: customer.is_draft ? customer.draft : null,
  };
}
