import { one, ORG } from './book-corruptions.ts';

/** A person more in the organisation, who did nothing. */
const person = (userType: string) =>
  `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name) values (${ORG}, '0197a000-0000-7000-8000-000000000003', '${userType}', '+917000000007', 'Meena', 'Elsewhere')`;
const PERSON = `'0197a000-0000-7000-8000-000000000003'`;
/** A payment of a rupee that nobody proved, with its move. */
const unproved = (state: string, by: string, movedBy: string) =>
  `${person('customer')};
   insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_by, recorded_at, state)
   select org_id, gen_random_uuid(), agreement_id, customer_id, 101, 'CASH', '', kist_now(), kist_today(), ${by}, kist_now(), '${state}'
   from agreements where ${one('agreements', 'true', 'agreement_id')};
   insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
   select org_id, payment_id, 1, '', state, ${movedBy}, kist_now(), 'x' from payments where amount_paise = 101`;
const BY_HAND = `org_id = ${ORG} and made_by = 'hand'`;

/** What was written against what else was written then: each is seen by one look alone, which is named. */
export const WRITTEN: [string, string][] = [
  ['a late fee by hand that tells of another', `update charges set charged_by = null where ${BY_HAND}`],
  [
    'a late fee by hand that tells of another',
    `${person('retailer')}; update charges set charged_by = ${PERSON} where ${BY_HAND}`,
  ],
  [
    'a late fee by hand that tells of another',
    `alter table charges drop constraint charges_by_hand_are_somebodys; update charges set made_by = 'rule' where ${BY_HAND}`,
  ],
  ['a late fee of nobody', `${person('customer')}; update charges set charged_by = ${PERSON} where ${BY_HAND}`],
  [
    'the move of an agreement of nobody',
    `${person('customer')}; update agreement_moves set moved_by = ${PERSON} where ${one('agreement_moves')}`,
  ],
  [
    'a day that was run before it came',
    `alter table daily_steps disable trigger daily_steps_are_told_when_done;
     insert into daily_steps (org_id, business_on, step, finished_at) select ${ORG}, kist_today() - 2, step, kist_now() - interval '3 days' from unnest(kist_daily_steps()) s(step);
     alter table organisations disable trigger organisations_run_days_that_came; update organisations set daily_run_on = kist_today() - 2 where org_id = ${ORG}`,
  ],
  [
    'steps of a day that was run',
    `alter table organisations disable trigger organisations_run_days_that_came; update organisations set daily_run_on = '2099-01-01' where org_id = ${ORG}`,
  ],
  [
    'steps of a day that was run',
    `alter table organisations disable trigger organisations_run_days_that_came; update organisations set daily_run_on = kist_today() where org_id = ${ORG}`,
  ],
  [
    // A day was passed over, behind one that was run.
    'steps of a day that was run',
    `insert into daily_steps (org_id, business_on, step, finished_at) select ${ORG}, d, step, kist_now() from unnest(kist_daily_steps()) s(step), unnest(array[kist_today() - 4, kist_today() - 2]) d;
     alter table organisations disable trigger organisations_run_days_that_came; update organisations set daily_run_on = kist_today() - 2 where org_id = ${ORG}`,
  ],
  [
    'days between the delivery and the sale',
    `update agreements set is_of_real_time = true, delivered_on = '2020-01-01' where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  [
    'signed under another rule of penalties than was in force',
    `update penal_rules set numbered = 0, set_at = '2026-01-01'; update agreements set penal = null where ${one('agreements', 'penal is not null', 'agreement_id')}`,
  ],
  [
    'a lock policy whose cap of penalties nobody chose',
    `update agreements set policy = jsonb_set(policy, '{penalCapBps}', '10000') where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  [
    'a cap of penalties that is neither the rule’s nor the policy’s',
    `update agreements set penal = jsonb_set(penal, '{cap_bps}', '9000') where ${one('agreements', 'penal is not null', 'agreement_id')}`,
  ],
  [
    'a book’s agreement with a rule of penalties',
    `insert into historic_agreements (org_id, agreement_id, row_ref, row_hash, imported_at) select org_id, agreement_id, 'x', sha256('x'), kist_now() from agreements where ${one('agreements', 'penal is not null', 'agreement_id')}`,
  ],
  [
    'a number that no series gave',
    `update agreements set agreement_no = '${ORG}-99999' where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  [
    'a number that no series gave',
    `update agreements set agreement_no = 'mine' where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  [
    'a number that another agreement was given',
    `alter table agreements drop constraint agreements_org_id_agreement_no_key;
     with two as (select agreement_id, agreement_no, lead(agreement_id) over w as other, lead(agreement_no) over w as other_no from agreements where org_id = ${ORG} window w as (order by agreement_no)),
       pair as (select * from two where other is not null limit 1)
     update agreements a set agreement_no = case a.agreement_id when pair.other then pair.agreement_no else pair.other_no end from pair where a.agreement_id in (pair.agreement_id, pair.other)`,
  ],
  [
    'a number of another year',
    `update payments set receipt_no = '27' || '-28' || substr(receipt_no, 6), receipt = null where ${one('payments', `receipt_no like '26-27/%'`, 'payment_id')}`,
  ],
  [
    'a number of another year',
    `update payments set note_no = '25-26' || substr(note_no, 6) where ${one('payments', 'note_no is not null', 'payment_id')}`,
  ],
  ['a counter that nothing reads', `insert into counters (org_id, name, last) values (${ORG}, 'odd', 1)`],
  [
    'a counter that nothing reads',
    `insert into counters (org_id, name, last) values (${ORG}, 'shop:' || gen_random_uuid(), 1)`,
  ],
  ['numbers of shops', `update counters set last = last + 5 where org_id = ${ORG} and name = 'shops'`],
  [
    'a number of two shops',
    `insert into counters (org_id, name, last) select ${ORG}, 'shop:' || gen_random_uuid(), last from counters where org_id = ${ORG} and name = 'shops'`,
  ],
  [
    'a payment of a shop that was suspended',
    `alter table users disable trigger users_are_suspended_now;
     update payment_moves set suspensions = 1;
     update users set is_active = false, suspended_no = 1, suspended_at = (select max(moved_at) + interval '1 day' from payment_moves)
     where ${one('users', `user_type = 'retailer'`, 'user_id')}`,
  ],
  [
    'numbers of suspensions',
    `alter table users disable trigger users_are_suspended_now;
     update users set is_active = false, suspended_at = kist_now(), suspended_no = 7 where ${one('users', `user_type = 'retailer'`, 'user_id')}`,
  ],
  [
    'a payment of a version that is not there',
    `update payments set schedule_version = 9 where ${one('payments', `state = 'posted'`, 'payment_id')}`,
  ],
  [
    'a payment that the audit knows and the books do not',
    `select set_config('kist.org_id', '${ORG}', true); select audit_append('agreement', array[(select agreement_id::text from agreements where org_id = ${ORG} order by agreement_id limit 1)], '{"kind":"user"}',
       'payment_recorded', array[jsonb_build_object('payment_id', gen_random_uuid())])`,
  ],
  [
    'a payment that the audit knows otherwise',
    `update payments set paid_at = paid_at - interval '3 hours' where ${one('payments', `state = 'posted' and goes_to = 'dues'`, 'payment_id')}`,
  ],
  ['numbers of agreements', `delete from counters where org_id = ${ORG} and name = 'agreement'`],
  ['numbers of shops', `delete from counters where org_id = ${ORG} and name = 'shops'`],
  [
    'an account with its sides turned',
    `update accounts set normal_side = 'credit' where ${one('accounts', `code = 'clearing_cash'`, 'account_id')}`,
  ],
  [
    'an agreement that names no reckoning',
    `update agreements set schedule_engine = null where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  [
    'a transfer of nobody',
    `${person('customer')};
     alter table customer_transfers disable trigger all;
     insert into customer_transfers (org_id, transfer_id, customer_id, from_user_id, to_user_id, made_by, made_at, clock_shift, reason)
     select org_id, gen_random_uuid(), customer_id, ${PERSON}, owner_user_id, ${PERSON}, kist_now(), '0', 'x' from agreements where ${one('agreements', 'true', 'agreement_id')}`,
  ],
  ['a claim that tells of another', unproved('claimed', PERSON, 'recorded_by')],
  ['a payment put up for approval', unproved('pending_approval', 'owner_user_id', 'recorded_by')],
  ['a payment whose move tells of another', unproved('pending_approval', 'owner_user_id', 'gen_random_uuid()')],
];
