import type { BROKEN } from './broken-invariants.ts';
import { ORG } from './lock-world.ts';

/** What a phone is held for. */
const HELD = `select * from locks where device_id = $1 and cause = 'debt'`;

/** As BROKEN: what once stayed green. */
export const MORE_BROKEN: typeof BROKEN = [
  [
    'I11',
    'a word of a phone that nothing followed on for hours',
    [],
    `insert into device_changes (org_id, change_id, device_id, at, changes) values (${ORG}, gen_random_uuid(), $1, kist_now() - interval '2 hours', '{}')`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I3',
    'a penal charge that says less was paid of it than came in',
    ['charges', 'journals', 'journal_lines'],
    `with charge as (insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, paid_paise, charged_on)
       values (${ORG}, gen_random_uuid(), $1, 1, 5000, 500, kist_today()) returning charge_id),
     line as (select * from journal_lines where agreement_id = $1 and payment_id is not null and bucket = 'principal' limit 1)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id)
     select org_id, journal_id, 90, account_id, unit, 2000, 0, agreement_id, null, null, null, payment_id from line
     union all
     select org_id, journal_id, 91, account_id, unit, 0, 2000, agreement_id, instalment_no, charge.charge_id, 'penal', payment_id from line cross join charge`,
    ({ paid }) => [paid.agreement.agreement_id],
  ],
  [
    'I4',
    'a lock on the verdict of an earlier one',
    ['verdicts'],
    `update verdicts set decided_at = decided_at - interval '40 days' where verdict_id = (select verdict_id from locks where device_id = $1 and cause = 'debt')`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I4',
    'a lock on the verdict for another agreement',
    ['verdicts'],
    `update verdicts set agreement_id = $2 where verdict_id = (select verdict_id from locks where device_id = $1 and cause = 'debt')`,
    ({ late, alsoLate }) => [late.deviceId, alsoLate.agreement.agreement_id],
  ],
  [
    'I4',
    'a switch taken on a verdict of long ago',
    ['restrictions', 'verdicts'],
    `with held as (${HELD}),
       asked as (update verdicts v set facts = jsonb_set(v.facts::jsonb, '{request,taking}', '"camera_lock"') from held where v.verdict_id = held.verdict_id),
       taken as (insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, taken_at)
         select org_id, device_id, 'camera_lock', 'debt', agreement_id, reason, verdict_id, level_since + interval '2 days' from held)
     update device_desired set document = jsonb_set(document, '{toggles,camera_lock}', 'true') where device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I3 I5',
    'a lock whose instalment was paid, under a younger one that is late too',
    ['agreements'],
    `with ladder as (update device_desired set lease = null where device_id = $2)
     update agreements set oldest_due_on = kist_today() - 1 where agreement_id = $1`,
    ({ late }) => [late.agreement.agreement_id, late.deviceId],
  ],
  [
    'I5',
    'a lock whose notices are gone',
    ['notice_proofs'],
    `with ladder as (update device_desired set lease = null where device_id = $1)
     delete from notice_proofs p using agreements a where a.device_id = $1 and p.agreement_id = a.agreement_id`,
    ({ late }) => [late.deviceId],
  ],
  [
    'I5',
    'a lock of somebody who never agreed',
    ['consents'],
    'delete from consents where agreement_id = $1',
    ({ late }) => [late.agreement.agreement_id],
  ],
  [
    'I5',
    'a lock of somebody who signed and told no code',
    ['consents'],
    'update consents set confirmation_id = null where agreement_id = $1',
    ({ late }) => [late.agreement.agreement_id],
  ],
  [
    'I5',
    'a lock on the notices of another instalment',
    ['notice_proofs'],
    `with ladder as (update device_desired set lease = null where device_id = $2)
     update notice_proofs set due_on = due_on + 31 where agreement_id = $1 and kind = 'notice'`,
    ({ late }) => [late.agreement.agreement_id, late.deviceId],
  ],
  [
    'I5',
    'a lock on notices to a number that nobody confirmed',
    ['notice_proofs'],
    `with ladder as (update device_desired set lease = null where device_id = $2)
     update notice_proofs set channel = 'sms', is_number_confirmed = false where agreement_id = $1 and kind = 'notice'`,
    ({ late }) => [late.agreement.agreement_id, late.deviceId],
  ],
  [
    'I5',
    'a completed agreement whose phone was not let go',
    ['agreements', 'agreement_moves'],
    `with ladder as (update device_desired set lease = null where device_id = $2)
     update agreements set state = 'completed' where agreement_id = $1`,
    ({ paid }) => [paid.agreement.agreement_id, paid.deviceId],
  ],
  [
    'I5',
    'a cancelled agreement whose phone was not let go',
    ['agreements', 'agreement_moves', 'journals', 'journal_lines'],
    `with ladder as (update device_desired set lease = null where device_id = $2),
     journal as (update journals set effect_key = 'cancelled:' || $1::uuid where effect_key = 'agreement:' || $1::uuid)
     update agreements set state = 'cancelled' where agreement_id = $1::uuid`,
    ({ paid }) => [paid.agreement.agreement_id, paid.deviceId],
  ],
  [
    'I7',
    'a phone that was let go, whose document does not say so',
    ['devices'],
    `with ladder as (update device_desired set lease = null where device_id = $1)
     update devices set released_at = kist_now() where device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I7',
    'a document that lets go of a phone that is paid for',
    [],
    `update device_desired set document = jsonb_set(document, '{released}', 'true') where device_id = $1`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I7',
    'a phone under another customer’s name than its agreement',
    ['devices'],
    'update devices set customer_id = $2 where device_id = $1',
    ({ late, paid }) => [late.deviceId, paid.customerId],
  ],
  [
    'I9',
    'a set-up by a code of another customer',
    ['enrolments'],
    `with code as (insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, used_at)
       select ${ORG}, '\\x01', $2, $1, gen_random_uuid(), started_at, started_at + interval '1 day', started_at from enrolments where device_id = $1 returning token_hash)
     update enrolments set token_hash = (select token_hash from code) where device_id = $1`,
    ({ late, paid }) => [late.deviceId, paid.customerId],
  ],
  [
    'I9',
    'a set-up by a code that is not there',
    ['enrolments'],
    `update enrolments set token_hash = '\\x02', started_at = kist_now() where device_id = $1`,
    ({ late }) => [late.deviceId],
  ],
  ...(
    [
      ['that was used before', `kist_now() - interval '1 hour'`, `kist_now() + interval '1 hour'`],
      ['that was over', 'kist_now()', `kist_now() - interval '1 hour'`],
    ] as const
  ).map(([what, usedAt, endsAt]): (typeof BROKEN)[number] => [
    'I9',
    `a set-up by a code ${what}`,
    ['enrolments'],
    `with code as (insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, used_at)
       select ${ORG}, '\\x03', $2, $1, gen_random_uuid(), kist_now() - interval '2 hours', ${endsAt}, ${usedAt} returning token_hash)
     update enrolments set token_hash = (select token_hash from code), started_at = kist_now() where device_id = $1`,
    ({ late }) => [late.deviceId, late.customerId],
  ]),
  [
    'I9',
    'a consent by a code that was over',
    ['consent_confirmations', 'otps'],
    `with code as (insert into otps (org_id, otp_id, purpose, customer_id, code_hash, created_at, expires_at, consumed_at, mobile_hash, lane, asker, about_hash)
       select org_id, gen_random_uuid(), 'CONSENT', customer_id, '\\x01', now(), now() + interval '5 minutes', now() + interval '1 hour', '\\x01', 'device', '\\x01', '\\x09'
       from customers where customer_id = $1 returning otp_id)
     insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, otp_id, confirmed_at, confirmed_by)
     select org_id, gen_random_uuid(), customer_id, mobile, '9', '\\x09', 'en', otp_id, kist_now(), owner_user_id from customers cross join code where customer_id = $1`,
    ({ paid }) => [paid.customerId],
  ],
  [
    'I9',
    'the end of two thefts by one code',
    ['protection_reports', 'otps'],
    `with code as (insert into otps (org_id, otp_id, purpose, customer_id, code_hash, created_at, expires_at, consumed_at, mobile_hash, lane, asker)
       select org_id, gen_random_uuid(), 'THEFT_LIFT', customer_id, '\\x01', now(), now() + interval '5 minutes', now(), '\\x01', 'device', '\\x01'
       from devices where device_id = $1 returning otp_id)
     insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, closed_at, closed_as, closed_by, closed_otp_id)
     select ${ORG}, gen_random_uuid(), $1, 'theft', 'shop', gen_random_uuid(), kist_now(), kist_now(), 'customer_code', gen_random_uuid(), otp_id
     from code cross join generate_series(1, 2)`,
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I10',
    'a copy that is read whole',
    [],
    `create table copied as select notice_id, kind from notices; grant select on copied to kist_app`,
    () => [],
  ],
  [
    'I10',
    'a column of a copy',
    [],
    `create table copied as select notice_id, kind from notices; grant select (kind) on copied to kist_device`,
    () => [],
  ],
  [
    'I10',
    'a copy that is kept by a view',
    [],
    `create materialized view copied as select org_id, kind from notices; grant select on copied to kist_app`,
    () => [],
  ],
  [
    'I10',
    'a view of its owner’s eyes, under another name',
    [],
    `create view seen as select org_id as whose, kind from notices; grant select on seen to kist_app`,
    () => [],
  ],
  [
    'I10',
    'a function of its owner’s power',
    [],
    `create function seen() returns bigint language sql security definer as 'select count(*) from notices'`,
    () => [],
  ],
  ['I10', 'a table that is the server’s own', [], 'alter table notices owner to kist_app', () => []],
  ['I10', 'a server that is the phones’ role too', [], 'grant kist_device to kist_app', () => []],
  ['I10', 'a server that reads everything', [], 'grant pg_read_all_data to kist_app', () => []],
  [
    'I10',
    'an organisation that is always the same',
    [],
    `create or replace function kist_org() returns integer language sql stable as 'select ${ORG}'`,
    () => [],
  ],
  [
    'I11',
    'a phone that was given more than is wanted',
    [],
    'update device_reports set told_revision = told_revision + 5 where device_id = $1',
    ({ late }) => [late.deviceId],
  ],
  [
    'I11',
    'a phone at another level that is taken to fit',
    [],
    'update device_reports set lock_level = 4, unfit_polls = 0 where device_id = $1',
    ({ paid }) => [paid.deviceId],
  ],
  [
    'I11',
    'a vendor that was given another level under this very number',
    ['enrolments'],
    `with v as (update enrolments set vendor = 'guard', handle = 'x', public_key_spki = null where device_id = $1 and ended_at is null returning org_id, enrolment_id, device_id)
     insert into deliveries (org_id, enrolment_id, device_id, vendor, priority, queued_at, revision, level)
     select v.org_id, v.enrolment_id, v.device_id, 'guard', 1, kist_now(), w.revision, 4 from v join device_desired w using (org_id, device_id)
     on conflict (org_id, enrolment_id) do update set revision = excluded.revision, level = 4`,
    ({ paid }) => [paid.deviceId],
  ],
];
