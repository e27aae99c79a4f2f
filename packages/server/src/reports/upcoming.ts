import { NEEDS } from '@kist/contract/access';
import type { z } from 'zod';
import { type IsoDate, addDays } from '@kist/contract/dates';
import type { emiEndpoints } from '@kist/contract/emi';
import { type Actor, requires } from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { ownersIn } from './owners.ts';
import * as sql from './upcoming-sql.ts';

type Query = z.output<(typeof emiEndpoints)['getUpcomingEmi']['query']>;

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

/** Dues of a bucket, oldest first, an instalment a row. */
export async function upcoming(tx: Tx, actor: Actor, { bucket, page, page_size, retailer_id, ...filter }: Query) {
  requires(actor, NEEDS.read);
  const on = await today(tx);
  const rows = await sql.duesPage.all(tx, {
    owner_ids: ownersIn(actor, retailer_id),
    filter,
    today: on,
    days: daysOf(bucket, on),
    limit: page_size,
    skip: (page - 1) * page_size,
  });
  return {
    list: rows.map(({ total: _total, reminded_at, ...row }) => ({
      ...row,
      reminded_at: reminded_at?.toISOString() ?? null,
    })),
    total: rows[0]?.total ?? 0,
    page,
    page_size,
  };
}

/** Customers and paise of each bucket. */
export async function upcomingCounts(
  tx: Tx,
  actor: Actor,
  { retailer_id, ...filter }: z.output<(typeof emiEndpoints)['upcomingEmiCounts']['query']> = {},
) {
  requires(actor, NEEDS.read);
  const on = await today(tx);
  return sql.duesByBucket.all(tx, {
    owner_ids: ownersIn(actor, retailer_id),
    filter,
    buckets: (Object.keys(BUCKETS) as Query['bucket'][]).map((bucket) => ({ bucket, ...daysOf(bucket, on) })),
  });
}
