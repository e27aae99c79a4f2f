import { NEEDS } from '@kist/contract/access';
import type { z } from 'zod';
import { type IsoDate, addDays } from '@kist/contract/dates';
import type { reportEndpoints } from '@kist/contract/reports';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { listName } from '#server/platform/page-book.ts';
import { sumsOf } from './collected-sums.ts';
import * as sql from './collections-sql.ts';
import { ownersIn } from './owners.ts';

type Query = z.output<(typeof reportEndpoints)['listCollections']['query']>;

/**
 * What came in on a day or several for EMIs and late fees, latest first: the payments that the dashboard's takings of these days are the sum of, with that sum
 * by how they came in and by who took them, for cash lies in the till of its taker. What was taken back since is in neither; nor is what was paid down.
 * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND for a retailer_id that is not the caller or below, PAGE_TOO_FAR
 */
export async function collectionsOf(
  tx: Tx,
  actor: Actor,
  { on, days, page, page_size, retailer_id, ...filter }: Query,
) {
  identity.requires(actor, NEEDS.read);
  const { collections: pages } = tx.ports.reports;
  const last = (on as IsoDate | undefined) ?? (await today(tx));
  const first = addDays(last, 1 - days);
  const asked = { owner_ids: ownersIn(actor, retailer_id).toSorted(), filter, first, last };
  const sums = sumsOf(await sql.collectedByTaker.all(tx, asked));
  const { total } = sums;
  const list = listName([actor.orgId, 'collections', asked, page_size]);
  if (page === 1 || pages.total(list) === undefined) pages.open(list, total);
  const { after, skip } = pages.start(list, page, page_size);
  const rows = await sql.collectionsPage.all(tx, { ...asked, after, skip, limit: page_size });
  const end = rows.at(-1);
  if (end && rows.length === page_size) pages.ended(list, page, [end.paid_on as IsoDate, end.paid_at, end.payment_id]);
  return {
    ...sums,
    list: rows.map((row) => ({ ...row, paid_at: row.paid_at.toISOString() })),
    page,
    page_size,
    from: first,
    to: last,
  };
}
