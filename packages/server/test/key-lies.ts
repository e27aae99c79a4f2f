import { ORG } from './whole-shop.ts';

/** One key that is set aside, and the name that the journal of its end bears. */
const SET_ASIDE = `select r.*, floor(extract(epoch from reserved_at) * 1000)::bigint as ms from key_reservations r
  where org_id = ${ORG} and state = 'reserved' order by customer_id limit 1`;

/** A key's reservation said to be spent, on a journal of the right name: whatever that moves. */
const spentBy = (kind: string, lines: string, wallet: string) =>
  `with r as (${SET_ASIDE}),
     w as (update wallets w set ${wallet} from r where w.org_id = ${ORG} and w.user_id = r.user_id and w.plan_type = r.plan_type and w.lot = r.lot),
     j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select ${ORG}, gen_random_uuid(), 'key:spend:' || customer_id || ':' || ms, '${kind}', 'customer', customer_id, kist_today(), kist_now() from r returning journal_id),
     l as (insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot, agreement_id) select ${ORG}, j.journal_id, ${lines})
   update key_reservations k set state = 'posted', settled_at = kist_now() from r
   where k.org_id = ${ORG} and k.customer_id = r.customer_id and k.reserved_at = r.reserved_at`;

/** Statements about keys that no account of the database may carry out, beside those of book-lies.ts. */
export const KEY_LIES: [string, () => string][] = [
  [
    'by a key that is spent by the journal that gave it back',
    () =>
      spentBy(
        'key_returned',
        `s.no, a.account_id, a.unit, (s.no = 1)::int, (s.no = 2)::int, r.lot, null::uuid
         from j, r, (values (1, 'keys_available'), (2, 'keys_reserved')) as s(no, code)
         join accounts a on a.org_id = ${ORG} and a.code = s.code where a.owner_id = r.user_id::text and a.unit = 'KEY:' || r.plan_type`,
        'available = available + 1, reserved = w.reserved - 1',
      ),
  ],
  [
    'by a key that is spent by a paisa',
    () => `with c as (select c.customer_id, k.user_id, k.plan_type, a.account_id, g.agreement_id from customers c, key_reservations k, accounts a, agreements g
         where c.org_id = ${ORG} and k.org_id = ${ORG} and a.org_id = ${ORG} and a.code = 'sales' and g.org_id = ${ORG}
           and not exists (select from key_reservations o where o.org_id = ${ORG} and o.customer_id = c.customer_id and o.state = 'posted') limit 1),
       j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
         select ${ORG}, gen_random_uuid(), 'key:spend:' || customer_id || ':1767225600000', 'moved', 'customer', customer_id, kist_today(), kist_now() from c returning journal_id),
       l as (insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
         select ${ORG}, j.journal_id, s.no, c.account_id, 'INR', (s.no = 1)::int, (s.no = 2)::int, c.agreement_id from j, c, (values (1), (2)) as s(no))
       insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
       select ${ORG}, customer_id, user_id, plan_type, 'paid', 'posted', '2026-01-01T00:00:00Z', kist_now(), kist_now() from c`,
  ],
];
