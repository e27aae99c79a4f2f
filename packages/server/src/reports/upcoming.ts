import { NEEDS } from '@kist/contract/access';
import type { z } from 'zod';
import { type IsoDate, addDays } from '@kist/contract/dates';
import type { reportEndpoints } from '@kist/contract/reports';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { ownersIn } from './owners.ts';
import { listName } from '#server/platform/page-book.ts';
import * as sql from './upcoming-sql.ts';

type Query = z.output<(typeof reportEndpoints)['getUpcomingEmi']['query']>;

/** Days from today that each bucket spans; overdue is everything before today. */
const BUCKETS = {
  overdue: [-36_500, -1],
  today: [0, 0],
  week: [0, 6],
  month: [0, 29],
} as const satisfies Record<Query['bucket'], readonly [number, number]>;

const daysOf = (bucket: Query['bucket'], on: IsoDate): sql.Days => ({
  first: addDays(on, BUCKETS[bucket][0]),
  last: addDays(on, BUCKETS[bucket][1]),
});

/** Dues of a bucket, oldest first, an instalment a row: by page number, over keyset paging. @throws KistError PAGE_TOO_FAR */
export async function upcoming(tx: Tx, actor: Actor, { bucket, page, page_size, retailer_id, ...filter }: Query) {
  identity.requires(actor, NEEDS.read);
  const { dues: pages } = tx.ports.reports;
  const on = await today(tx);
  const asked = { owner_ids: ownersIn(actor, retailer_id).toSorted(), filter, days: daysOf(bucket, on) };
  const list = listName([actor.orgId, asked, page_size]);
  const count = async () => (await sql.countDues.first(tx, asked))?.count ?? 0;
  // The first page of a few shops counts all of them by the way.
  if (page > 1 && pages.total(list) === undefined) pages.open(list, await count());
  const { after, skip } = page === 1 ? { after: null, skip: 0 } : pages.start(list, page, page_size);
  const rows = await sql.duesPage.all(tx, { ...asked, today: on, after, skip, limit: page_size });
  if (page === 1) pages.open(list, rows[0] ? (rows[0].total ?? (await count())) : 0);
  const last = rows.at(-1);
  if (last && rows.length === page_size)
    pages.ended(list, page, [last.due_on as IsoDate, last.agreement_id, last.instalment_no]);
  return {
    list: rows.map(({ reminded_at, total: _counted, ...row }) => ({
      ...row,
      reminded_at: reminded_at?.toISOString() ?? null,
    })),
    total: pages.total(list) ?? rows.length,
    page,
    page_size,
  };
}

/** Customers and paise of each bucket. */
export async function upcomingCounts(
  tx: Tx,
  actor: Actor,
  { retailer_id, ...filter }: z.output<(typeof reportEndpoints)['upcomingEmiCounts']['query']> = {},
) {
  identity.requires(actor, NEEDS.read);
  const on = await today(tx);
  return sql.duesByBucket.all(tx, {
    owner_ids: ownersIn(actor, retailer_id),
    filter,
    buckets: (Object.keys(BUCKETS) as Query['bucket'][]).map((bucket) => ({ bucket, ...daysOf(bucket, on) })),
  });
}
