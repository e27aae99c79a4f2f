import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Registration } from './rules.ts';
import { keysLeft, sign } from './signing.ts';

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
 * @param loan of a sale whose loan a financer made: whose
 * @throws KistError INVALID_INPUT naming what is missing, and of a lender that a sale without a loan names, PLAN_NOT_ON_SALE, INSUFFICIENT_KEYS, DUPLICATE_IMEI, STATE_CONFLICT, NOT_FOUND.
 */
export async function register(
  tx: Tx,
  actor: Actor,
  body: Registration,
  loan?: { financer_id: number },
): Promise<Registered> {
  identity.requires(actor, NEEDS.activate);
  // A loan is signed with its number and its sum, by a call of its own.
  if (!body.draft && body.financer_id !== undefined)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'financer_id', key: 'field.choice' }] });
  const plan = await catalogue.planForSale(tx, body.plan_id, tx.ports.sales.planes);
  const { plan_id, plan_type } = plan;
  const known = await draftOf(tx, actor, body.customer_id);
  const begun = known ?? (await customers.begin(tx, actor, { plan_id, plan_type }));
  if (begun.plan_id !== plan_id) await customers.change(tx, actor, { customer: begun, fields: { plan_id, plan_type } });
  const customer = { ...begun, plan_id, plan_type };
  if (body.draft) return keepDraft(tx, actor, { customer, body });
  const provisioning_type = catalogue.provisioningOf(plan);
  return sign(tx, actor, { customer, provisioning_type, body, financer_id: loan?.financer_id });
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
  search: customers.searchText({ person }),
});

/** The PAN is kept masked only, in drafts too: it is asked again when the form is finished. */
function withoutPan({ pan: _pan, ...kept }: Person): Omit<Person, 'pan'> {
  return kept;
}
