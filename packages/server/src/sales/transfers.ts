import type { z } from 'zod';
import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { peopleEndpoints } from '@kist/contract/people';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

type Asked = z.output<typeof peopleEndpoints.transferCustomers.body>;

/**
 * Customers pass from one shop of the caller's to another, with their agreements and phones; of very many, so many a call.
 * Phones that are held name the other shop from now on. Keys that are set aside stay the first shop's, and money that it took stays in its till, also what its app sends
 * later: all is told by the ledger.
 * @throws KistError NOT_FOUND for a shop or a customer that is not the caller's; STATE_CONFLICT to a shop that is suspended; FEATURE_NOT_ALLOWED
 */
export async function transferCustomers(
  tx: Tx,
  actor: Actor,
  asked: Asked,
  contactsChanged: Locking['contactsChanged'],
): Promise<{ moved: number; agreements: number; left: number }> {
  identity.requires(actor, [...NEEDS.activate, ...NEEDS.read]);
  const { from_user_id, to_user_id, reason } = asked;
  shopOf(await identity.person(tx, actor, from_user_id));
  const named = asked.dry_run ? identity.person : identity.heldReceiver;
  const to = shopOf(await named(tx, actor, to_user_id));
  if (!to.is_active) throw new KistError('STATE_CONFLICT', { internal: 'the shop is suspended' });
  const only = asked.customer_ids === undefined ? null : [...new Set(asked.customer_ids)];
  const transfer = {
    transfer_id: newId(),
    from_user_id,
    to_user_id,
    reason,
    customer_ids: only,
    limit: LIMITS.transferCustomers,
  };
  if (asked.dry_run && only === null && from_user_id !== to_user_id) return counted(tx, from_user_id, null);
  const ids = await customers.holdForTransfer(tx, transfer);
  if (only !== null && ids.length < only.length) throw new KistError('NOT_FOUND');
  if (from_user_id === to_user_id) return { moved: 0, agreements: 0, left: 0 };
  if (asked.dry_run) return counted(tx, from_user_id, ids);
  await customers.passOn(tx, actor, ids, transfer);
  const moved = await agreements.passOn(tx, actor, { customer_ids: ids, to_user_id });
  // The shop of before has the links; the customer gets the new one with the next message.
  await notices.replaceLinks(tx, actor, moved);
  await contactsChanged(tx, [to_user_id]);
  return {
    moved: ids.length,
    agreements: moved.length,
    left: only === null ? await customers.countOf(tx, from_user_id) : 0,
  };
}

/** What would move: all of a shop, or these. */
async function counted(tx: Tx, user_id: string, only: readonly string[] | null) {
  const moved = only?.length ?? (await customers.countOf(tx, user_id));
  return { moved, agreements: await agreements.countOf(tx, { user_id, only }), left: 0 };
}

/** Only who sells has customers. @throws KistError NOT_FOUND */
function shopOf(person: identity.AuthorizedPerson): identity.AuthorizedPerson {
  if (person.user_type !== 'retailer' && person.user_type !== 'miniretailer') throw new KistError('NOT_FOUND');
  return person;
}
