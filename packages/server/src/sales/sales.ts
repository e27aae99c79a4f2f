import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as customers from '#server/customers/customers.ts';
import type { Codes } from '#server/devices/codes.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import type { Registration } from './rules.ts';
import { keysLeft, sign } from './signing.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    sales: {
      /** The server's own copy of a consent clause; undefined for a version it never had. */
      consentText(version: string, language: Language): string | undefined;
      /** What can be delivered here. */
      planes: readonly catalogue.Plane[];
      /** Codes that set phones up here. */
      codes: Codes;
    };
  }
}

/** What became of a draft or a registration. */
export interface Registered {
  customer_id: string;
  is_draft: boolean;
  status: number;
  agreement_id: string | null;
  agreement_no: string | null;
  device_id: string | null;
  keys_left: number;
}

/**
 * Draft or registration.
 * @throws KistError INVALID_INPUT naming what is missing, PLAN_NOT_ON_SALE, INSUFFICIENT_KEYS, DUPLICATE_IMEI, STATE_CONFLICT, NOT_FOUND.
 */
export async function register(tx: Tx, actor: Actor, body: Registration): Promise<Registered> {
  identity.requires(actor, NEEDS.activate);
  const plan = await catalogue.planForSale(tx, body.plan_id, tx.ports.sales.planes);
  const { plan_id, plan_type } = plan;
  const known = await draftOf(tx, actor, body.customer_id);
  const begun = known ?? (await customers.begin(tx, actor, { plan_id, plan_type }));
  if (begun.plan_id !== plan_id) await customers.change(tx, actor, { customer: begun, fields: { plan_id, plan_type } });
  const customer = { ...begun, plan_id, plan_type };
  if (body.draft) return keepDraft(tx, actor, { customer, body });
  return sign(tx, actor, { customer, provisioning_type: catalogue.provisioningOf(plan), body });
}

async function draftOf(tx: Tx, actor: Actor, customer_id: string | undefined) {
  if (customer_id === undefined) return undefined;
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  if (!customer.is_draft) throw new KistError('STATE_CONFLICT');
  return customer;
}

/** A draft keeps what was typed, valid or not, as the form's own; the columns stay empty until the registration. */
async function keepDraft(
  tx: Tx,
  actor: Actor,
  { customer, body }: { customer: customers.AuthorizedCustomer; body: Registration },
): Promise<Registered> {
  const { draft: _draft, customer_id: _id, customer: person, ...typed } = body;
  const fields = person ? personFields(person) : {};
  await customers.change(tx, actor, {
    customer,
    fields: { ...fields, draft: { ...typed, ...(person ? { customer: withoutPan(person) } : {}) } },
  });
  const { customer_id, status } = customer;
  const nothing = { agreement_id: null, agreement_no: null, device_id: null };
  return { customer_id, is_draft: true, status, ...nothing, keys_left: await keysLeft(tx, customer) };
}

type Person = NonNullable<Registration['customer']>;

const personFields = (person: Person) => ({
  ...customers.identityFields(person),
  search: customers.searchText([person.first_name, person.last_name, person.mobile]),
});

/** The PAN is kept masked only, in drafts too: it is asked again when the form is finished. */
function withoutPan({ pan: _pan, ...kept }: Person): Omit<Person, 'pan'> {
  return kept;
}

/** @returns keys given back. @throws KistError NOT_FOUND; STATE_CONFLICT once a phone enrolled or an agreement stands. */
export async function deleteDraft(
  tx: Tx,
  actor: Actor,
  { customer_id }: { customer_id: string },
): Promise<{ keys_returned: number }> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  if (!customer.is_draft || (await agreements.ofCustomer(tx, { customer_id }))) throw new KistError('STATE_CONFLICT');
  const keys_returned = await wallet.giveBack(tx, actor, { customer_id, why: 'draft_deleted' });
  await documents.discardOfDraft(tx, actor, { customer_id });
  await customers.discard(tx, actor, { customer });
  return { keys_returned };
}

type LastTerms = Awaited<ReturnType<typeof agreements.lastTerms>>[number];

const termsIn = (last: LastTerms | undefined) => {
  if (!last) return null;
  const { method, frequency, rate_bps, tenure } = last;
  return { method, frequency, rate_bps, tenure };
};

/** What can be sold here now, with the keys left for each. @throws KistError FEATURE_NOT_ALLOWED */
export async function plans(tx: Tx, actor: Actor) {
  const keys = new Map((await wallet.ownKeys(tx, actor)).map((row) => [row.plan_type, row.paid + row.granted]));
  const offered = await catalogue.plansOnOffer(tx, tx.ports.sales.planes);
  const last = new Map(
    (await agreements.lastTerms(tx, { owner_user_id: actor.userId })).map((one) => [one.plan_type, one]),
  );
  const presets = await catalogue.presets(tx);
  return offered.map((plan) => ({
    plan_id: plan.plan_id,
    plan_type: plan.plan_type,
    name: plan.name,
    app_type: plan.app_type,
    provisioning_type: catalogue.provisioningOf(plan),
    keys_left: keys.get(plan.plan_type) ?? 0,
    is_emi: catalogue.isEmiPlan(plan.plan_type),
    last_sold_at: last.get(plan.plan_type)?.created_at.toISOString() ?? null,
    last_terms: termsIn(last.get(plan.plan_type)),
    presets: presets.flatMap(({ plan_id, ...preset }) => (plan_id === plan.plan_id ? [preset] : [])),
  }));
}

/** One plan of the organisation, on sale or not, with the shop's keys for it. @throws KistError NOT_FOUND */
export async function plan(tx: Tx, actor: Actor, { plan_id }: { plan_id: number }) {
  const [found] = await catalogue.products(tx, tx.ports.sales.planes, { plan_id });
  if (!found) throw new KistError('NOT_FOUND');
  const keys = (await wallet.ownKeys(tx, actor)).find((row) => row.plan_type === found.plan_type);
  return { ...found, keys_left: keys ? keys.paid + keys.granted : 0 };
}

export { collectConsent, sendConsentCode } from './consents.ts';
export type { Cancellation } from '@kist/contract/cancelling';
export { eraseCustomer, previewErasure } from './erasing.ts';
export { cancelAgreement, previewCancellation } from './cancelling.ts';
export { exchangePhone, previewExchange } from './exchanging.ts';
export { activateShop, changeShop, suspendShop } from './shops.ts';
export { changeDetails } from './details.ts';
export { edit, previewEdit, type RevisingDeps, sendEditCode } from './revising.ts';
export { transferCustomers } from './transfers.ts';
export { type SetUp, checkStatus, deepLink, makeCode, makeLink, setKeyAside, setUpOf, showCode } from './set-up.ts';
export { type ImportReport, importAgreements } from './importing.ts';
