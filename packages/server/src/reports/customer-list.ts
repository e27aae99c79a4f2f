import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { NEEDS } from '@kist/contract/access';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import type { CustomerRow } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import type { CollectionKey } from './collections-sql.ts';
import * as sql from './customer-list-sql.ts';
import type { ShopKey } from './shops-sql.ts';
import type { DuesKey } from './upcoming-sql.ts';
import type { Ports } from '#server/platform/ports.ts';
import { PageBook, listName } from '#server/platform/page-book.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    /** Where pages of the lists of customers, of dues, of shops and of a day's payments ended: one memory a process. */
    reports: {
      pages: PageBook<sql.PageKey>;
      dues: PageBook<DuesKey>;
      shops: PageBook<ShopKey>;
      collections: PageBook<CollectionKey>;
    };
  }
}

/** What a process remembers for its lists: where pages end. */
export const createPages = (): Ports['reports'] => ({
  pages: new PageBook(),
  dues: new PageBook(),
  shops: new PageBook(),
  collections: new PageBook(),
});

/**
 * Customers of a shop, by page number, over keyset paging.
 * @throws KistError FEATURE_NOT_ALLOWED; PAGE_TOO_FAR for a page that nobody could have come to.
 */
export async function customerList(tx: Tx, actor: Actor, query: sql.ListQuery) {
  identity.requires(actor, NEEDS.read);
  const { pages } = tx.ports.reports;
  const { page, page_size, refresh, ...filter } = query;
  const chosen: sql.Chosen = { owner_ids: actor.visibleOwnerIds, today: await today(tx), filter };
  const list = nameOf(actor, chosen, page_size);
  if (page === 1 || refresh || pages.total(list) === undefined)
    pages.open(list, (await sql.countCustomers.first(tx, chosen))?.count ?? 0);
  const { after, skip } = pages.start(list, page, page_size);
  const rows = await sql.customerPage.all(tx, {
    ...chosen,
    sort: filter.sort,
    after,
    skip,
    limit: page_size,
  });
  const last = rows.at(-1);
  if (last && rows.length === page_size) pages.ended(list, page, [last.fit, last.sort_key, last.customer_id]);
  const locks = await devices.lockViews(
    tx,
    rows.flatMap((row) => row.device_id ?? []),
  );
  return {
    list: rows.map(({ device_id, fit: _fit, sort_key: _sort_key, reminded_at, ...row }): CustomerRow => ({
      ...row,
      device: row.device ?? '',
      lock: (row.status !== CUSTOMER_STATUS.inactive && device_id && locks.get(device_id)) || null,
      created_at: row.created_at.toISOString(),
      ...(filter.due && { reminded_at: reminded_at?.toISOString() ?? null }),
    })),
    total: pages.total(list) ?? rows.length,
    page,
    page_size,
  };
}

/** The same list for the same owners on the same day. */
const nameOf = ({ orgId, visibleOwnerIds }: Actor, { today: on, filter }: sql.Chosen, pageSize: number): string =>
  listName([orgId, visibleOwnerIds.toSorted(), on, pageSize, filter]);

/**
 * Whom a filter means, for an order to all of them: the list's customers, in no order. How many a filter finds is as good as a search.
 * @throws KistError FEATURE_NOT_ALLOWED; TOO_MANY beyond `max`
 */
export async function customerIds(
  tx: Tx,
  actor: Actor,
  { filter, max }: { filter: CustomerFilter; max: number },
): Promise<string[]> {
  identity.requires(actor, NEEDS.read);
  const rows = await sql.customerIds.all(tx, {
    owner_ids: actor.visibleOwnerIds,
    today: await today(tx),
    filter,
    limit: max + 1,
  });
  if (rows.length > max)
    throw new KistError('TOO_MANY', {
      params: { max },
      details: { max },
      fields: [{ path: 'filter', key: 'field.too_large', params: { max } }],
    });
  return rows.map(({ customer_id }) => customer_id);
}
