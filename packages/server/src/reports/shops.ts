import { NEEDS, missingWord } from '@kist/contract/access';
import { planName } from '@kist/contract/codes';
import type { RetailerProfile, ShopRow, peopleEndpoints } from '@kist/contract/people';
import type { z } from 'zod';
import * as documents from '#server/documents/documents.ts';
import type { Actor, AuthorizedPerson } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { listName } from '#server/platform/page-book.ts';
import * as sql from './shops-sql.ts';

type Asked = z.output<(typeof peopleEndpoints)['listUsers']['query']>;
/** Shops of a status of the specification's numbers that are in this state too; null: there is none. */
function stateOf(status: Asked['status'], state: Asked['state']): Asked['state'] | null {
  if (status === undefined || status === 'all') return state;
  const meant = status === '1' ? 'active' : status === '0' || status === '2' ? 'suspended' : null;
  return state === 'all' || state === meant ? meant : null;
}

/**
 * The shops below the caller by page number, over keyset paging; of an admin all of the organisation.
 * @throws KistError FEATURE_NOT_ALLOWED; NOT_FOUND for a shop above the list that is not the caller's; PAGE_TOO_FAR
 */
export async function shopList(tx: Tx, actor: Actor, asked: Asked) {
  identity.requires(actor, NEEDS.read);
  const { page, page_size, sort, retailer_id, account_id, user_type, status, ...filter } = asked;
  const isOfOne = retailer_id !== undefined || account_id !== undefined;
  const above = isOfOne ? await identity.personNamed(tx, actor, { retailer_id, account_id }) : undefined;
  const isAll = actor.userType === 'admin' || actor.userType === 'system';
  const below = above?.user_id ?? (isAll ? null : actor.userId);
  const state = stateOf(status, filter.state);
  if (user_type === 'customer' || user_type === 'admin' || state === null)
    return { list: [], total: 0, page, page_size };
  const shops: sql.Shops = { below, user_type, ...filter, state };
  const { shops: book } = tx.ports.reports;
  const list = listName([actor.orgId, actor.userId, sort, page_size, shops]);
  if (page === 1 || book.total(list) === undefined)
    book.open(list, (await sql.countShops.first(tx, shops))?.count ?? 0);
  const start = book.start(list, page, page_size);
  const rows = await sql.shopPage.all(tx, { ...shops, sort, today: await today(tx), ...start, limit: page_size });
  const last = rows.at(-1);
  if (last && rows.length === page_size) book.ended(list, page, [last.sort_key, last.user_id]);
  return {
    list: rows.map(({ sort_key: _sort_key, ...row }): ShopRow => ({
      ...row,
      created_at: row.created_at.toISOString(),
    })),
    total: book.total(list) ?? rows.length,
    page,
    page_size,
  };
}

/** Somebody's own details, or those of a shop below. @throws KistError NOT_FOUND */
export async function shopDetails(tx: Tx, actor: Actor, who: identity.Named) {
  return detailsOf(tx, actor, await identity.personNamed(tx, actor, who));
}

async function detailsOf(tx: Tx, actor: Actor, row: AuthorizedPerson) {
  const { may_add_retailers, suspended_at, created_at, address, ...rest } = row;
  const isManaged = identity.canManage(actor, row);
  const kinds = await documents.pictureKinds(tx, row);
  return {
    ...rest,
    // Who is above is for who runs the shop: it sees no further up itself.
    parent_user_id: isManaged ? row.parent_user_id : null,
    address: { line1: '', city: '', state: '', pincode: '', ...address },
    add_retailer: may_add_retailers ? ('1' as const) : ('0' as const),
    suspended_at: suspended_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    may: {
      edit: isManaged || row.user_id === actor.userId,
      manage: isManaged && missingWord(actor, NEEDS.activate) === undefined,
    },
    has_qr: kinds.includes('qr'),
    has_signature: kinds.includes('signature'),
  };
}

/** A shop whole; what its work comes to only for who may read customers and money. @throws KistError NOT_FOUND */
export async function shopProfile(tx: Tx, actor: Actor, who: identity.Named): Promise<RetailerProfile> {
  const row = await identity.personNamed(tx, actor, who);
  const details = await detailsOf(tx, actor, row);
  if (missingWord(actor, NEEDS.read) !== undefined) return { ...details, figures: null };
  const { user_id } = row;
  const figures = await sql.figuresOfShop.one(tx, { user_id, today: await today(tx) });
  const keys = (await wallet.keysOf(tx, user_id)).map(({ plan_type, paid, granted }) => ({
    plan_type,
    name: planName(plan_type) ?? '',
    paid,
    granted,
  }));
  return { ...details, figures: { ...figures, keys } };
}
