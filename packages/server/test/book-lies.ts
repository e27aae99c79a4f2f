import { newId } from '#server/platform/ids.ts';
import { ORG } from './whole-shop.ts';

/** A journal of one's own that moves a key of a shop from one account to another, and the shop's wallet with it: whole, balanced, and of nothing. */
const keysBy = (kind: string, to: string, from: string, wallet: string) =>
  `with w as (update wallets set ${wallet} where (user_id, plan_type, lot) = (select user_id, plan_type, lot from wallets where org_id = ${ORG} and reserved > 0 limit 1)
     returning user_id, plan_type, lot),
   j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
     select ${ORG}, gen_random_uuid(), '${kind === 'key_returned' ? 'key:void:' : ''}${newId()}', '${kind}', 'user', user_id, kist_today(), kist_now() from w returning journal_id)
   insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
   select ${ORG}, j.journal_id, s.no, a.account_id, a.unit, case s.no when 1 then 1 else 0 end, case s.no when 2 then 1 else 0 end, w.lot
   from w, j, (values (1, '${to}'), (2, '${from}')) as s(no, code)
   join accounts a on a.org_id = ${ORG} and a.code = s.code and (a.owner_kind = 'organisation' or a.owner_id in (select user_id::text from wallets where reserved > 0))
   where a.unit = 'KEY:' || w.plan_type and (a.owner_kind = 'organisation' or a.owner_id = w.user_id::text)`;
/** The next version of the schedule of a running agreement, with the terms that stand. */
const version = (cause: string, on: string, principal: number) =>
  `insert into schedule_versions (org_id, agreement_id, version, effective_on, cause, reason, made_by, made_at, after, before, principal_paise, interest_paise, fee_paise,
     dropped_interest_paise, dropped_fee_paise)
   select org_id, agreement_id, schedule_version + 1, ${on}, '${cause}', 'x', owner_user_id, kist_now(), terms_in_force(a), terms_in_force(a), ${principal}, 0, 0, 0, 0
   from agreements a where org_id = ${ORG} and state = 'active' order by agreement_id limit 1`;

const NOBODY = newId();
/** An account of the first wallet's plan type, of somebody whose it cannot be. */
const accountOf = (kind: string, owner: string, code: string) =>
  `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
   select ${ORG}, gen_random_uuid(), '${kind}', '${owner}', '${code}', 'KEY:' || plan_type, 'debit' from wallets where org_id = ${ORG} limit 1`;

/** A journal that moves a rupee from an account to itself. */
const ofNothing = (kind: string, name: string, code: string) =>
  `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
     values (${ORG}, gen_random_uuid(), '${name}', '${kind}', 'agreement', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
   insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
   select ${ORG}, j.journal_id, v, a.account_id, 'INR', case v when 1 then 100 else 0 end, case v when 2 then 100 else 0 end, g.agreement_id
   from j, (values (1), (2)) as t(v), (select account_id from accounts where org_id = ${ORG} and code = '${code}' limit 1) a,
     (select agreement_id from agreements where org_id = ${ORG} limit 1) g`;

/** Statements that no account of the database may carry out: what each would make of the books, the phones or the evidence. */
export const LIES: [string, () => string][] = [
  [
    'by a line more in an old journal',
    () => `insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit)
             select org_id, journal_id, 900 + v, account_id, unit, case v when 1 then 5 else 0 end, case v when 2 then 5 else 0 end
             from (select * from journal_lines where org_id = ${ORG} limit 1) l, (values (1), (2)) as t(v)`,
  ],
  [
    'by a journal that does not balance',
    () => `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
               values (${ORG}, gen_random_uuid(), '${newId()}', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit)
             select ${ORG}, j.journal_id, 1, a.account_id, 'INR', 5 from j, (select account_id from accounts where org_id = ${ORG} and code = 'sales') a`,
  ],
  [
    'by a journal without lines',
    () => `insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
             values (${ORG}, gen_random_uuid(), '${newId()}', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now())`,
  ],
  ['by a journal of a kind that nobody reads', () => ofNothing('moved', newId(), 'sales')],
  [
    'by a journal of another kind under the name of a late fee to come',
    () => ofNothing('keys_credited', `penal:${newId()}:1:2099-01-01`, 'sales'),
  ],
  [
    'by a late fee of nothing under the name of one to come',
    () => ofNothing('penal_charged', `penal:${newId()}:1:2099-01-01`, 'sales'),
  ],
  [
    'by a reversal that is no mirror',
    () => `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, reverses_journal_id, business_on, posted_at)
               select ${ORG}, gen_random_uuid(), '${newId()}', 'payment_reversed', 'payment', ref_id, journal_id, kist_today(), kist_now()
               from journals where org_id = ${ORG} and kind = 'payment' limit 1 returning journal_id, reverses_journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id)
             select ${ORG}, j.journal_id, l.line_no, l.account_id, l.unit, l.credit * 2, l.debit * 2, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id
             from j join journal_lines l on l.org_id = ${ORG} and l.journal_id = j.reverses_journal_id`,
  ],
  [
    'by a line on an account of another bucket',
    () => `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
               values (${ORG}, gen_random_uuid(), '${newId()}', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
             select ${ORG}, j.journal_id, v, a.account_id, 'INR', case v when 1 then 5 else 0 end, case v when 2 then 5 else 0 end, a.agreement_id,
               case v when 1 then 'interest' else 'principal' end
             from j, (values (1), (2)) as t(v), (select a.account_id, g.agreement_id from accounts a, agreements g
               where a.org_id = ${ORG} and a.code = 'receivable_principal' and g.org_id = ${ORG} limit 1) a`,
  ],
  [
    'by a line behind the balance, asked for early',
    () => `with g as (select a.account_id, g.agreement_id from accounts a, agreements g where a.org_id = ${ORG} and a.code = 'sales' and g.org_id = ${ORG} limit 1),
               j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
                 values (${ORG}, '00000000-0000-7000-8000-0000000000aa', 'early', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
             select ${ORG}, j.journal_id, v, g.account_id, 'INR', case v when 1 then 5 else 0 end, case v when 2 then 5 else 0 end, g.agreement_id
             from j, g, (values (1), (2)) as t(v);
             set constraints all immediate;
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
             select org_id, journal_id, 3, account_id, 'INR', 999999900, 0, agreement_id from journal_lines where journal_id = '00000000-0000-7000-8000-0000000000aa' and line_no = 1`,
  ],
  [
    'by rupees of nobody',
    () => `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
               values (${ORG}, gen_random_uuid(), '${newId()}', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit)
             select ${ORG}, j.journal_id, v, a.account_id, 'INR', case v when 1 then 5 else 0 end, case v when 2 then 5 else 0 end
             from j, (values (1), (2)) as t(v), (select account_id from accounts where org_id = ${ORG} and code = 'sales') a`,
  ],
  [
    'by keys that no wallet has',
    () => `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
               values (${ORG}, gen_random_uuid(), '${newId()}', 'keys_credited', 'user', gen_random_uuid(), kist_today(), kist_now()) returning journal_id),
             a as (select distinct on (code) * from accounts where org_id = ${ORG} and code in ('keys_available', 'keys_issued') and unit = 'KEY:0' order by code)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
             select ${ORG}, j.journal_id, row_number() over (), a.account_id, a.unit, case a.code when 'keys_available' then 5 else 0 end,
               case a.code when 'keys_available' then 0 else 5 end, 'paid' from j, a`,
  ],
  [
    'by a row more in a schedule',
    () => `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise)
       select i.org_id, i.agreement_id, a.tenure + 1, gen_random_uuid(), a.last_due_on + 30, 1, 0, 0 from instalments i join agreements a using (org_id, agreement_id)
       where i.org_id = ${ORG} and i.no = 1 limit 1`,
  ],
  [
    'by an agreement completed with dues left',
    () => `with m as (insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
         select org_id, agreement_id, 99, 'active', 'completed', agreement_id, kist_now(), 'done' from agreements where state = 'active' and outstanding_paise > 0)
       update agreements set state = 'completed', completed_at = now() where state = 'active' and outstanding_paise > 0`,
  ],
  [
    'by a check that never was',
    () =>
      `insert into daily_steps (org_id, business_on, step, finished_at, result) values (${ORG}, '2099-01-01', 'checks', '2099-01-01', '{"is_balanced": true}')`,
  ],
  [
    'by a proof of what is still to come',
    () =>
      `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults) values (${ORG}, gen_random_uuid(), kist_now(), true, '9999999999', 0)`,
  ],
  [
    'by a proof dated ahead',
    () =>
      `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults) values (${ORG}, gen_random_uuid(), kist_now() + interval '70 years', true, '1', 0)`,
  ],
  [
    'by keys that nobody granted',
    () => keysBy('keys_credited', 'keys_available', 'keys_issued', 'available = available + 1'),
  ],
  [
    'by a grant of its own',
    () => `insert into key_grants (org_id, effect_key, user_id, plan_type, lot, keys, granted_at)
             select org_id, 'grant:mine', user_id, plan_type, lot, 5, kist_now() from wallets where org_id = ${ORG} limit 1`,
  ],
  [
    'by keys that nobody passed on',
    () => keysBy('keys_passed', 'keys_available', 'keys_issued', 'available = available + 1'),
  ],
  [
    'by keys passed to oneself',
    () => `insert into key_transfers (org_id, transfer_id, lot, from_user_id, to_user_id, plan_type, keys, made_by, made_at, txid)
             select org_id, gen_random_uuid(), lot, user_id, user_id, plan_type, 5, user_id, kist_now(), pg_current_xact_id() from wallets where org_id = ${ORG} limit 1`,
  ],
  [
    'by keys that come back and never were away',
    () => keysBy('key_returned', 'keys_available', 'keys_issued', 'available = available + 1'),
  ],
  [
    'by keys of a journal of another kind',
    () => keysBy('moved', 'keys_available', 'keys_issued', 'available = available + 1'),
  ],
  ['by keys of an account of the organisation', () => accountOf('organisation', 'organisation', 'keys_reserved')],
  ['by keys of an account of an agreement', () => accountOf('agreement', newId(), 'keys_reserved')],
  ['by keys of an account of no name', () => accountOf('user', 'x', 'keys_reserved')],
  ['by keys spent for a user', () => accountOf('user', newId(), 'keys_used')],
  [
    'by keys of another shop',
    () => `${accountOf('user', NOBODY, 'keys_reserved')};
             update key_reservations set state = 'voided', settled_at = kist_now() where ctid = (select r.ctid from key_reservations r
               join wallets w using (org_id, user_id, plan_type, lot) where r.org_id = ${ORG} and r.state = 'reserved' limit 1);
             with w as (select user_id, plan_type, lot from wallets where org_id = ${ORG} limit 1),
               j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
                 select ${ORG}, gen_random_uuid(), '${newId()}', 'key_returned', 'user', user_id, kist_today(), kist_now() from w returning journal_id)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
             select ${ORG}, j.journal_id, s.no, a.account_id, a.unit, (s.no = 1)::int, (s.no = 2)::int, w.lot
             from w, j, (values (1, 'keys_available'), (2, 'keys_reserved')) as s(no, code)
             join accounts a on a.org_id = ${ORG} and a.code = s.code
             where a.unit = 'KEY:' || w.plan_type and a.owner_id = case s.no when 1 then w.user_id::text else '${NOBODY}' end`,
  ],
  [
    'by a key set aside for nobody',
    () =>
      keysBy('key_reserved', 'keys_reserved', 'keys_available', 'available = available - 1, reserved = reserved + 1'),
  ],
  [
    'by a key that came back and is said to be spent',
    () => `${keysBy('key_returned', 'keys_available', 'keys_reserved', 'available = available + 1, reserved = reserved - 1')};
             update key_reservations set state = 'posted', settled_at = kist_now() where ctid = (select r.ctid from key_reservations r
               join wallets w using (org_id, user_id, plan_type, lot) where r.org_id = ${ORG} and r.state = 'reserved' limit 1)`,
  ],
  [
    'by a key that was never set aside and is spent',
    () => `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
             select org_id, customer_id, user_id, plan_type, lot, 'posted', reserved_at - interval '1 day', expires_at, kist_now() from key_reservations where org_id = ${ORG} limit 1`,
  ],
  ['by a version of the schedule of another year', () => version('edit', `'2099-01-01'`, 100)],
  ['by a version that changes nothing', () => version('edit', 'kist_today()', 100)],
  ['by another phone that moves principal', () => version('imei_swap', 'kist_today()', 100)],
  ['by another phone that nobody brought', () => version('imei_swap', 'kist_today()', 0)],
  [
    'by a version in force from another day than its own',
    () => `${version('edit', 'kist_today()', 100)};
             update agreements set schedule_version = schedule_version + 1, schedule_from = '2099-01-01' where org_id = ${ORG} and state = 'active'
               and agreement_id = (select agreement_id from schedule_versions order by made_at desc limit 1)`,
  ],
  [
    'by a row of a version that was looked at already',
    () => `${version('edit', 'kist_today()', 0)};
             update agreements a set schedule_version = v.version, schedule_from = kist_today() from schedule_versions v
             where v.org_id = ${ORG} and v.txid = pg_current_xact_id() and a.org_id = v.org_id and a.agreement_id = v.agreement_id;
             set constraints all immediate;
             insert into instalments (org_id, instalment_id, agreement_id, no, due_on, principal_paise, interest_paise, fee_paise, balance_paise, version)
             select i.org_id, gen_random_uuid(), i.agreement_id, i.no + 1, i.due_on + 30, 0, 100, 0, 0, v.version from schedule_versions v
             join instalments i using (org_id, agreement_id) where v.org_id = ${ORG} and v.txid = pg_current_xact_id() order by i.no desc limit 1`,
  ],
  [
    'by a row put aside after its version was looked at',
    () => `${version('edit', 'kist_today()', 0)};
             update agreements a set schedule_version = v.version, schedule_from = kist_today() from schedule_versions v
             where v.org_id = ${ORG} and v.txid = pg_current_xact_id() and a.org_id = v.org_id and a.agreement_id = v.agreement_id;
             set constraints all immediate;
             update instalments i set superseded_by = v.version, paid_on = kist_today(), dropped_principal_paise = i.principal_paise - i.paid_principal_paise,
               dropped_interest_paise = i.interest_paise - i.paid_interest_paise, dropped_fee_paise = i.fee_paise - i.paid_fee_paise from schedule_versions v
             where v.org_id = ${ORG} and v.txid = pg_current_xact_id() and i.org_id = v.org_id and i.agreement_id = v.agreement_id
               and i.no = (select max(no) from instalments l where l.agreement_id = v.agreement_id)`,
  ],
  [
    'by a late fee that no rule gives',
    () => `with a as (select * from agreements where org_id = ${ORG} and state = 'active' limit 1),
               j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
                 select org_id, gen_random_uuid(), 'penal:hand:00000000-0000-7000-8000-0000000000cc', 'penal_charged', 'agreement', agreement_id, kist_today(), kist_now() from a returning *)
             insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket)
             select ${ORG}, j.journal_id, n.no, c.account_id, 'INR', case n.no when 1 then 5000 else 0 end, case n.no when 1 then 0 else 5000 end, a.agreement_id, 1,
               case n.no when 1 then '00000000-0000-7000-8000-0000000000cc'::uuid end, case n.no when 1 then 'penal' end
             from a, j, (values (1, 'receivable_penal'), (2, 'income_penal')) as n(no, code), accounts c where c.org_id = ${ORG} and c.code = n.code;
             insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by)
             select org_id, '00000000-0000-7000-8000-0000000000cc', agreement_id, 1, 5000, kist_today(), 'hand' from journal_lines
             where charge_id = '00000000-0000-7000-8000-0000000000cc'`,
  ],
  ['by keys from nowhere', () => `update wallets set available = available + 7 where org_id = ${ORG}`],
  [
    'by a key that moves from one shop to another',
    () => `update wallets set reserved = reserved + 1 where org_id = ${ORG}`,
  ],
  ['by a balance of keys', () => `update key_balances set keys = keys + 7`],
  ['by a receipt’s number that goes back', () => `update counters set last = last - 1`],
  ['by a receipt’s number that jumps', () => `update counters set last = last + 2`],
  [
    'by an agreement that comes back to life',
    () => `update agreements set state = 'cancelled' where state = 'completed'`,
  ],
  ['by a payment that was never taken back', () => `update payments set state = 'claimed'`],
  [
    'by money that nobody paid',
    () => `update instalments set paid_interest_paise = paid_interest_paise - 1 where paid_interest_paise > 0`,
  ],
  ['by money paid elsewhere', () => `update instalments set paid_principal_paise = 1 where no = 5`],
  [
    'by an instalment that begins paid',
    () => `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, paid_principal_paise)
       select org_id, agreement_id, 90, gen_random_uuid(), due_on, 1, 0, 0, 1 from instalments where org_id = ${ORG} and no = 1 limit 1`,
  ],
  ['by what is said to be left', () => `update agreements set outstanding_paise = outstanding_paise - 1`],
  ['by an advance from nowhere', () => `update agreements set advance_paise = advance_paise + 1`],
  ['by a debt put off', () => `update agreements set oldest_due_on = oldest_due_on + 30`],
  [
    'by a series that begins in its middle',
    () => `insert into counters (org_id, name, last) values (${ORG}, 'receipt:x:2099', 12)`,
  ],
  [
    'by a counter that nothing reads',
    () => `insert into counters (org_id, name, last) values (${ORG}, 'refund:' || gen_random_uuid() || ':2026-27', 1)`,
  ],
  [
    'by a shop’s number that is given to nobody',
    () => `update counters set last = last + 1 where org_id = ${ORG} and name = 'shops'`,
  ],
  [
    'by a day that was run and its steps were not',
    () => `update organisations set daily_run_on = kist_today() where org_id = ${ORG}`,
  ],
  [
    'by a sale of another clock',
    () => `update agreements set is_of_real_time = not coalesce(is_of_real_time, false) where org_id = ${ORG}`,
  ],
  [
    'by a proof of another cluster',
    () => `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults, cluster)
             values (${ORG}, gen_random_uuid(), kist_now(), true, '3', 0, '7423167452211111111:5')`,
  ],
  ...[
    `kist_now() + interval '70 years', true, 0, default, default`,
    `kist_now(), true, 0, '7423167452211111111:5', default`,
    `kist_now(), true, 0, default, '3'`,
  ].map((said): [string, () => string] => [
    'by a look at the histories elsewhere, or that is to come',
    () =>
      `insert into audit_checks (org_id, check_id, checked_at, is_whole, faults, cluster, txid) values (${ORG}, gen_random_uuid(), ${said})`,
  ]),
  [
    'by a payment that no journal knows',
    () => `with p as (insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, receipt_no)
               select org_id, gen_random_uuid(), agreement_id, customer_id, 500, 'CASH', paid_at, paid_on, kist_now(), recorded_by, '99-00/1/1'
               from payments where org_id = ${ORG} and state = 'posted' limit 1 returning *)
             insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
             select org_id, payment_id, 1, '', 'posted', recorded_by, recorded_at, 'recorded' from p`,
  ],
  [
    'by a payment taken back that no journal mirrors',
    () => `with p as (update payments set state = 'reversed', reversed_at = now(), reversed_by = recorded_by, reverse_reason = 'x', held_reference = null
               where payment_id = (select payment_id from payments where org_id = ${ORG} and state = 'posted' and goes_to = 'dues' limit 1) returning *)
             insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
             select org_id, payment_id, 2, 'posted', 'reversed', recorded_by, kist_now(), 'x' from p`,
  ],
  [
    'by a charge that no journal knows',
    () => `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by)
             select ${ORG}, gen_random_uuid(), agreement_id, 1, 500, '2026-03-01', v.made_by from agreements, (values ('rule'), ('hand')) as v(made_by) where org_id = ${ORG} limit 1`,
  ],
  [
    'by a refund that nobody owes',
    () => `insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, state, opened_at)
             select org_id, payment_id, agreement_id, customer_id, amount_paise, 'open', now() from payments where org_id = ${ORG} and state = 'posted' limit 1`,
  ],
  [
    'by a delivery moved to another day',
    () => `update notices set delivered_at = delivered_at - interval '20 days' where delivered_at is not null`,
  ],
  [
    'by a delivery with another proof',
    () => `update notices set proof = '{"by": "nobody"}' where delivered_at is not null`,
  ],
  [
    'by a delivery that never was',
    () => `update notices set delivered_at = null, proof = null where delivered_at is not null`,
  ],
  ['by other words than were sent', () => `update notices set body = 'Pay!'`],
  ['by a notice about another instalment', () => `update notices set due_on = due_on + 1`],
  ['by another dispute', () => `update disputes set text = 'nothing'`],
  ['by a dispute answered without a word', () => `update disputes set state = 'answered'`],
  [
    'by a dispute that was answered long ago',
    () => `update disputes set state_since = state_since - interval '8 days'`,
  ],
  ['by other words of a dispute', () => `update dispute_moves set reason = 'nothing'`],
  ['by a line that was never written', () => `update audit_lines set data = '{}'`],
];
