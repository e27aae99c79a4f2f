import { known, listOf, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What customers are called. */
export const namesOf = statement({
  name: 'notices.names_of',
  takes: { customer_ids: listOf(uuid) },
  gives: { customer_id: uuid, name: known(text) },
  text: `
    select customer_id, trim(first_name || ' ' || last_name) as name from customers_view where org_id = $1 and customer_id = any($customer_ids)`,
});
