import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { KEPT_DAYS } from '@kist/contract/limits';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { forgetRepliesAbout } from '#server/platform/idempotency.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { assertNamesNobody } from './names-nobody.ts';

interface OfCustomer {
  customer_id: string;
}

/** @returns keys given back. @throws KistError NOT_FOUND; STATE_CONFLICT once a phone enrolled or an agreement stands. */
export async function deleteDraft(
  tx: Tx,
  actor: Actor,
  { customer_id, reason }: OfCustomer & { reason?: string },
): Promise<{ keys_returned: number }> {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  if (!customer.is_draft || (await agreements.ofCustomer(tx, { customer_id }))) throw new KistError('STATE_CONFLICT');
  const keys_returned = await wallet.giveBack(tx, actor, { customer_id, why: 'draft_deleted' });
  await documents.discardOfDraft(tx, actor, { customer_id });
  await customers.discard(tx, actor, { customer, reason });
  return { keys_returned };
}

/**
 * As deleteDraft, for the person whose sale was begun: replies to requests that still name them go too. The reason stays in the history, so it names nobody.
 * @throws KistError as deleteDraft; INVALID_INPUT for a reason that says whom it is about
 */
export async function eraseDraft(
  tx: Tx,
  actor: Actor,
  { customer_id, reason }: OfCustomer & { reason: string },
): Promise<{ keys_returned: number }> {
  assertNamesNobody(reason, await customers.authorizeToChange(tx, actor, { customer_id }));
  const deleted = await deleteDraft(tx, actor, { customer_id, reason });
  await forgetRepliesAbout(tx, customer_id);
  return deleted;
}

/** Deletes drafts that nobody touched for so long (`KEPT_DAYS.drafts`), at most so many. @returns how many went */
export async function forgetDrafts(tx: Tx, slice: number): Promise<number> {
  const actor = identity.SYSTEM(tx.orgId ?? 0);
  const found = await customers.untouchedDrafts(tx, { days: KEPT_DAYS.drafts, slice });
  const touched = await documents.picturedLately(tx, { customer_ids: found, days: KEPT_DAYS.drafts });
  const left = found.filter((customer_id) => !touched.has(customer_id));
  for (const customer_id of left) await deleteDraft(tx, actor, { customer_id });
  return left.length;
}
