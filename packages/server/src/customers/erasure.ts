import type { IsoDate } from '@kist/contract/dates';
import { NAMELESS } from '@kist/contract/erased';
import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { AuthorizedCustomer } from './customers.ts';
import * as erasures from './erasure-store.ts';
import * as store from './store.ts';

/** When what was kept of a customer went, and until when the rest is kept; undefined: it is all there. */
export const erasureOf = (tx: Tx, { customer_id }: { customer_id: string }) =>
  erasures.findErasure.first(tx, { customer_id });

/** Nothing begins anew with somebody who is erased. Whoever writes asks under the customer's lock, else an erasure beside it passes unseen. @throws KistError STATE_CONFLICT */
export async function assertNotErased(tx: Tx, of: { customer_id: string }): Promise<void> {
  if (await erasureOf(tx, of)) throw new KistError('STATE_CONFLICT', { internal: 'the customer was erased' });
}

/** Asks it of one whose agreement would owe again, and takes the customer's lock for it. @throws KistError STATE_CONFLICT */
export async function assertMayOweAgain(tx: Tx, { customer_id }: { customer_id: string }): Promise<void> {
  await store.findToChange.first(tx, { customer_id });
  await assertNotErased(tx, { customer_id });
}

/** Who asked for it: by `system` it is whoever runs the installation. */
const askedAs = ({ userType }: Actor) =>
  userType === 'customer' ? 'customer' : userType === 'system' ? 'operator' : 'shop';

interface Erased {
  customer: AuthorizedCustomer;
  /** What whoever runs the installation says about it. */
  reason?: string | undefined;
  evidence_until: IsoDate;
  books_until: IsoDate;
}

/**
 * Takes name, numbers, address and papers' marks off a customer, for good, with the login. The rest of the customer's traces is each slice's own: they are let
 * go of by the row that this writes.
 */
export async function erase(tx: Tx, actor: Actor, { customer, reason, ...until }: Erased): Promise<void> {
  const { customer_id, mobile } = customer;
  const asked_as = askedAs(actor);
  await erasures.insertErasure.run(tx, { customer_id, asked_by: actor.userId, asked_as, ...until });
  await identity.eraseCustomerLogin(tx, actor, { customer_id, mobile });
  const nothing = { alternate_mobile: null, email: null, birth_on: null, aadhaar_last4: null, pan_masked: null };
  await store.updateCustomer.run(tx, {
    customer_id,
    fields: {
      ...nothing,
      first_name: NAMELESS,
      last_name: '',
      mobile: '',
      address: {} as AuthorizedCustomer['address'],
      photo_document_id: null,
      draft: {},
      search: '',
    },
  });
  await store.forgetNumbers.run(tx, { customer_id });
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'customer_erased',
    data: { asked_as, ...(reason !== undefined && { reason }), ...until },
  });
}

/** What proves consents of those for whom its time is over; their signatures are told to `letGo` first. @returns how many */
export async function dropEvidence(
  tx: Tx,
  slice: number,
  letGo: (tx: Tx, customerIds: readonly string[]) => Promise<void>,
): Promise<number> {
  const ids = (await erasures.evidenceOver.all(tx, { slice })).map(({ customer_id }) => customer_id);
  if (ids.length === 0) return 0;
  await letGo(tx, ids);
  await erasures.dropEvidence.run(tx, { customer_ids: ids });
  return ids.length;
}
