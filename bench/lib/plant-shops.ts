import { createHash } from 'node:crypto';
import type pg from 'pg';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { type IsoDate, businessDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { PLANTED_TABLES, TERMS, bookStatements } from './plant-books.ts';
import { sqlId } from './plant-ids.ts';
import { withoutIndexes } from './plant-indexes.ts';

/**
 * One organisation with many shops and a book of running instalments, as months of selling and paying leave it: schedules with interest, payments with
 * receipts and their journals, late customers with the notice they had, phones held for it. Written in set SQL, a million agreements in minutes; the
 * product's own check of the books finds nothing in it (`daily-run` says so each time it plants).
 *
 * Left out because nothing measured reads it: keys and their journals, audit chains, consents' documents.
 */
export interface Shops {
  orgId: number;
  agreements: number;
  shops: number;
}

/** @returns the bearer token of the n-th shop */
export const shopTokenOf = (orgId: number, n: number): string =>
  `${orgId.toString(36)}.${createHash('sha256').update(`${orgId} shop ${n}`).digest('base64url')}`;

/** Charged by the daily run, and stamped on every agreement. */
const PENAL = { version: 1, charge_paise: 50_00, grace_days: 3, every_days: 30, cap_bps: 500, is_daily: true };
const policy = JSON.stringify(POLICY_PRESETS.dealer).replaceAll("'", "''");

/** Writes the organisation as the owner of the database; then brings the planner up to date. @returns the seconds it took */
export async function plantShops(client: pg.Client, shops: Shops): Promise<number> {
  const startedAt = performance.now();
  const { rows } = await client.query<{ now: Date }>('select kist_now() as now');
  const today = businessDate(rows[0]!.now.getTime());
  // What is planted is thrown away after the run: it need not survive a power cut while it is made.
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set max_parallel_maintenance_workers = 2`,
  );
  await client.query(soldTable(shops, today));
  await client.query('analyze bench_sold');
  await withoutIndexes(client, PLANTED_TABLES, async () => {
    for (const text of [
      ...shopStatements(shops, today),
      ...saleStatements(shops),
      ...bookStatements(shops),
      ...phoneStatements(shops),
      ...heldStatements(shops),
    ])
      await client.query(text);
  });
  await client.query('drop table bench_sold, bench_paid');
  await client.query('reset all');
  await client.query('vacuum (analyze, parallel 0)');
  return (performance.now() - startedAt) / 1000;
}

/**
 * What is sold, one row for each agreement, with what follows from its day: a fiftieth was sold long ago, the rest in the last hundred days. Of ten
 * customers one is an instalment late, one two, one paid the last in part.
 */
function soldTable({ orgId, agreements, shops }: Shops, today: IsoDate): string {
  const id = (kind: Parameters<typeof sqlId>[1]) => sqlId(orgId, kind, 'n');
  return `
    create unlogged table bench_sold as
    with sale as (
      select n, 1 + n % ${shops} as shop, n / ${shops} as i from generate_series(1, ${agreements}) n
    ), aged as (
      select *, (i * 37 % 101) % 10 as class, date '${today}' - (case when i % 50 = 49 then 230 else 5 + i % 100 end) as delivered_on from sale
    ), counted as (
      select *, (select count(*)::int from generate_series(1, ${TERMS.tenure}) k where (delivered_on + make_interval(months => k))::date < date '${today}') as passed
      from aged
    ), settled as (
      select *, greatest(0, passed - case class when 0 then 1 when 1 then 2 when 2 then 1 else 0 end) as paid, class = 2 and passed > 0 as is_part from counted
    )
    select n, shop, i, delivered_on, passed, paid, is_part, paid = ${TERMS.tenure} as is_completed,
      case when paid < ${TERMS.tenure} then (delivered_on + make_interval(months => paid + 1))::date end as oldest_due_on,
      (delivered_on + make_interval(months => ${TERMS.tenure}))::date as last_due_on,
      ${id('agreement')} as agreement_id, ${id('customer')} as customer_id, ${id('device')} as device_id, ${id('journal')} as journal_id,
      ${sqlId(orgId, 'user', `1 + n % ${shops}`)} as user_id
    from settled`;
}

function shopStatements({ orgId, shops }: Shops, today: IsoDate): string[] {
  const hashes = Array.from(
    { length: shops },
    (_, i) =>
      `'\\x${createHash('sha256')
        .update(shopTokenOf(orgId, i + 1))
        .digest('hex')}'`,
  );
  return [
    `insert into org_directory (org_id, slug, name) values (${orgId}, 'shops-${orgId}', 'Shops')`,
    `insert into organisations (org_id, org_name, company_name, daily_run_on) values (${orgId}, 'Shops', 'Shops', date '${today}' - 1)`,
    `insert into daily_steps (org_id, business_on, step, finished_at) select ${orgId}, date '${today}' - 1, step, kist_now() from unnest(kist_daily_steps()) step`,
    `insert into penal_rules (org_id, version, charge_paise, grace_days, every_days, cap_bps, is_daily, waiver_limit_paise, set_at, set_by, reason)
     values (${orgId}, ${PENAL.version}, ${PENAL.charge_paise}, ${PENAL.grace_days}, ${PENAL.every_days}, ${PENAL.cap_bps}, true, 0, kist_now(), 'bench', 'a rule to charge by')`,
    `insert into plans (org_id, plan_id, plan_type, name) values (${orgId}, 1, ${PLAN.DPC}, 'EMI phone')`,
    `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name, upi_id, user_access)
     select ${orgId}, ${sqlId(orgId, 'user', 'n')}, 'retailer', ${mobileOf(orgId, 'n')}, 'Sunita', ${nameOf('n')}, '${UPI_ID}',
       '{"feature_access":"1","lock_unlock":"1","unistall":"1","active_deactive":"1","bulk_retailer":"1"}' from generate_series(1, ${shops}) n`,
    `insert into sessions (org_id, session_id, user_id, token_hash, device, ip, created_at, last_seen_at, expires_at)
     select ${orgId}, ${sqlId(orgId, 'session', 'n')}, ${sqlId(orgId, 'user', 'n')}, hash, '{}', '127.0.0.1', now(), now(), now() + interval '30 days'
     from unnest(array[${hashes.join(', ')}]::bytea[]) with ordinality as t(hash, n)`,
  ];
}

function saleStatements({ orgId }: Shops): string[] {
  const { cashPaise, downPaise, financedPaise, emiPaise, principalPaise, interestPaise, tenure, partPaise } = TERMS;
  const payable = financedPaise + interestPaise * tenure;
  const names = `(array['Irfan','Asha','Ravi','Meena','Sunil','Farah','Kiran','Deepa'])[1 + n % 8]`;
  const families = `(array['Shaikh','Patil','Kumar','Rao','Singh','Das','Nair'])[1 + n % 7]`;
  return [
    `insert into customers (org_id, customer_id, owner_user_id, status, is_draft, plan_type, plan_id, first_name, last_name, mobile, search, created_at, updated_at)
     select ${orgId}, customer_id, user_id, 1, false, ${PLAN.DPC}, 1, ${names}, ${families}, '+919' || lpad(n::text, 9, '1'),
       lower(${names} || ' ' || ${families}) || ' +919' || lpad(n::text, 9, '1') || ' 35' || lpad(n::text, 13, '0') || ' ${orgId}-' || lpad(n::text, 7, '0') || ' redmi 13c', delivered_on + interval '6 hours', delivered_on + interval '6 hours'
     from bench_sold`,
    `insert into agreements (org_id, agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, state, method, frequency, rounding, cash_price_paise,
       down_payment_paise, rate_bps, tenure, delivered_on, financed_paise, emi_paise, total_interest_paise, total_payable_paise, apr_bps, policy_version, policy, penal,
       oldest_due_on, last_due_on, oldest_due_paise, outstanding_paise, paid_count, completed_at, created_at,
       schedule_engine)
     select ${orgId}, agreement_id, '${orgId}-' || lpad(n::text, 7, '0'), customer_id, device_id, user_id, ${PLAN.DPC},
       case when is_completed then 'completed' else 'active' end, 'FLAT', 'MONTHLY', 'RUPEE', ${cashPaise}, ${downPaise}, 1800, ${tenure}, delivered_on, ${financedPaise},
       ${emiPaise}, ${interestPaise * tenure}, ${payable}, 3019, 1, '${policy}', '${JSON.stringify(PENAL)}', oldest_due_on, last_due_on,
       case when is_completed then 0 else ${emiPaise} - is_part::int * ${partPaise} end, ${payable} - paid * ${emiPaise} - is_part::int * ${partPaise}, paid,
       case when is_completed then last_due_on + interval '7 hours' end, delivered_on + interval '6 hours',
       -- No engine reckoned these rows.
       null from bench_sold order by n`,
    // As those of before they were named.
    `create or replace function kist_engines_are_named_since() returns timestamptz language sql immutable parallel safe as $f$ select timestamptz 'infinity' $f$`,
    `insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
     select ${orgId}, agreement_id, m.no, m.from_state, m.to_state, user_id, case m.no when 1 then delivered_on else last_due_on end + interval '7 hours', m.reason
     from bench_sold, lateral (values (1, '', 'active', 'signed'), (2, 'active', 'completed', 'paid')) as m(no, from_state, to_state, reason)
     where m.no = 1 or is_completed order by n, m.no`,
    `insert into counters (org_id, name, last) select ${orgId}, 'agreement', count(*) from bench_sold`,
    `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, confirmed_at, confirmed_by)
     select ${orgId}, ${sqlId(orgId, 'confirmation', 'n')}, customer_id, '+919' || lpad(n::text, 9, '1'), '1', sha256('clause'), 'en', delivered_on + interval '6 hours', user_id
     from bench_sold order by n`,
    `insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id, confirmation_id)
     select ${orgId}, ${sqlId(orgId, 'consent', 'n')}, agreement_id, '1', sha256('clause'), 'en', 'signature', delivered_on + interval '6 hours',
       ${sqlId(orgId, 'consent', 'n', '1')}, ${sqlId(orgId, 'confirmation', 'n')} from bench_sold order by n`,
    `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, paid_principal_paise,
       paid_interest_paise, paid_on)
     select ${orgId}, agreement_id, k, ${sqlId(orgId, 'instalment', 'n', 'k')}, (delivered_on + make_interval(months => k))::date, ${principalPaise}, ${interestPaise},
       ${financedPaise} - k * ${principalPaise},
       case when k <= paid then ${principalPaise} when k = paid + 1 and is_part then ${partPaise - interestPaise} else 0 end,
       case when k <= paid or (k = paid + 1 and is_part) then ${interestPaise} else 0 end,
       case when k <= paid then (delivered_on + make_interval(months => k))::date end
     from bench_sold, generate_series(1, ${tenure}) k order by n, k`,
  ];
}

const FREE = {
  lock: { level: 0, cause: null, screen: null },
  toggles: { camera_lock: false, app_lock: false, wallpaper: false },
  wallpaper_text: null,
  released: false,
};
/** Of a phone that is late beyond this, its policy has taken everything. */
const HELD_FROM_DAYS = 9;
const HELD_LEVEL = 4;
const REVISION = 5;
const HELD = `(not is_completed and oldest_due_on < kist_today() - ${HELD_FROM_DAYS})`;

/** What is overdue on a sale as a phone's lease says it. */
const overduePaise = `((passed - paid) * ${TERMS.emiPaise} - is_part::int * ${TERMS.partPaise})`;

function phoneStatements({ orgId }: Shops): string[] {
  const screen = screenOf(orgId);
  return [
    `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, brand, model, created_at, enrolled_at, first_enrolled_at, released_at)
     select ${orgId}, device_id, customer_id, ${PROVISIONING.DPC}, '35' || lpad(n::text, 13, '0'), 'Redmi', '13C', delivered_on + interval '6 hours',
       delivered_on + interval '6 hours', delivered_on + interval '6 hours', case when is_completed then last_due_on + interval '6 hours' end from bench_sold order by n`,
    `insert into device_reports (org_id, device_id, revision, lock_level, lock_cause, boot_count, elapsed_ms, told_revision, reported_at, last_seen_at, agent_version, battery, sims, toggles)
     select ${orgId}, device_id, ${REVISION}, coalesce(level, 0), case when level is not null then 'debt' end, 1, 0, ${REVISION}, kist_now(), kist_now(), '1.0.0', 80,
       '[{"slot":0,"iccid":"89910000000000000017","operator":"Jio"}]', '{"camera_lock":false,"app_lock":false,"wallpaper":false}'
     from (select *, case when ${HELD} then ${HELD_LEVEL} end as level from bench_sold) s order by n`,
    `insert into device_desired (org_id, device_id, revision, lock_level, document, lease, lease_seq, changed_at, lock_changed_at)
     select ${orgId}, device_id, ${REVISION}, coalesce(level, 0),
       case when is_completed then '${JSON.stringify({ ...FREE, released: true })}'::jsonb when level is null then '${JSON.stringify(FREE)}'::jsonb else jsonb_set('${JSON.stringify(FREE)}'::jsonb, '{lock}',
         jsonb_build_object('level', level, 'cause', 'debt', 'screen', ${screen})) end,
       json_build_object('valid_until', to_char((kist_now() + make_interval(days => 30 + (n % 30)::int)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
         'reminders', '[]'::json, 'notices', '[]'::json, 'ladder', '[]'::json, 'screen', case when is_completed then null else ${screen} end),
       1, delivered_on + interval '6 hours', delivered_on + interval '6 hours'
     from (select *, case when ${HELD} then ${HELD_LEVEL} end as level from bench_sold) s order by n`,
  ];
}

/** What a shop is called, and where it is paid, as its customers' phones say too: another would be told to each of them. */
const nameOf = (shop: string): string => `'Sunita Mobile ' || ${shop}`;
const UPI_ID = 'sunita@upi';
/** A shop's own number, which its customers' phones say to call. */
const mobileOf = (orgId: number, shop: string): string =>
  `'+919' || lpad((${orgId}::bigint * 1000000 + ${shop})::text, 9, '0')`;

const screenOf = (
  orgId: number,
): string => `jsonb_build_object('language', 'en', 'shop', ${nameOf('shop')}, 'shop_phone', ${mobileOf(orgId, 'shop')}, 'agreement_no', n, 'amount_paise', ${overduePaise},
  'due_since', oldest_due_on, 'instalments_due', passed - paid, 'upi_uri', case when ${overduePaise} > 0 then 'upi://pay?pa=${UPI_ID}&' end, 'reason', 'EMI_OVERDUE')`;

/** What late customers were told, and what their phones are held on. */
function heldStatements({ orgId }: Shops): string[] {
  const verdict = {
    allowed: true,
    rule: 'OVERDUE_STEP',
    explain: {},
    requested_level: HELD_LEVEL,
    trigger: 'automatic',
  };
  return [
    `insert into notices (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at, sent_at, delivered_at, provider_ref, proof)
     select ${orgId}, ${sqlId(orgId, 'notice', 'n')}, agreement_id, customer_id, 'notice', 1, oldest_due_on, 'sms', 'en', 'Please pay.', oldest_due_on + 1, oldest_due_on + 1,
       oldest_due_on + 1, '${orgId}-' || n, '{"by":"sms_gateway"}' from bench_sold where not is_completed and oldest_due_on < kist_today() - 1 order by n`,
    `insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, is_number_confirmed, proof)
     select org_id, ${sqlId(orgId, 'proof', 'row_number() over (order by notice_id)')}, notice_id, agreement_id, kind, no, due_on, channel, 'delivered', delivered_at, true, proof
     from notices where org_id = ${orgId} and kind = 'notice'`,
    `insert into verdicts (org_id, verdict_id, device_id, agreement_id, revision, allowed, rule, facts, verdict, decided_at)
     select ${orgId}, ${sqlId(orgId, 'verdict', 'n')}, device_id, agreement_id, ${REVISION}, true, 'OVERDUE_STEP', '{"request":{"reason":"EMI_OVERDUE"}}', '${JSON.stringify(verdict)}', oldest_due_on + ${HELD_FROM_DAYS - 2}
     from bench_sold where ${HELD} order by n`,
    `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, verdict_id)
     select ${orgId}, device_id, 'debt', ${HELD_LEVEL}, oldest_due_on + ${HELD_FROM_DAYS - 2}, agreement_id, 'EMI_OVERDUE', ${sqlId(orgId, 'verdict', 'n')}
     from bench_sold where ${HELD} order by n`,
  ];
}
