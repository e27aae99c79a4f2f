/** Whose books are made wrong. */
export const ORG = 20;

/** The first row of a table where something holds. */
export const one = (table: string, where = 'true', key = 'ctid') =>
  `${key} = (select ${key} from ${table} where org_id = ${ORG} and ${where} order by 1 limit 1)`;
const line = (code: string, where = 'true') =>
  `(journal_id, line_no) = (select l.journal_id, l.line_no from journal_lines l join accounts a using (org_id, account_id) where a.code = '${code}' and ${where} limit 1)`;

/** A key more in a wallet, in its journal and in its balance, all alike. */
const keysBy = (kind: string, from: string) =>
  `with w as (update wallets set available = available + 1 where ctid = (select ctid from wallets where org_id = ${ORG} and lot = 'paid' limit 1) returning *),
     j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select org_id, gen_random_uuid(), 'x', '${kind}', 'user', user_id, kist_today(), kist_now() from w returning *),
     a as (select a.* from accounts a, w where a.org_id = ${ORG} and a.unit = 'KEY:0' and (a.code = '${from}' or a.code = 'keys_available' and a.owner_id = w.user_id::text)),
     b as (update key_balances b set keys = keys + 1 from a where b.account_id = a.account_id and a.code = 'keys_available' and b.lot = 'paid')
   insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
   select a.org_id, j.journal_id, row_number() over (), a.account_id, a.unit, (a.code = 'keys_available')::int, (a.code <> 'keys_available')::int, 'paid' from a, j`;

/** Statements that make the books of self-check.test.ts say what is not so, past the guards: by what each does. */
export const CORRUPTIONS: Record<string, string> = {
  'a key that was spent by nobody': `update key_reservations set state = 'posted', settled_at = kist_now() where ${one('key_reservations')}`,
  'a spent key of nowhere': `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
    select org_id, (select c.customer_id from customers c where c.org_id = ${ORG} and c.customer_id <> k.customer_id limit 1), user_id, plan_type, lot, 'posted', reserved_at, expires_at, reserved_at
    from key_reservations k where org_id = ${ORG} limit 1`,
  'money from one till to another by a journal of no payment': `with made as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
      select org_id, gen_random_uuid(), 'x', 'moved', 'agreement', agreement_id, kist_today(), kist_now() from agreements where org_id = ${ORG} limit 1 returning *)
    insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
    select m.org_id, m.journal_id, n.no, a.account_id, 'INR', case n.no when 1 then 990 else 0 end, case n.no when 1 then 0 else 990 end, m.ref_id::uuid
    from made m, generate_series(1, 2) n(no), (select account_id from accounts where org_id = ${ORG} and code = 'clearing_cash' limit 1) a`,
  'money of an agreement that is not there': `with made as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
      select ${ORG}, gen_random_uuid(), 'x', 'moved', 'agreement', gen_random_uuid(), kist_today(), kist_now() returning *)
    insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
    select m.org_id, m.journal_id, n.no, a.account_id, 'INR', case n.no when 1 then 990 else 0 end, case n.no when 1 then 0 else 990 end, m.ref_id::uuid
    from made m, generate_series(1, 2) n(no), (select account_id from accounts where org_id = ${ORG} and code = 'sales' limit 1) a`,
  'lines of a payment that was only claimed': `with moves as (update payment_moves set to_state = 'claimed' where ${one('payments', `state = 'posted' and goes_to = 'dues'`, 'payment_id')})
    update payments set state = 'claimed', receipt_no = null, receipt = null, posted_by = null, held_reference = null where ${one('payments', `state = 'posted' and goes_to = 'dues'`, 'payment_id')}`,
  'a rule of penalties of a version that nobody set': `update agreements set penal = jsonb_set(penal::jsonb, '{version}', '99') where ${one('agreements', 'penal is not null')}`,
  'a payment’s amount': `update payments set amount_paise = amount_paise + 1 where ${one('payments', `state = 'posted'`)}`,
  'a payment’s kind': `update payments set method = 'OTHER' where ${one('payments', `state = 'posted' and method = 'CASH'`)}`,
  'a payment taken back without its journal': `update payments set state = 'reversed', held_reference = null where ${one('payments', `state = 'posted'`)}`,
  'a payment standing again that was taken back': `update payments set state = 'posted', note_no = null where ${one('payments', `state = 'reversed'`)}`,
  'a payment gone': `with moves as (delete from payment_moves where ${one('payments', `state = 'posted'`, 'payment_id')})
    delete from payments where ${one('payments', `state = 'posted'`, 'payment_id')}`,
  'a payment of another agreement': `update payments set agreement_id = (select agreement_id from agreements g where g.org_id = ${ORG} and g.agreement_id <> payments.agreement_id limit 1) where ${one('payments', `state = 'posted' and goes_to = 'dues'`)}`,
  'a receipt’s number left out': `update payments set receipt_no = replace(receipt_no, '/0001', '/0099') where receipt_no like '%/0001'`,
  'a receipt’s counter': `update counters set last = last + 1 where name like 'receipt:%'`,
  'a down payment’s number left out': `update payments set receipt_no = replace(receipt_no, '/D0001', '/D0099') where receipt_no like '%/D0001'`,
  'a down payment’s counter': `update counters set last = last + 1 where name like 'down_payment:%'`,
  'a down payment that pays the dues': `update payments set goes_to = 'dues' where ${one('payments', `goes_to = 'down_payment'`)}`,
  'a note’s number left out': `update payments set note_no = null where ${one('payments', 'note_no is not null')}`,
  'a note’s counter': `update counters set last = last + 1 where name like 'note:%'`,
  'a receipt’s counter gone': `delete from counters where name like 'receipt:%'`,
  'what is paid of a principal': `update instalments set paid_principal_paise = paid_principal_paise - 1 where ${one('instalments', 'paid_principal_paise > 0')}`,
  'what is paid of an interest': `update instalments set paid_interest_paise = paid_interest_paise - 1 where ${one('instalments', 'paid_interest_paise > 0')}`,
  'what is paid of one instalment booked on another': `update instalments set paid_principal_paise = paid_principal_paise + case no when 1 then -1 else 1 end
     where no in (1, 6) and agreement_id = (select agreement_id from payments where state = 'posted' and method = 'UPI')`,
  'what is paid of one instalment booked on the next': `update instalments set paid_principal_paise = paid_principal_paise + case no when 1 then -1 else 1 end
     where no in (1, 2) and agreement_id = (select agreement_id from payments where state = 'posted' and method = 'UPI')`,
  'a principal agreed': `update instalments set principal_paise = principal_paise + 1 where ${one('instalments')}`,
  'an interest agreed': `update instalments set interest_paise = interest_paise + 1 where ${one('instalments', 'interest_paise > 0')}`,
  'a fee that nobody signed': `update instalments set fee_paise = fee_paise + 1 where ${one('instalments')}`,
  'principal moved from one instalment to the next': `update instalments set principal_paise = principal_paise + case no when 3 then 100 else -100 end
     where no in (3, 4) and agreement_id = (select agreement_id from instalments where org_id = ${ORG} and no = 6 limit 1)`,
  'a due day': `update instalments set due_on = due_on + 365 where ${one('instalments', 'no = 2')}`,
  'a due day before the one before': `update instalments set due_on = due_on - 60 where ${one('instalments', 'no = 3')}`,
  'a balance': `update instalments set balance_paise = balance_paise + 1 where ${one('instalments', 'no = 1')}`,
  'an instalment’s number': `update instalments set no = 99 where ${one('instalments', `no = 2 and agreement_id not in (select agreement_id from charges)`)} or (no = 6 and ${one('instalments', 'no = 6')})`,
  'an instalment gone': `delete from instalments where no = 6 and ${one('instalments', 'no = 6')}`,
  'a paid day without payment': `update instalments set paid_on = '2026-04-01' where ${one('instalments', 'paid_on is null')}`,
  'a paid day forgotten': `update instalments set paid_on = null where ${one('instalments', 'paid_on is not null')}`,
  'the EMI': `update agreements set emi_paise = emi_paise + 100 where ${one('agreements', 'tenure > 2')}`,
  'the price': `update agreements set cash_price_paise = cash_price_paise + 100 where ${one('agreements')}`,
  'the down payment': `update agreements set down_payment_paise = down_payment_paise - 100 where ${one('agreements', 'down_payment_paise > 0')}`,
  'the interest in all': `update agreements set total_interest_paise = total_interest_paise + 1 where ${one('agreements')}`,
  'the total to pay': `update agreements set total_payable_paise = total_payable_paise - 1 where ${one('agreements')}`,
  'the tenure': `update agreements set tenure = tenure + 1 where ${one('agreements')}`,
  'the last due day': `update agreements set last_due_on = last_due_on + 1 where ${one('agreements')}`,
  'what is outstanding': `update agreements set outstanding_paise = outstanding_paise - 1 where ${one('agreements', 'outstanding_paise > 0')}`,
  'the oldest due day': `update agreements set oldest_due_on = oldest_due_on + 30 where ${one('agreements', 'oldest_due_on is not null')}`,
  'the oldest due amount': `update agreements set oldest_due_paise = oldest_due_paise - 1 where ${one('agreements', 'oldest_due_paise > 0')}`,
  'how many are paid': `update agreements set paid_count = paid_count + 1 where ${one('agreements')}`,
  'an advance': `update agreements set advance_paise = advance_paise + 100 where ${one('agreements')}`,
  'completed while something is owed': `update agreements set state = 'completed' where ${one('agreements', `state = 'active'`)}`,
  'active while nothing is owed': `update agreements set state = 'active' where ${one('agreements', `state = 'completed'`)}`,
  'a charge’s amount': `update charges set amount_paise = amount_paise + 1 where ${one('charges')}`,
  'what is paid of a charge': `update charges set paid_paise = 0 where ${one('charges', 'paid_paise > 0')}`,
  'a charge gone': `delete from charges where ${one('charges', 'paid_paise = 0')}`,
  'a charge of another instalment': `update charges set instalment_no = instalment_no + 1 where ${one('charges', 'paid_paise > 0 and instalment_no = 1')}`,
  'a line’s amount': `update journal_lines set debit = debit + 1 where ${line('clearing_cash')}`,
  'a line’s instalment': `update journal_lines set instalment_no = instalment_no + 1 where ${line('receivable_principal', 'l.instalment_no = 1 and l.credit > 0')}`,
  'a line’s payment': `update journal_lines set payment_id = gen_random_uuid() where ${line('receivable_principal', 'l.payment_id is not null')}`,
  'a line’s agreement': `update journal_lines set agreement_id = (select agreement_id from agreements g where g.agreement_id <> journal_lines.agreement_id limit 1) where ${line('receivable_interest', 'l.payment_id is null')}`,
  'a line gone': `delete from journal_lines where ${line('receivable_principal', 'l.payment_id is not null')}`,
  'a line’s unit': `update journal_lines set unit = 'KEY:0' where ${line('sales')}`,
  'a line on another account': `update journal_lines set account_id = (select account_id from accounts where code = 'income_penal' limit 1) where ${line('unearned_interest')}`,
  'money in another till': `update journal_lines set account_id = (select account_id from accounts where code = 'clearing_upi' limit 1) where ${line('clearing_cash', 'l.payment_id is not null')}`,
  'a journal and its lines gone': `with gone as (delete from journal_lines where journal_id = (select journal_id from journals where kind = 'payments_shifted' limit 1)) delete from journals where kind = 'payments_shifted' and journal_id = (select journal_id from journals where kind = 'payments_shifted' limit 1)`,
  'a journal’s lines gone': `delete from journal_lines where journal_id = (select journal_id from journals where kind = 'agreement_opened' limit 1)`,
  'a reversal that is no mirror': `update journal_lines set debit = debit * 2, credit = credit * 2 where journal_id = (select journal_id from journals where reverses_journal_id is not null limit 1)`,
  'money to give back that nobody knows of': `delete from refund_tasks where ${one('refund_tasks')}`,
  'money to give back that was given': `update refund_tasks set state = 'done', closed_at = kist_now(), closed_by = customer_id, method = 'CASH' where ${one('refund_tasks')}`,
  'another sum to give back': `update refund_tasks set amount_paise = amount_paise - 1 where ${one('refund_tasks')}`,
  'a refund that vanished after it was given': `delete from refund_tasks where ${one('refund_tasks', `state = 'done'`)}`,
  'a refund of another customer': `update refund_tasks set customer_id = (select customer_id from customers where customer_id <> refund_tasks.customer_id limit 1) where ${one('refund_tasks')}`,
  'a refund by another hand': `update refund_tasks set closed_by = customer_id where ${one('refund_tasks', `state = 'done'`)}`,
  'a refund by another way': `update refund_tasks set method = 'UPI' where ${one('refund_tasks', `state = 'done'`)}`,
  'another sum given back': `update refund_tasks set amount_paise = amount_paise - 1 where ${one('refund_tasks', `state = 'done'`)}`,
  'a refund withdrawn after it was given': `update refund_tasks set state = 'void', method = null where ${one('refund_tasks', `state = 'done'`)}`,
  'fees of nobody': `with other as (
      insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side) values (${ORG}, gen_random_uuid(), 'organisation', 'organisation', 'income_fee', 'INR', 'credit')
      returning account_id as id), taken as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
      select ${ORG}, gen_random_uuid(), 'refund_extra:1', 'refund_extra', 'agreement', agreement_id, kist_today(), kist_now() from agreements limit 1 returning journal_id, ref_id)
    insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id)
    select ${ORG}, t.journal_id, 1, o.id, 'INR', 77700, 0, t.ref_id from taken t, other o
    union all select ${ORG}, t.journal_id, 2, (select account_id from accounts where code = 'clearing_cash' limit 1), 'INR', 0, 77700, t.ref_id from taken t`,
  'money left in suspense': `with gone as (delete from journal_lines where journal_id in (select journal_id from journals where kind = 'refund_owed')) delete from journals where kind = 'refund_owed'`,
  'the day of a payment': `update payments set paid_on = paid_on - 365 where ${one('payments', `state = 'posted'`)}`,
  'the customer of a payment': `update payments set customer_id = gen_random_uuid() where ${one('payments', `state = 'posted'`)}`,
  'a payment’s moves gone': `delete from payment_moves where ${one('payment_moves', 'true', 'payment_id')}`,
  'money in the till of somebody else': `with other as (insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
       select org_id, gen_random_uuid(), owner_kind, gen_random_uuid()::text, code, unit, normal_side from accounts where code = 'clearing_cash' limit 1 returning account_id)
     update journal_lines set account_id = (select account_id from other) where ${line('clearing_cash', 'l.payment_id is not null')}`,
  'an agreement given up without a word': `update agreements set state = 'cancelled' where ${one('agreements', `state = 'active'`)}`,
  'an agreement written off that nobody gave up': `with moved as (insert into agreement_moves select org_id, agreement_id, no + 1, to_state, 'written_off', moved_by, moved_at, reason
       from agreement_moves where (agreement_id, no) = (select agreement_id, max(no) from agreement_moves join agreements using (org_id, agreement_id) where state = 'active' group by 1 limit 1) returning agreement_id)
     update agreements set state = 'written_off' where agreement_id = (select agreement_id from moved)`,
  'an agreement of another shop': `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name) values (${ORG}, '0197a000-0000-7000-8000-000000000001', 'retailer', '+917000000009', 'Meena', 'Elsewhere');
     update agreements set owner_user_id = '0197a000-0000-7000-8000-000000000001' where ${one('agreements')}`,
  'the stamped rule of penalties': `update agreements set penal = jsonb_set(penal, '{charge_paise}', to_jsonb((penal ->> 'charge_paise')::bigint * 10)) where ${one('agreements', 'penal is not null')}`,
  'a receipt that says another number': `update payments set receipt = jsonb_set(receipt, '{receipt_no}', '"25-26/1/0777"') where ${one('payments', `receipt is not null`)}`,
  'two receipts that changed places': `alter table payments drop constraint payments_org_id_receipt_no_key;
     with two as (select payment_id, receipt_no, lead(payment_id) over w as other, lead(receipt_no) over w as other_no from payments where receipt is not null window w as (order by receipt_no)),
       pair as (select * from two where other is not null limit 1)
     update payments p set receipt_no = case p.payment_id when pair.other then pair.receipt_no else pair.other_no end from pair where p.payment_id in (pair.payment_id, pair.other)`,
  'when a journal was posted': `update journals set posted_at = posted_at - interval '1 hour' where ${one('journals', `kind = 'payment'`, 'journal_id')}`,
  'the day of a journal': `update journals set business_on = business_on - 1 where ${one('journals', `kind = 'payment'`, 'journal_id')}`,
  'the day on which an instalment was paid': `update instalments set paid_on = paid_on - 40 where ${one('instalments', 'paid_on is not null')}`,
  'the day of a charge': `update charges set charged_on = charged_on - 1 where ${one('charges')}`,
  'a reversal of nothing': `update journals set reverses_journal_id = null where kind = 'payment_reversed'`,
  'a balance kept beside the lines': `update key_balances set keys = keys + 7`,
  'keys from nowhere': `update wallets set available = available + 1 where ${one('wallets')}`,
  'keys of the other lot': `update wallets set available = available + case lot when 'paid' then 1 else -1 end where plan_type = 0 and org_id = ${ORG}`,
  'a key set aside for nobody': `update wallets set reserved = reserved + 1, available = available - 1 where ${one('wallets', 'available > 0')}`,
  'a key given back that nobody gave': `update key_reservations set state = 'voided' where ${one('key_reservations', `state = 'reserved'`)}`,
  'a series of nobody': `insert into counters (org_id, name, last) values (${ORG}, 'receipt:x:2099', 12)`,
  'a receipt’s number that is beyond all numbers': `update payments set receipt_no = regexp_replace(receipt_no, '[0-9]+$', '99999999999999999999999') where ${one('payments', `receipt_no is not null`)}`,
  'keys of nobody': `alter table accounts drop constraint accounts_are_of_whom_the_code_says, drop constraint accounts_of_keys_are_a_users;
    update accounts set owner_id = 'x' where code = 'keys_available'`,
  'keys of a plan beyond all numbers': `update journal_lines set unit = 'KEY:99999999999999' where unit like 'KEY:%'`,
};

/** Each of these is seen by one look alone, whatever else is seen with it: the look itself is named. */
export const NAMED: [string, string][] = [
  ['paid ahead of what is due before', CORRUPTIONS['what is paid of one instalment booked on another']!],
  ['paid ahead of what is due before', CORRUPTIONS['what is paid of one instalment booked on the next']!],
  ['receipts of a series', CORRUPTIONS['a receipt’s number left out']!],
  [
    'paid before the interest or principal of its instalment',
    `update instalments set paid_interest_paise = paid_interest_paise - 1, paid_principal_paise = paid_principal_paise + 1 where ${one('instalments', 'paid_interest_paise > 0 and paid_on is null')}`,
  ],
  [
    'an advance beside what is owed',
    `update agreements set advance_paise = 5 where ${one('agreements', `state = 'active'`)}`,
  ],
  [
    'a late fee paid before what was due',
    `update agreements set oldest_due_on = delivered_on + 20 where agreement_id = (select agreement_id from charges where org_id = ${ORG} and paid_paise > 0 limit 1)`,
  ],
  ['a journal of no kind', CORRUPTIONS['money from one till to another by a journal of no payment']!],
  [
    'a payment of an agreement that is over, not owed back',
    `update agreements set state = 'cancelled' where agreement_id = (select agreement_id from payments p where p.org_id = ${ORG}
       and p.state = 'posted' and p.goes_to = 'dues' and not exists (select from refund_tasks t where t.payment_id = p.payment_id) limit 1)`,
  ],
  [
    'a receipt that says something else',
    `update payments set receipt = jsonb_set(receipt, '{amount_paise}', to_jsonb(amount_paise + 100)) where ${one('payments', `receipt is not null and state = 'posted'`)}`,
  ],
  ['parts of a payment', CORRUPTIONS['lines of a payment that was only claimed']!],
  ['an agreement that is not there', CORRUPTIONS['money of an agreement that is not there']!],
  ['fee income', CORRUPTIONS['fees of nobody']!],
  ['keys that nobody granted', keysBy('keys_credited', 'keys_issued')],
  ['keys moved by key_returned', keysBy('key_returned', 'keys_issued')],
  ['keys that nobody passed on', keysBy('keys_passed', 'keys_issued')],
  [
    'keys passed on that nobody got',
    `insert into key_transfers (org_id, transfer_id, lot, from_user_id, to_user_id, plan_type, keys, made_by, made_at, txid)
     select org_id, gen_random_uuid(), 'paid', user_id, user_id, 0, 5, user_id, kist_now(), pg_current_xact_id() from wallets where org_id = ${ORG} limit 1`,
  ],
  ['keys spent of plan type', CORRUPTIONS['a spent key of nowhere']!],
  ['keys given back of plan type', CORRUPTIONS['a spent key of nowhere']!.replace("'posted'", "'voided'")],
  [
    'a grant of keys that nobody got',
    `insert into key_grants (org_id, effect_key, user_id, plan_type, lot, keys, granted_at) select org_id, 'x', user_id, 0, 'paid', 5, kist_now() from wallets where org_id = ${ORG} limit 1`,
  ],
  [
    'late fees beyond their rule',
    `with g as (select * from agreements where org_id = ${ORG} and penal is not null and state = 'active' limit 1),
       c as (insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by)
         select org_id, gen_random_uuid(), agreement_id, 2, 9000000, kist_today(), 'hand' from g returning *),
       j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
         select org_id, gen_random_uuid(), 'penal:hand:' || charge_id, 'penal_charged', 'agreement', agreement_id, charged_on, kist_now() from c returning *)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket)
     select c.org_id, j.journal_id, n.no, a.account_id, 'INR', case n.no when 1 then c.amount_paise else 0 end, case n.no when 2 then c.amount_paise else 0 end,
       c.agreement_id, 2, case n.no when 1 then c.charge_id end, case n.no when 1 then 'penal' end
     from c, j, (values (1, 'receivable_penal'), (2, 'income_penal')) as n(no, code) join accounts a on a.org_id = ${ORG} and a.code = n.code`,
  ],
  [
    'day of a version',
    `update agreements set schedule_from = '2099-01-01' where schedule_version = 2; update schedule_versions set effective_on = '2099-01-01'`,
  ],
  [
    'from when the version in force counts',
    `update agreements set schedule_from = schedule_from + 30 where schedule_version = 2`,
  ],
  ['versions of the schedule', `update agreements set schedule_version = 3 where schedule_version = 2`],
  ['principal of a version', `update schedule_versions set principal_paise = principal_paise + 100`],
  ['principal that versions moved', `update schedule_versions set principal_paise = principal_paise - 100`],
  ['terms of a version that do not stand', `update schedule_versions set after = after || '{"rate_bps": 1}'`],
  [
    'a row of a version that was due when it was made',
    `update instalments set due_on = '2026-04-10' where version = 2 and no = (select min(no) from instalments where version = 2)`,
  ],
  [
    'a version that puts off what was due',
    `update instalments set due_on = '2026-04-10' where superseded_by = 2 and dropped_principal_paise > 0 and no = (select min(no) from instalments
       where superseded_by = 2 and dropped_principal_paise > 0)`,
  ],
  [
    'a version that begins later than what it put aside',
    `update instalments set due_on = due_on + 10 where version = 2`,
  ],
  [
    'a late fee taken back for no payment',
    `update charges set taken_back_at = kist_now(), taken_back_for = gen_random_uuid(), paid_paise = 0 where ${one('charges', 'taken_back_at is null', 'charge_id')}`,
  ],
  [
    'waived beyond what one person may',
    `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
     select org_id, gen_random_uuid(), agreement_id, charge_id, 100, 'x', 1000000000000, 'granted', agreement_id, kist_now(), agreement_id, kist_now() from charges
     where org_id = ${ORG} limit 1`,
  ],
  [
    'waived beyond what one person may',
    `update penal_rules set waiver_limit_paise = 150 where org_id = ${ORG};
     insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
     select org_id, gen_random_uuid(), agreement_id, charge_id, 100, 'x', 150, 'granted', agreement_id, kist_now(), agreement_id, kist_now() from charges, generate_series(1, 2)
     where org_id = ${ORG} and charge_id = (select charge_id from charges where org_id = ${ORG} limit 1)`,
  ],
  [
    'waived by nobody who may',
    `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
     select org_id, gen_random_uuid(), agreement_id, charge_id, 100, 'x', 0, 'granted', owner_user_id, kist_now(), agreement_id, kist_now()
     from charges join agreements using (org_id, agreement_id) where org_id = ${ORG} limit 1`,
  ],
  [
    'total of the terms of a version',
    `update schedule_versions set after = after || '{"total_payable_paise": 1}'; update agreements set total_payable_paise = 1 where schedule_version = 2`,
  ],
  [
    'a version that asks more without a word of the customer',
    `update schedule_versions set consent_otp_id = null, consent_hash = null`,
  ],
  [
    'another phone that changes terms',
    `alter table schedule_versions drop constraint schedule_versions_swap_keeps_terms; update schedule_versions set cause = 'imei_swap'`,
  ],
  [
    'day on which an instalment was put aside',
    `update instalments set paid_on = paid_on - 1 where superseded_by is not null and paid_principal_paise + paid_interest_paise = 0`,
  ],
  [
    'day on which an instalment was paid',
    `update instalments i set paid_on = paid_on - 40 from agreements a where a.agreement_id = i.agreement_id and a.schedule_version = 2 and i.no = 1`,
  ],
  [
    'a reversal of nobody',
    `update payments set reversed_by = gen_random_uuid() where ${one('payments', `state = 'reversed'`, 'payment_id')}`,
  ],
  [
    'the move of a payment of nobody',
    `update payment_moves set moved_by = gen_random_uuid() where ${one('payment_moves', `to_state = 'posted'`, 'payment_id')}`,
  ],
  [
    'the move of a payment of nobody',
    `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     select org_id, payment_id, no + 1, to_state, 'refused', gen_random_uuid(), moved_at, 'x' from payment_moves where ${one('payment_moves', 'true', 'payment_id')}`,
  ],
  [
    'a payment whose move tells of another',
    `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name) values (${ORG}, '0197a000-0000-7000-8000-000000000002', 'retailer', '+917000000008', 'Meena', 'Elsewhere');
     update payment_moves set moved_by = '0197a000-0000-7000-8000-000000000002' where ${one('payment_moves', `to_state = 'posted'`, 'payment_id')}`,
  ],
  [
    'the move of an agreement of nobody',
    `update agreement_moves set moved_by = gen_random_uuid() where ${one('agreement_moves')}`,
  ],
  ['a version of a schedule of nobody', `update schedule_versions set made_by = gen_random_uuid()`],
  [
    'a refund of nobody',
    `update refund_tasks set closed_by = '00000000-0000-0000-0000-000000000000' where ${one('refund_tasks', `state = 'done'`)}`,
  ],
  [
    'a late fee of nobody',
    `update charges set made_by = 'hand', charged_by = '00000000-0000-0000-0000-000000000000' where ${one('charges', 'true', 'charge_id')}`,
  ],
  [
    'a late fee of nobody',
    `update charges set made_by = 'hand', charged_by = gen_random_uuid() where ${one('charges', 'true', 'charge_id')}`,
  ],
  [
    'a late fee of nobody',
    `update users set user_type = 'admin', shop_name = '', upi_id = null where ${one('users', `user_type = 'retailer'`, 'user_id')};
     update charges set made_by = 'hand', charged_by = (select user_id from users where org_id = ${ORG} and user_type = 'admin' limit 1) where ${one('charges', 'true', 'charge_id')}`,
  ],
  ...[`gen_random_uuid()`, `(select owner_user_id from agreements where org_id = ${ORG} limit 1)`].map(
    (who): [string, string] => [
      'a claim of nobody',
      `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_by, recorded_at, state)
     select org_id, gen_random_uuid(), agreement_id, customer_id, 100, 'CASH', '', kist_now(), kist_today(), ${who}, kist_now(), 'claimed'
     from agreements where ${one('agreements', 'true', 'agreement_id')};
     insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     select org_id, payment_id, 1, '', 'claimed', recorded_by, kist_now(), 'x' from payments where state = 'claimed' and amount_paise = 100`,
    ],
  ),
  [
    'a payment of a shop that was suspended',
    `alter table users disable trigger users_are_suspended_now;
     update users set is_active = false, suspended_at = (select min(moved_at) - interval '3 minutes' from payment_moves) where ${one('users', `user_type = 'retailer'`, 'user_id')}`,
  ],
  [
    'a waiver of nobody',
    `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
     select org_id, gen_random_uuid(), agreement_id, charge_id, 100, 'x', 0, 'refused', owner_user_id, kist_now(), gen_random_uuid(), kist_now()
     from charges join agreements using (org_id, agreement_id) where org_id = ${ORG} limit 1`,
  ],
  [
    'a refund of nobody',
    `update refund_tasks set closed_by = gen_random_uuid() where ${one('refund_tasks', `state = 'done'`)}`,
  ],
  ['numbers of agreements', `update counters set last = last + 1 where org_id = ${ORG} and name = 'agreement'`],
];
