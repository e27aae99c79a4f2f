import { createHash } from 'node:crypto';
import type pg from 'pg';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { addDays, businessDate, type IsoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { putGuardsAside } from '@kist/server/measured';

/** A shop of one's own choosing, written in a few statements: 100,000 phones in seconds. Its ids follow from its numbers, so no list need be fetched. */
export interface Fleet {
  orgId: number;
  phones: number;
  /** Customers are shared out among them, in turn. */
  retailers: number;
  /** 2: overdue, warned and reminded, so that a person may lock it now. 3: locked. 0: nothing wanted. */
  level: 0 | 2 | 3;
  /** DER of the key that every phone of the fleet signs with. */
  spki: Buffer;
  /** Opening journals too, as payments need them. */
  hasBooks: boolean;
}

/** Weekly instalments without interest. Delivered 40 days ago: five are overdue, the oldest for 33 days. */
export const EMI_PAISE = 1000_00;
export const TENURE = 12;
export const OVERDUE_COUNT = 5;
const DOWN_PAISE = 2000_00;
const DELIVERED_DAYS_AGO = 40;
const FIRST_DUE_DAYS_AGO = 33;

type Kind =
  | 'customer'
  | 'phone'
  | 'agreement'
  | 'enrolment'
  | 'user'
  | 'session'
  | 'consent'
  | 'confirmation'
  | 'signature'
  | 'notice'
  | 'verdict'
  | 'journal'
  | 'account';
/** As the product's ids do, these begin with a time: the n-th phone was sold, with all that belongs to it, n ms after this. */
const FIRST_SALE_MS = 1_750_000_000_000;
/** @returns the id of the n-th of its kind, a UUID of version 7 that the database makes of the same words. */
export function idOf(orgId: number, kind: Kind | `instalment-${number}`, n: number): string {
  const hex = createHash('md5').update(`${orgId} ${kind} ${n}`).digest('hex');
  const time = (FIRST_SALE_MS + n).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
/** @returns the bearer token of the n-th retailer */
export const tokenOf = (orgId: number, n: number): string =>
  `${orgId.toString(36)}.${createHash('sha256').update(`${orgId} token ${n}`).digest('base64url')}`;
export const retailerOf = ({ retailers }: Pick<Fleet, 'retailers'>, phone: number): number => 1 + (phone % retailers);
export const keyidOf = (orgId: number, n: number): string => `${orgId}.${idOf(orgId, 'enrolment', n)}`;
/** The revision that the planted phones are at and report. */
export const PLANTED_REVISION = 5;

/** The same in SQL, of expressions. */
export const sqlIdOf = (orgId: string, kind: string, n: string): string =>
  `overlay(overlay(overlay(md5(${orgId} || ' ' || ${kind} || ' ' || ${n}) placing lpad(to_hex(${FIRST_SALE_MS} + ${n}), 12, '0') from 1)
    placing '7' from 13) placing '8' from 17)::uuid`;
const ID_FUNCTION = `create or replace function pg_temp.id(org int, kind text, n bigint) returns uuid language sql immutable as $$
  select ${sqlIdOf('org', 'kind', 'n')} $$`;

const PAST = [
  'agreements',
  'consent_confirmations',
  'key_reservations',
  'journals',
  'journal_lines',
  'agreement_moves',
];

/** Writes the fleet as the owner of the database, past constraints that would only cost time; then brings the planner up to date. */
export async function plant(client: pg.Client, fleet: Fleet): Promise<void> {
  const { rows: clock } = await client.query<{ now: Date }>('select kist_now() as now');
  const today = businessDate(clock[0]!.now.getTime());
  await client.query(ID_FUNCTION);
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  // Nobody was sent a code, keys were spent without journals, down payments stand as the first builds booked them, sales were signed before, and all of it is of the days it is about.
  const putBack = await putGuardsAside(client, PAST);
  for (const [text, ...values] of shopStatements(fleet, today)) await client.query(text, values);
  for (const [text, ...values] of phoneStatements(fleet, today)) await client.query(text, values);
  for (const [text, ...values] of stateStatements(fleet, today)) await client.query(text, values);
  if (fleet.level > 0) for (const [text, ...values] of heldStatements(fleet, today)) await client.query(text, values);
  if (fleet.hasBooks) for (const [text, ...values] of bookStatements(fleet, today)) await client.query(text, values);
  await putBack();
  await client.query('commit');
  await client.query('vacuum analyze');
}

type Statement = [text: string, ...values: unknown[]];

function shopStatements({ orgId, retailers }: Fleet, today: IsoDate): Statement[] {
  const hashes = Array.from({ length: retailers }, (_, i) =>
    createHash('sha256')
      .update(tokenOf(orgId, i + 1))
      .digest(),
  );
  return [
    [`insert into org_directory (org_id, slug, name) values ($1, 'fleet-' || $1::int, 'Fleet')`, orgId],
    [
      `insert into organisations (org_id, org_name, company_name, daily_run_on) values ($1, 'Fleet', 'Fleet', $2)`,
      orgId,
      today,
    ],
    [
      `insert into daily_steps (org_id, business_on, step, finished_at) select $1, $2, step, kist_now() from unnest(kist_daily_steps()) step`,
      orgId,
      today,
    ],
    [`insert into plans (org_id, plan_id, plan_type, name) values ($1, 1, $2, 'EMI phone')`, orgId, PLAN.DPC],
    [
      `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name, upi_id, user_access)
       select $1, pg_temp.id($1, 'user', n), 'retailer', '+919' || lpad(($1::bigint * 10000 + n)::text, 9, '0'), 'Sunita', 'Sunita Mobile', 'sunita@upi',
         '{"feature_access":"1","lock_unlock":"1","unistall":"1","active_deactive":"1","bulk_retailer":"1"}' from generate_series(1, $2::int) n`,
      orgId,
      retailers,
    ],
    [
      `insert into sessions (org_id, session_id, user_id, token_hash, device, ip, created_at, last_seen_at, expires_at)
       select $1, pg_temp.id($1, 'session', n), pg_temp.id($1, 'user', n), hash, '{}', '127.0.0.1', now() - interval '1 hour', now(), now() + interval '30 days'
       from unnest($2::bytea[]) with ordinality as t(hash, n)`,
      orgId,
      hashes,
    ],
  ];
}

function phoneStatements({ orgId, phones, retailers, spki, hasBooks }: Fleet, today: IsoDate): Statement[] {
  const deliveredOn = addDays(today, -DELIVERED_DAYS_AGO);
  const owner = `pg_temp.id($1, 'user', 1 + n % ${retailers})`;
  const series = `from generate_series(1, $2::int) n`;
  const financed = EMI_PAISE * TENURE;
  // Spent without journals: not where the check of the books will hold them against each other.
  const keysSpent: Statement = [
    `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
     select $1, pg_temp.id($1, 'customer', n), ${owner}, $3, 'paid', 'posted', $4::date, $4::date, $4::date ${series}`,
    orgId,
    phones,
    PLAN.DPC,
    deliveredOn,
  ];
  return [
    [
      `insert into customers (org_id, customer_id, owner_user_id, status, is_draft, plan_type, plan_id, first_name, last_name, mobile, search, created_at, updated_at)
       select $1, pg_temp.id($1, 'customer', n), ${owner}, 1, false, $3, 1, 'Irfan', 'Shaikh', '+919' || lpad(n::text, 9, '1'), 'irfan shaikh', $4::date, $4::date ${series}`,
      orgId,
      phones,
      PLAN.DPC,
      deliveredOn,
    ],
    [
      `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, brand, model, created_at, enrolled_at)
       select $1, pg_temp.id($1, 'phone', n), pg_temp.id($1, 'customer', n), $3, '35' || lpad(n::text, 13, '0'), 'Redmi', '13C', $4::date, $4::date ${series}`,
      orgId,
      phones,
      PROVISIONING.DPC,
      deliveredOn,
    ],
    ...(hasBooks ? [] : [keysSpent]),
    [
      `insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, grade, started_at)
       select $1, pg_temp.id($1, 'enrolment', n), pg_temp.id($1, 'phone', n), $3, 'software', $4::date ${series}`,
      orgId,
      phones,
      spki,
      deliveredOn,
    ],
    [
      `insert into agreements (org_id, agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, method, frequency, rounding, cash_price_paise,
         down_payment_paise, rate_bps, tenure, delivered_on, financed_paise, emi_paise, total_interest_paise, total_payable_paise, apr_bps, policy_version, policy,
         oldest_due_on, last_due_on, oldest_due_paise, outstanding_paise, created_at)
       select $1, pg_temp.id($1, 'agreement', n), $1 || '-' || lpad(n::text, 7, '0'), pg_temp.id($1, 'customer', n), pg_temp.id($1, 'phone', n), ${owner}, $3, 'ZERO',
         'WEEKLY', 'RUPEE', $4::bigint + $5::bigint, $5, 0, ${TENURE}, $6::date, $4, ${EMI_PAISE}, 0, $4, 0, 1, $7, $6::date + 7, $6::date + ${7 * TENURE},
         ${EMI_PAISE}, $4, $6::date ${series}`,
      orgId,
      phones,
      PLAN.DPC,
      financed,
      DOWN_PAISE,
      deliveredOn,
      JSON.stringify(POLICY_PRESETS.dealer),
    ],
    [
      `insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
       select $1, pg_temp.id($1, 'agreement', n), 1, '', 'active', ${owner}, $3::date, 'signed' ${series}`,
      orgId,
      phones,
      deliveredOn,
    ],
    [
      `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise)
       select $1, pg_temp.id($1, 'agreement', n), k, pg_temp.id($1, 'instalment-' || k, n), $3::date + 7 * k, ${EMI_PAISE}, 0, ${EMI_PAISE} * (${TENURE} - k)
       ${series}, generate_series(1, ${TENURE}) k order by n, k`,
      orgId,
      phones,
      deliveredOn,
    ],
    [
      `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, confirmed_at, confirmed_by)
       select $1, pg_temp.id($1, 'confirmation', n), pg_temp.id($1, 'customer', n), '+919' || lpad(n::text, 9, '1'), '1', sha256('clause'), 'en', $3::date, ${owner} ${series}`,
      orgId,
      phones,
      deliveredOn,
    ],
    [
      `insert into consents (org_id, consent_id, agreement_id, text_version, text_hash, language, method, accepted_at, document_id, confirmation_id)
       select $1, pg_temp.id($1, 'consent', n), pg_temp.id($1, 'agreement', n), '1', sha256('clause'), 'en', 'signature', $3::date,
         pg_temp.id($1, 'signature', n), pg_temp.id($1, 'confirmation', n) ${series}`,
      orgId,
      phones,
      deliveredOn,
    ],
  ];
}

const dayOf = (today: IsoDate, daysAgo: number) => addDays(today, -daysAgo);

/** What a held phone is held on: notice, verdict, lock. */
function heldStatements(fleet: Fleet, today: IsoDate): Statement[] {
  const { orgId, phones, level } = fleet;
  const verdict = {
    allowed: true,
    rule: 'OVERDUE_STEP',
    explain: {},
    requested_level: level,
    days_past_due: FIRST_DUE_DAYS_AGO,
    trigger: 'automatic',
  };
  const series = `from generate_series(1, $2::int) n`;
  return [
    [
      `insert into notices (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at, sent_at, delivered_at, provider_ref, proof)
       select $1, pg_temp.id($1, 'notice', n), pg_temp.id($1, 'agreement', n), pg_temp.id($1, 'customer', n), 'notice', 1, $3::date, 'sms', 'en', 'Please pay.', $4::date,
         $4::date, $4::date, $1 || '-' || n, '{"by":"sms_gateway"}' ${series}`,
      orgId,
      phones,
      dayOf(today, FIRST_DUE_DAYS_AGO),
      dayOf(today, FIRST_DUE_DAYS_AGO - 2),
    ],
    [
      `insert into verdicts (org_id, verdict_id, device_id, agreement_id, revision, allowed, rule, facts, verdict, decided_at)
       select $1, pg_temp.id($1, 'verdict', n), pg_temp.id($1, 'phone', n), pg_temp.id($1, 'agreement', n), ${PLANTED_REVISION}, true, 'OVERDUE_STEP', '{"request":{"reason":"EMI_OVERDUE"}}', $3, $4::date ${series}`,
      orgId,
      phones,
      JSON.stringify(verdict),
      dayOf(today, FIRST_DUE_DAYS_AGO - 5),
    ],
    [
      `insert into locks (org_id, device_id, cause, level, level_since, agreement_id, reason, verdict_id)
       select $1, pg_temp.id($1, 'phone', n), 'debt', ${level}, $3::date, pg_temp.id($1, 'agreement', n), 'EMI_OVERDUE', pg_temp.id($1, 'verdict', n) ${series}`,
      orgId,
      phones,
      dayOf(today, FIRST_DUE_DAYS_AGO - 5),
    ],
  ];
}

const FREE = {
  lock: { level: 0, cause: null, screen: null },
  toggles: { camera_lock: false, app_lock: false, wallpaper: false },
  wallpaper_text: null,
  released: false,
};

function stateStatements({ orgId, phones, level }: Fleet, today: IsoDate): Statement[] {
  const screen = {
    language: 'en',
    shop: 'Sunita Mobile',
    shop_phone: '+919000000000',
    agreement_no: `${orgId}-000001`,
    amount_paise: EMI_PAISE * OVERDUE_COUNT,
    due_since: dayOf(today, FIRST_DUE_DAYS_AGO),
    instalments_due: OVERDUE_COUNT,
    upi_uri: null,
    reason: 'EMI_OVERDUE',
  };
  const document = level === 0 ? FREE : { ...FREE, lock: { level, cause: 'debt', screen } };
  return [
    [
      `insert into device_desired (org_id, device_id, revision, lock_level, document, changed_at, lock_changed_at)
       select $1, pg_temp.id($1, 'phone', n), ${PLANTED_REVISION}, $3, $4, $5::date, $5::date from generate_series(1, $2::int) n`,
      orgId,
      phones,
      level,
      JSON.stringify(document),
      dayOf(today, 20),
    ],
    [
      `insert into device_reports (org_id, device_id, revision, lock_level, lock_cause, boot_count, elapsed_ms, told_revision, reported_at, last_seen_at, agent_version, battery, sims, toggles)
       select $1, pg_temp.id($1, 'phone', n), ${PLANTED_REVISION}, $3::int, case when $3::int > 0 then 'debt' end, 1, 0, ${PLANTED_REVISION}, kist_now(), kist_now(), '1.0.0', 80,
         '[{"slot":0,"iccid":"89910000000000000017","operator":"Jio"}]', '{"camera_lock":false,"app_lock":false,"wallpaper":false}' from generate_series(1, $2::int) n`,
      orgId,
      phones,
      level,
    ],
  ];
}

/** One journal for each agreement: what the customer owes, the down payment in the till, the sale. */
function bookStatements({ orgId, phones, retailers }: Fleet, today: IsoDate): Statement[] {
  const financed = EMI_PAISE * TENURE;
  const series = `from generate_series(1, $2::int) n`;
  const line = (no: number, account: string, debit: number, credit: number, bucket = 'null'): string =>
    `(${no}, ${account}, ${debit}, ${credit}, ${bucket})`;
  const lines = [
    line(1, `pg_temp.id($1, 'account', 2)`, financed, 0, `'principal'`),
    line(2, `pg_temp.id($1, 'account', 1001 + n % ${retailers})`, DOWN_PAISE, 0),
    line(3, `pg_temp.id($1, 'account', 1)`, 0, financed + DOWN_PAISE),
  ];
  const account = (kind: string, code: string, side: string, base: number, owner: string, count: number): Statement => [
    `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
     select $1, pg_temp.id($1, 'account', ${base} + n), '${kind}', ${owner}, '${code}', 'INR', '${side}' ${series}`,
    orgId,
    count,
  ];
  return [
    account('organisation', 'sales', 'credit', 0, `'organisation'`, 1),
    account('user', 'clearing_cash', 'debit', 1_000, `pg_temp.id($1, 'user', n)::text`, retailers),
    account('organisation', 'receivable_principal', 'debit', 1, `'organisation'`, 1),
    [
      `insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select $1, pg_temp.id($1, 'journal', n), 'agreement:' || pg_temp.id($1, 'agreement', n), 'agreement_opened', 'agreement', pg_temp.id($1, 'agreement', n), $3, $3::date ${series}`,
      orgId,
      phones,
      dayOf(today, DELIVERED_DAYS_AGO),
    ],
    // All lines of a journal come in one statement.
    [
      `insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
       select $1, pg_temp.id($1, 'journal', n), l.no, l.account_id, 'INR', l.debit, l.credit, pg_temp.id($1, 'agreement', n), l.bucket
       ${series} cross join lateral (values ${lines.join(', ')}) as l(no, account_id, debit, credit, bucket)`,
      orgId,
      phones,
    ],
  ];
}
