import type { Language } from '@kist/contract/codes';
import { as, int2, listOf, text, uuid } from '#server/platform/column-types.ts';
import { statementFamily } from '#server/platform/statement.ts';
import { ownersOf } from './filter-sql.ts';

/** So many are shown on Home; a shop with more of them on one day wishes the rest another way. */
const SHOWN = 20;

interface Asked {
  owner_ids: readonly string[];
  /** Month and day, 229 for 29 February. */
  days: readonly number[];
}

const SOMEBODY = '00000000-0000-4000-8000-000000000000';

/** Customers who were born on one of these days of the year, with the shop that wishes. */
export const birthdays = statementFamily({
  name: 'reports.birthdays',
  gives: {
    customer_id: uuid,
    first_name: text,
    last_name: text,
    mobile: text,
    language: as<Language>()(text),
    shop: text,
  },
  samples: [
    { owner_ids: [], days: [101] },
    { owner_ids: [SOMEBODY], days: [228, 229] },
  ] as readonly Asked[],
  build: ({ owner_ids, days }, bind) => `
    select b.customer_id, b.first_name, b.last_name, b.mobile, b.language,
      coalesce(nullif(u.shop_name, ''), trim(u.first_name || ' ' || u.last_name)) as shop
    from birthdays_view b join shop_contacts_view u on u.org_id = b.org_id and u.user_id = b.owner_user_id
    where b.org_id = $1 and b.owner_user_id = ${ownersOf(owner_ids, bind)} and b.birth_day = any(${bind(listOf(int2), days)})
    order by b.first_name, b.customer_id limit ${SHOWN}`,
});
