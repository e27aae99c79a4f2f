import { ORG, type Sale } from './lock-world.ts';

/** Of the world that invariants.test.ts lives in: late and locked, both; and one that has paid what was due. */
interface Sales {
  late: Sale;
  alsoLate: Sale;
  paid: Sale;
}

/** A whole history and its head. */
const CHAIN = [
  ['audit_lines', 'audit_heads'],
  `with lines as (delete from audit_lines where subject_kind = 'customer' and subject_id = $1 returning 1)
   delete from audit_heads where subject_kind = 'customer' and subject_id = $1`,
] as const;

/** The camera of a phone that is held for a debt, taken on the verdict of that very lock, as if the gate had been asked for `judged`. */
const taken = ({ as, judged }: { as: 'debt' | 'theft'; judged: string }) =>
  `with held as (select * from locks where device_id = $1 and cause = 'debt'),
     asked as (update verdicts v set facts = jsonb_set(v.facts::jsonb, '{request,taking}', '"${judged}"') from held where v.verdict_id = held.verdict_id),
     taken as (insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, taken_at)
       select org_id, device_id, 'camera_lock', '${as}', agreement_id, reason, verdict_id, kist_now() from held)
   update device_desired set document = jsonb_set(document, '{toggles,camera_lock}', 'true') where device_id = $1`;

/** What no program may write, past the guards of these tables: the invariants that it breaks, what it is, and with which values. */
export const BROKEN: [string, string, readonly string[], string, (sales: Sales) => unknown[]][] = [
  [
    'I1',
    'a payment without its journal',
    ['journals'],
    `update journals set effect_key = 'x' || effect_key where effect_key like 'payment:%'`,
    () => [],
  ],
  [
    'I1',
    'an acknowledged payment that is not there',
    [],
    `insert into idempotency_keys (org_id, actor, key, request_hash, status, reply) values (${ORG}, 'x', gen_random_uuid(), '', 200,
       jsonb_build_object('data', jsonb_build_object('payment_id', gen_random_uuid())))`,
    () => [],
  ],
  [
    'I2',
    'a paisa in the till that nobody paid',
    ['journal_lines', 'journals'],
    `update journal_lines set debit = debit + 1 where bucket is null and debit > 0 and payment_id is not null`,
    () => [],
  ],
  [
    'I3',
    'an agreement that owes a paisa more',
    ['agreements'],
    'update agreements set outstanding_paise = outstanding_paise + 1 where agreement_id = $1',
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  [
    'I3',
    'a bucket that was paid from nowhere',
    ['journal_lines'],
    `update journal_lines set bucket = 'interest' where agreement_id = $1 and payment_id is not null and bucket = 'principal'`,
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  [
    'I3',
    'a penal charge that says more was paid of it than came in',
    ['charges'],
    `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, paid_paise, charged_on)
     select ${ORG}, gen_random_uuid(), $1, 1, 5000, 2000, kist_today()`,
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  [
    'I4 I11',
    'a level that no verdict allowed',
    [],
    'update device_desired set lock_level = 3 where device_id = $1',
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I4',
    'a theft lock that no word of its owner stands for',
    [],
    `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, verdict_id)
     select org_id, device_id, 'theft', level, kist_now(), agreement_id, 'THEFT_REPORTED', verdict_id from locks where device_id = $1 and cause = 'debt'`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4',
    'a switch taken for its owner, whose word nobody gave',
    ['restrictions'],
    `insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, taken_at)
     select org_id, device_id, 'camera_lock', 'theft', agreement_id, 'THEFT_REPORTED', verdict_id, kist_now() from locks where device_id = $1 and cause = 'debt'`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4',
    'a switch on the word of the gate for another switch',
    ['restrictions', 'verdicts'],
    taken({ as: 'debt', judged: 'wallpaper' }),
    ({ late }) => [late.deviceId],
  ],
  [
    'I4',
    'a switch taken for its owner, who gave the word, on the word of the gate for a debt',
    ['restrictions', 'verdicts', 'protection_reports'],
    `with said as (insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at)
       values (${ORG}, gen_random_uuid(), $1, 'theft', 'customer', gen_random_uuid(), kist_now() - interval '3 days')),
     ${taken({ as: 'theft', judged: 'camera_lock' }).replace('with ', '')}`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4 I5 I7',
    'a switch of a phone that was let go',
    ['restrictions', 'devices'],
    `with taken as (insert into restrictions (org_id, device_id, taken, cause, reason, verdict_id, taken_at)
       values (${ORG}, $1, 'camera_lock', 'theft', 'THEFT_REPORTED', gen_random_uuid(), kist_now()))
     update devices set released_at = kist_now() where device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I4',
    'a lock of another cause than its verdict’s',
    [],
    `update locks set cause = 'override' where device_id = $1 and cause = 'debt'`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4',
    'a document that names another cause',
    [],
    `update device_desired set document = jsonb_set(document, '{lock,cause}', '"theft"') where device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I5',
    'a lease that would take a step of a phone that owes nothing',
    [],
    `update device_desired set lease = json_build_object('ladder', json_build_array(json_build_object('at', '2026-03-01T00:00:00Z', 'level', 4)))
     where device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I4 I5',
    'a lock tried out that outlived its end',
    [],
    `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, ends_at)
     values (${ORG}, $1, 'enrolment_test', 1, kist_now() - interval '30 minutes', $2, 'ENROLMENT_TEST', kist_now() - interval '11 minutes')`,
    ({ paid }) => [paid.deviceId, paid.agreement.agreement_id],
  ],
  [
    'I4 I7',
    'a lock tried out under another phone’s agreement',
    [],
    `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, ends_at)
     values (${ORG}, $1, 'enrolment_test', 1, kist_now(), $2, 'ENROLMENT_TEST', kist_now() + interval '5 minutes')`,
    ({ late, paid }) => [late.deviceId, paid.agreement.agreement_id],
  ],
  [
    'I5 I7',
    'a lock of a phone that was let go',
    ['devices'],
    'update devices set released_at = kist_now() where device_id = $1',
    ({ late }) => [late.deviceId],
  ],
  [
    'I8',
    'a word of theft that no line tells of',
    ['protection_reports'],
    `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at)
     values (${ORG}, gen_random_uuid(), $1, 'theft', 'customer', gen_random_uuid(), kist_now())`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I8',
    'an exchange that no line tells of',
    ['phone_exchanges'],
    `insert into phone_exchanges (org_id, agreement_id, no, from_device_id, to_device_id, was_set_up, reason, made_by, made_at)
     values (${ORG}, $1, 1, $2, $3, true, 'x', gen_random_uuid(), kist_now())`,
    ({ late, alsoLate }) => [late.agreement.agreement_id, late.deviceId, alsoLate.deviceId],
  ],
  [
    'I5 I8',
    'a complaint that no line tells of',
    ['disputes', 'dispute_moves'],
    `with said as (insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, state, opened_at, state_since)
       values (${ORG}, gen_random_uuid(), $1, 1, 'x', 'app', 'open', kist_now(), kist_now()) returning dispute_id)
     insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
     select ${ORG}, dispute_id, 1, '', 'open', 'customer', gen_random_uuid(), kist_now(), 'x' from said`,
    ({ late }) => [late.agreement.agreement_id],
  ],
  [
    'I4 I5',
    'a lock for a debt that is paid',
    [],
    `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason) values (${ORG}, $1, 'debt', 2, kist_now(), $2, 'EMI_OVERDUE')
     on conflict (org_id, device_id, cause) do update set level = 2, level_since = kist_now()`,
    ({ paid }) => [paid.deviceId, paid.agreement.agreement_id],
  ],
  [
    'I6',
    'a phone ahead of what is wanted of it',
    [],
    'update device_reports set revision = revision + 9 where device_id = $1',
    ({ late }) => [late.deviceId],
  ],
  [
    'I6',
    'a verdict for a revision that is not wanted yet',
    ['verdicts'],
    `update verdicts v set revision = revision + 100 where device_id = $1 and revision is not null
       and not exists (select from locks l where l.verdict_id = v.verdict_id)`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4 I7',
    'a lock of another phone’s agreement',
    [],
    `update locks set agreement_id = $2 where device_id = $1 and cause = 'debt'`,
    ({ late, alsoLate }) => [late.deviceId, alsoLate.agreement.agreement_id],
  ],
  ['I8', 'a whole history that is gone with its head', ...CHAIN, ({ paid }) => [paid.customerId]],
  [
    'I8',
    'a line cut out',
    ['audit_lines'],
    `delete from audit_lines where subject_kind = 'agreement' and subject_id = $1 and seq = 2`,
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  [
    'I8',
    'a decision that no line tells of',
    ['audit_lines', 'audit_root_heads'],
    `update audit_lines set action = 'something_else' where subject_kind = 'device' and action = 'lock_level_decided'
       and at > kist_now() - interval '2 days'`,
    () => [],
  ],
  [
    'I9',
    'a code that two phones came by',
    [],
    `with code as (insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, used_at)
       select ${ORG}, '\\x01', $2, $3, gen_random_uuid(), kist_now(), kist_now(), kist_now() returning token_hash)
     update enrolments set token_hash = (select token_hash from code) where device_id = $1`,
    ({ late, paid }) => [late.deviceId, paid.customerId, paid.deviceId],
  ],
  [
    'I9',
    'a consent by a code that nobody used',
    ['consent_confirmations'],
    `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, otp_id, confirmed_at, confirmed_by)
     select org_id, gen_random_uuid(), customer_id, mobile, '9', '\\x09', 'en', gen_random_uuid(), kist_now(), owner_user_id from customers where customer_id = $1`,
    ({ paid }) => [paid.customerId],
  ],
  [
    'I9',
    'the end of a theft by a code for something else',
    ['protection_reports'],
    `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, closed_at, closed_as, closed_by, closed_otp_id)
     select ${ORG}, gen_random_uuid(), $1, 'theft', 'shop', gen_random_uuid(), kist_now(), kist_now(), 'customer_code', gen_random_uuid(), otp_id
     from consent_confirmations where customer_id = $2`,
    ({ paid }) => [paid.deviceId, paid.customerId],
  ],
  ['I10', 'a table that shows its owner every row', [], 'alter table notices no force row level security', () => []],
  [
    'I4',
    'a document that locks beside a column that says free',
    [],
    `update device_desired set document = jsonb_set(document, '{lock}', '{"level": 4, "cause": "debt", "screen": null}') where device_id = $1 and lock_level = 0`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I5',
    'a lease that takes the phone the day after it is due',
    [],
    `update device_desired w set lease = json_build_object('ladder', json_build_array(json_build_object(
       'at', to_char(((a.oldest_due_on + 1)::timestamp at time zone 'Asia/Kolkata') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 4, 'notice_no', 1, 'notice_days', 1)))
     from agreements a where a.device_id = w.device_id and w.device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I5',
    'a lease with a step whose notice nobody delivered',
    ['notice_proofs'],
    `with gone as (delete from notice_proofs p using agreements a where a.device_id = $1 and p.agreement_id = a.agreement_id)
     update device_desired w set lease = json_build_object('ladder', json_build_array(json_build_object(
       'at', to_char((kist_now() + interval '90 days') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 4, 'notice_no', null, 'notice_days', 0)))
     where w.device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I5',
    'a lease that takes a step at night',
    [],
    `update device_desired w set lease = jsonb_set(lease::jsonb, '{ladder}', jsonb_build_array(jsonb_build_object(
       'at', to_char((((kist_today() + 90)::timestamp + interval '3 hours') at time zone 'Asia/Kolkata') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 1, 'notice_no', null, 'notice_days', 0)))::json
     where w.device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I5',
    'a lease that is valid for years',
    [],
    `update device_desired set lease = jsonb_set(lease::jsonb, '{valid_until}', to_jsonb(kist_now() + interval '10 years'))::json where device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I5 I7',
    'a lease with steps of a phone that was let go',
    ['devices'],
    `with gone as (update devices set released_at = kist_now() where device_id = $1)
     update device_desired set lease = json_build_object('ladder', json_build_array(json_build_object(
       'at', to_char(((kist_today() + 90)::timestamp + interval '6 hours'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 1, 'notice_no', null, 'notice_days', 0)))
     where device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I5',
    'a lease that takes the phone a day before its policy does',
    [],
    `update device_desired w set lease = json_build_object('ladder', json_build_array(json_build_object(
       'at', to_char(((a.oldest_due_on + (a.policy -> 'steps' -> 3 ->> 'fromDpd')::int - 1)::timestamp at time zone 'Asia/Kolkata') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'level', 4, 'notice_no', 1, 'notice_days', 1)))
     from agreements a where a.device_id = w.device_id and w.device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I5 I8',
    'a hold that no line tells of, nor its phone’s lease',
    ['holds'],
    `insert into holds (org_id, hold_id, agreement_id, kind, until_on, note, created_by, created_at)
     select org_id, gen_random_uuid(), agreement_id, 'medical', kist_today() + 30, '', owner_user_id, kist_now() from agreements where agreement_id = $1`,
    ({ late }) => [late.agreement.agreement_id],
  ],
  [
    'I8',
    'a payment taken back that no line tells of',
    ['payments', 'payment_moves'],
    `update payments set reversed_at = kist_now() where agreement_id = $1`,
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  ['I10', 'a policy that shows more', [], 'create policy more on notices to kist_app using (true)', () => []],
  [
    'I11',
    'a phone that asked and was not given the newest',
    [],
    "update device_reports set told_revision = told_revision - 1, last_seen_at = kist_now() + interval '1 day' where device_id = $1",
    ({ late }) => [late.deviceId],
  ],
  [
    'I11',
    'two phones that are not what they shall be',
    [],
    'update device_reports set unfit_polls = 3, last_seen_at = kist_now() where device_id in ($1, $2)',
    ({ late, alsoLate }) => [late.deviceId, alsoLate.deviceId],
  ],
  [
    'I11',
    'a phone whose vendor was never given its unlock',
    ['enrolments'],
    `with v as (update enrolments set vendor = 'guard', handle = 'x', public_key_spki = null where device_id = $1 and ended_at is null returning enrolment_id)
     update device_desired set changed_at = kist_now() - interval '1 day' where device_id = $1 and exists (select from v)`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I11',
    'an account that its vendor refuses for longer than two polls',
    ['enrolments'],
    `with kept as (insert into vendor_budgets (org_id, vendor, left_over, filled_at, refused_since, refused_why)
       values (${ORG}, 'guard', 1, kist_now(), kist_now() - interval '1 day', 'INVALID_CLIENT'))
     update enrolments set vendor = 'guard' where device_id = $1 and ended_at is null`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I11',
    'a phone with a channel and none in charge',
    [],
    'update enrolments set in_charge = false where device_id = $1',
    ({ late }) => [late.deviceId],
  ],
  [
    'I12',
    'a lock that a fleet unlock left',
    ['audit_lines'],
    `update audit_lines set data = data || '{"mark":"ffffffff-ffff-7fff-bfff-ffffffffffff"}' where action = 'fleet_unlocked'`,
    () => [],
  ],
];
