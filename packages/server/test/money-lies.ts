import { ORG } from './whole-shop.ts';

/** A claim of one rupee that nobody answered, of the customer of a running agreement that owes something, whatever it is. */
const CLAIM = `a as (select g.*, i.instalment_id, i.no as oldest_no, w.user_id as who from agreements g join customer_logins w using (org_id, customer_id) join lateral (
       select o.instalment_id, o.no from instalments o where o.org_id = ${ORG} and o.agreement_id = g.agreement_id and o.left_paise > 0 order by o.due_on, o.no limit 1) i on true
     where g.org_id = ${ORG} and g.state = 'active' and g.oldest_due_paise > 1 order by g.agreement_id limit 1),
   p as (insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, state)
     select ${ORG}, gen_random_uuid(), agreement_id, customer_id, 100, 'CASH', kist_now(), kist_today(), kist_now(), who, 'claimed' from a returning *),
   m as (insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     select ${ORG}, payment_id, 1, '', 'claimed', recorded_by, recorded_at, 'x' from p)`;
/** The one thing of these that may be said: each lie has something more in it. */
export const TRUE_CLAIM = `with ${CLAIM} select from p`;
/** Somebody of whom an agreement `g` is none of the business. */
const STRANGERS = {
  'another customer': `(select l.user_id from customer_logins l where l.org_id = ${ORG} and l.customer_id <> g.customer_id
     and not exists (select from customer_logins o where o.org_id = ${ORG} and o.customer_id = g.customer_id and o.user_id = l.user_id) limit 1)`,
  'another shop': `(select u.user_id from users u join users o on o.org_id = u.org_id and o.user_id = g.owner_user_id
     where u.org_id = ${ORG} and u.user_type = 'retailer' and u.user_id not in (o.user_id, coalesce(o.parent_user_id, o.user_id)) limit 1)`,
  nobody: 'gen_random_uuid()',
};
/** A payment of a rupee that nobody proved, with the move that brought it in. @param of whose payment it is said to be */
const unproved = (
  state: 'claimed' | 'pending_approval',
  by: string,
  { of = 'g.customer_id', moved = 'recorded_by' } = {},
) =>
  `with p as (insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, state)
     select ${ORG}, gen_random_uuid(), g.agreement_id, ${of}, 100, 'CASH', kist_now(), kist_today(), kist_now(), ${by}, '${state}'
     from agreements g join customer_logins w using (org_id, customer_id) where g.org_id = ${ORG} and g.state = 'active' order by g.agreement_id limit 1 returning *)
   insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
   select ${ORG}, payment_id, 1, '', state, ${moved}, recorded_at, 'x' from p`;
const OWN = 'w.user_id';

/** As journals of the kind are named, for no lie is to be found out by its name alone. */
const NAMED: Record<string, string> = {
  payment: 'payment:',
  payments_shifted: 'shift:recorded:',
  agreement_opened: 'agreement:',
  keys_credited: 'mine:',
};
const journal = (kind: string, ref: string) =>
  `j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
     select ${ORG}, gen_random_uuid(), '${NAMED[kind]!}' || ${ref}, '${kind}', 'agreement', agreement_id, kist_today(), kist_now() from p returning journal_id)`;
const LINE =
  'org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id';
const till = (nth: number) =>
  `(select account_id from accounts where org_id = ${ORG} and code = 'clearing_cash' order by account_id offset ${nth} limit 1)`;

/** A paisa of a debt is paid by the claim: whoever it is said to have come to. */
const paidBy = (kind: string, other: string) => `with ${CLAIM}, ${journal(kind, 'payment_id')},
   i as (update instalments i set paid_principal_paise = paid_principal_paise + 1 from a where i.org_id = ${ORG} and i.instalment_id = a.instalment_id),
   g as (update agreements g set outstanding_paise = g.outstanding_paise - 1, oldest_due_paise = g.oldest_due_paise - 1 from a
     where g.org_id = ${ORG} and g.agreement_id = a.agreement_id)
   insert into journal_lines (${LINE})
   select ${ORG}, j.journal_id, s.no, case s.no when 1 then ${other} else r.account_id end, 'INR', (s.no = 1)::int, (s.no = 2)::int, a.agreement_id,
     case s.no when 2 then a.oldest_no end, case s.no when 2 then 'principal' end, p.payment_id
   from a, p, j, (values (1), (2)) as s(no), (select account_id from accounts where org_id = ${ORG} and code = 'receivable_principal') r`;

/** Statements about payments and tills that no account of the database may carry out, beside those of book-lies.ts. */
export const MONEY_LIES: [string, () => string][] = [
  ...Object.entries(STRANGERS).flatMap(([who, by]): [string, () => string][] => [
    [`by a claim of ${who}`, () => unproved('claimed', by)],
    [`by what ${who} puts up for approval`, () => unproved('pending_approval', by)],
    [
      `by a claim that ${who} puts up for approval`,
      () => `${TRUE_CLAIM};
        insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
        select p.org_id, p.payment_id, 2, 'claimed', 'pending_approval', ${by}, kist_now(), 'x' from payments p join agreements g using (org_id, agreement_id)
        where p.org_id = ${ORG} and p.state = 'claimed' and p.recorded_at = kist_now() limit 1;
        update payments set state = 'pending_approval' where org_id = ${ORG} and state = 'claimed' and recorded_at = kist_now()`,
    ],
  ]),
  [
    'by a claim of another customer as theirs',
    () =>
      unproved('claimed', STRANGERS['another customer'], {
        of: `(select l.customer_id from customer_logins l where l.org_id = ${ORG} and l.user_id = ${STRANGERS['another customer']} limit 1)`,
      }),
  ],
  [
    'by a claim that the shop told',
    () =>
      unproved('claimed', OWN, {
        moved: '(select owner_user_id from agreements g where g.agreement_id = p.agreement_id)',
      }),
  ],
  [
    'by a paid day on what is not paid',
    () =>
      `update instalments set paid_on = kist_today() where (agreement_id, no) = (select agreement_id, no from instalments where org_id = ${ORG} and paid_on is null limit 1)`,
  ],
  ...['reversed_at = kist_now()', 'reversed_by = recorded_by', `reverse_reason = 'typed wrong'`].map(
    (mark): [string, () => string] => [
      `by a payment that stands and says ${mark}`,
      () =>
        `update payments set ${mark} where payment_id = (select payment_id from payments where org_id = ${ORG} and state = 'posted' limit 1)`,
    ],
  ),
  ...['foreclosed', 'written_off', 'returned'].map((state): [string, () => string] => [
    `by an agreement ${state} without a journal, its move told`,
    () =>
      `insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
       select a.org_id, a.agreement_id, (select max(no) + 1 from agreement_moves m where m.agreement_id = a.agreement_id), 'active', '${state}', a.owner_user_id, kist_now(), 'x'
       from agreements a where a.org_id = ${ORG} and a.state = 'active' order by a.agreement_id limit 1;
       update agreements set state = '${state}' where agreement_id = (select agreement_id from agreements where org_id = ${ORG} and state = 'active' order by agreement_id limit 1)`,
  ]),
  ['by a debt that a claim paid into a till', () => paidBy('payment', till(0))],
  [
    'by a debt that a claim paid into nothing',
    () => paidBy('payments_shifted', `(select account_id from accounts where org_id = ${ORG} and code = 'sales')`),
  ],
  [
    'by money from till to till in the name of a claim',
    () => `with ${CLAIM}, ${journal('payment', 'payment_id')}
      insert into journal_lines (${LINE})
      select ${ORG}, j.journal_id, s.no, case s.no when 1 then ${till(0)} else ${till(1)} end, 'INR', (s.no = 1)::int, (s.no = 2)::int, p.agreement_id, null, null, p.payment_id
      from p, j, (values (1), (2)) as s(no)`,
  ],
  [
    'by money from till to till as an agreement opens',
    () => `with p as (select agreement_id from agreements where org_id = ${ORG} and state = 'active' limit 1), ${journal('agreement_opened', 'gen_random_uuid()')}
      insert into journal_lines (${LINE})
      select ${ORG}, j.journal_id, s.no, case s.no when 1 then ${till(0)} else ${till(1)} end, 'INR', (s.no = 1)::int, (s.no = 2)::int, p.agreement_id, null, null, null
      from p, j, (values (1), (2)) as s(no)`,
  ],
  [
    'by lines of an agreement that is not there',
    () => `with p as (select gen_random_uuid() as agreement_id), ${journal('keys_credited', 'gen_random_uuid()')}
      insert into journal_lines (${LINE})
      select ${ORG}, j.journal_id, s.no, a.account_id, 'INR', (s.no = 1)::int, (s.no = 2)::int, p.agreement_id, null, null, null
      from p, j, (values (1), (2)) as s(no), (select account_id from accounts where org_id = ${ORG} and code = 'sales') a`,
  ],
  [
    'by a late fee beyond the limit that nobody waived as the second person',
    () => `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
        values (${ORG}, gen_random_uuid(), 'organisation', 'organisation', 'waivers', 'INR', 'debit') on conflict do nothing;
      with w as (select * from waivers where org_id = ${ORG} and state = 'asked' limit 1),
      j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
        select ${ORG}, gen_random_uuid(), 'waiver:' || waiver_id, 'penal_waived', 'agreement', agreement_id, kist_today(), kist_now() from w returning journal_id),
      l as (insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket)
        select ${ORG}, j.journal_id, s.no, a.account_id, 'INR', (s.no = 1)::int * w.amount_paise, (s.no = 2)::int * w.amount_paise, w.agreement_id, c.instalment_no, c.charge_id,
          case s.no when 2 then 'penal' end
        from j, w join charges c using (org_id, charge_id), (values (1, 'waivers'), (2, 'receivable_penal')) as s(no, code) join accounts a on a.org_id = ${ORG} and a.code = s.code),
      c as (update charges c set waived_paise = c.waived_paise + w.amount_paise from w where c.org_id = ${ORG} and c.charge_id = w.charge_id)
      update waivers u set state = 'granted', decided_by = gen_random_uuid(), decided_at = kist_now() from w where u.org_id = ${ORG} and u.waiver_id = w.waiver_id`,
  ],
  [
    'by an account of a name that is none',
    () =>
      `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side) values (${ORG}, gen_random_uuid(), 'organisation', 'organisation', 'goodwill', 'INR', 'debit')`,
  ],
];
