import { int4, nothing, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Next number of a gap-free series; the row stays locked until commit, so a rollback leaves no gap. */
export const nextNumber = statement({
  name: 'agreements.next_number',
  takes: { name: text },
  gives: { last: int4 },
  text: `
    insert into counters (org_id, name, last) values ($1, $name, 1)
    on conflict (org_id, name) do update set last = counters.last + 1 returning last`,
});

/** A counter that stands where it was put; no row when it was never set. */
export const readNumber = statement({
  name: 'agreements.read_number',
  takes: { name: text },
  gives: { last: int4 },
  text: 'select last from counters where org_id = $1 and name = $name',
});

/** Who gives a shop its number is alone, to the end of the transaction. */
export const takeShops = statement({
  name: 'agreements.take_shops',
  gives: { taken: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('agreements.shops', $1::integer)) as taken`,
});

/** Sets a counter that nobody set before, and tells what it stands at. */
export const writeNumber = statement({
  name: 'agreements.write_number',
  takes: { name: text, last: int4 },
  gives: { last: int4 },
  text: `
    insert into counters (org_id, name, last) values ($1, $name, $last)
    on conflict (org_id, name) do update set last = counters.last returning last`,
});
