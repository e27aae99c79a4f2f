import type { IsoDate } from '@kist/contract/dates';
import { as, date, int4, int8, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Behind which instalment a page begins, in the order of due days; and to which day, how many. */
const PAGE = { after_on: date, after_id: uuid, after_no: int4, last: date, limit: int8 };
const PLACE = { due_on: as<IsoDate>()(date), agreement_id: uuid, no: int4 };
const IN_ORDER = `(i.due_on, i.agreement_id, i.no) > ($after_on, $after_id, $after_no) and i.due_on <= $last
    order by i.due_on, i.agreement_id, i.no limit $limit`;

/** What falls due of interest and fees, instalment by instalment. */
export const accrualPage = statement({
  name: 'reports.accrual_page',
  takes: PAGE,
  gives: {
    ...PLACE,
    agreement_no: text,
    shop: text,
    interest_paise: int8,
    fee_paise: int8,
    paid_interest_paise: int8,
    paid_fee_paise: int8,
  },
  isPlannedEachTime: true,
  text: `
    select i.due_on, i.agreement_id, i.no, a.agreement_no, u.name as shop, i.interest_paise, i.fee_paise, i.paid_interest_paise, i.paid_fee_paise
    from accruals_view i join agreements_view a on a.org_id = i.org_id and a.agreement_id = i.agreement_id and a.state <> 'cancelled'
      join users_view u on u.org_id = a.org_id and u.user_id = a.owner_user_id
    where i.org_id = $1 and ${IN_ORDER}`,
});

/** What is unpaid of what falls due, with whom to ask for it. */
export const duePage = statement({
  name: 'reports.due_page',
  takes: { ...PAGE, today: date },
  gives: {
    ...PLACE,
    agreement_no: text,
    shop: text,
    first_name: text,
    last_name: text,
    mobile: text,
    left_paise: int8,
    days_past_due: int4,
  },
  isPlannedEachTime: true,
  text: `
    select i.due_on, i.agreement_id, i.no, a.agreement_no, u.name as shop, c.first_name, c.last_name, c.mobile, i.left_paise,
      kist_days_past_due(i.due_on, $today) as days_past_due
    from instalments_view i join agreements_view a on a.org_id = i.org_id and a.agreement_id = i.agreement_id and a.state = 'active'
      join users_view u on u.org_id = a.org_id and u.user_id = a.owner_user_id
      join customers_view c on c.org_id = a.org_id and c.customer_id = a.customer_id
    where i.org_id = $1 and i.paid_on is null and ${IN_ORDER}`,
});
