import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import { type PlanName, planName } from '@kist/contract/codes';
import {
  type CustomerProfile,
  type DeviceView,
  type LockStory,
  type LockView,
  addressSchema,
} from '@kist/contract/customers';
import { type AllowedFeatures, editActionsFor } from '@kist/contract/features';
import { account, dues, ofCustomer } from '#server/agreements/agreements.ts';
import { type AuthorizedCustomer, authorize } from '#server/customers/customers.ts';
import { deviceOfCustomer, view } from '#server/devices/devices.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { stateOf } from './emi-details.ts';

export interface ProfileDeps {
  /** Why the phone is (or is not) held; null for a customer without an agreement. */
  story(tx: Tx, agreementId: string): Promise<LockStory | null>;
  allowedFeatures(tx: Tx): Promise<AllowedFeatures>;
  latestSignature(tx: Tx, customerId: string): Promise<string | null>;
}

type AgreementView = NonNullable<CustomerProfile['agreement']>;

async function agreementView(tx: Tx, customerId: string): Promise<AgreementView | null> {
  const agreement = await ofCustomer(tx, { customer_id: customerId });
  if (!agreement) return null;
  const opened = await account(tx, { agreement_id: agreement.agreement_id });
  const today = businessOn(await now(tx)) as IsoDate;
  const state = dues(opened, today);
  return {
    agreement_id: agreement.agreement_id,
    agreement_no: agreement.agreement_no,
    state: agreement.state,
    emi_paise: agreement.emi_paise,
    tenure: agreement.tenure,
    paid_count: agreement.paid_count,
    outstanding_paise: agreement.outstanding_paise,
    overdue_paise: state.overdue_paise,
    next_due_on: state.oldestUnpaid?.due_on ?? null,
    next_due_paise: state.oldestUnpaid?.left_paise ?? 0,
    days_past_due: state.days_past_due,
    segments: opened.instalments.map((row) => stateOf(row, today)),
  };
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
  const { rows } = await tx.query<{ added_by: string; plan_name: string | null }>(
    `select trim(u.first_name || ' ' || u.last_name) as added_by, (select name from plans p where p.org_id = u.org_id and p.plan_id = $2::int) as plan_name
     from users u where u.user_id = $1`,
    [customer.owner_user_id, customer.plan_id],
  );
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
    plan_name: rows[0]?.plan_name ?? planName(plan_type) ?? '',
    address: addressSchema.parse(customer.address),
    aadhaar_masked: customer.aadhaar_last4 ? `•••• •••• ${customer.aadhaar_last4}` : null,
    signature_document_id: signatureId,
    created_at: customer.created_at.toISOString(),
    added_by: rows[0]?.added_by ?? '',
  };
}

/** Everything about one customer, for the shop and for the customer. @throws KistError NOT_FOUND. */
export async function customerProfile(
  tx: Tx,
  actor: Actor,
  customerId: string,
  deps: ProfileDeps,
): Promise<CustomerProfile> {
  requires(actor, NEEDS.read);
  const customer = await authorize(tx, actor, { customer_id: customerId });
  const agreement = await agreementView(tx, customerId);
  const phone = await deviceOfCustomer(tx, customerId);
  const seen: { device: DeviceView; lock: LockView } | null = phone
    ? await view(tx, phone.deviceId, await deps.allowedFeatures(tx))
    : null;
  const signatureId = await deps.latestSignature(tx, customerId);
  const { rows } = await tx.query<{ n: number }>('select count(*)::int as n from consents where agreement_id = $1', [
    agreement?.agreement_id ?? null,
  ]);
  const plan: PlanName = planName(customer.plan_type) ?? 'DPC';
  return {
    customer: await customerView(tx, customer, signatureId),
    device: seen?.device ?? null,
    agreement,
    lock: seen?.device.enrolled_at ? seen.lock : null,
    story: agreement && seen?.device.enrolled_at ? await deps.story(tx, agreement.agreement_id) : null,
    edit_actions: [...editActionsFor(plan)],
    steps: stepsOf(customer, {
      agreement: agreement !== null,
      consent: rows[0]!.n > 0,
      signature: signatureId !== null,
      // Status 0 with a phone that was enrolled once: uninstalled, and to be set up anew.
      enrolled: customer.status !== 0 && Boolean(phone?.enrolledAt),
    }),
    draft: customer.is_draft ? customer.draft : null,
  };
}
