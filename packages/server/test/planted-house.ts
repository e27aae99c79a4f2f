import type { Actor } from '#server/identity/identity.ts';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { TestDatabase } from './database.ts';
import { GUARDED } from './books.ts';

/** Many shops of one size in an organisation that exists, written in a few statements: enough of them that a statement which reads all is seen. */
export interface PlantedHouse {
  orgId: number;
  shops: number;
  /** Customers of each, with an agreement of six instalments, some of them late, some paid today. */
  perShop: number;
  /** The organisation's day. */
  today: string;
}

const id = (kind: number, n: string, part = '0') =>
  `(lpad(to_hex(${n}), 12, '0') || '7' || lpad(to_hex(${kind}), 3, '0') || '8' || lpad(to_hex(${part}), 15, '0'))::uuid`;
const DUE = `(date '2026-01-01' + (n * 7 % 120)::int + 30 * k)`;
/** When its payment was taken. */
const NOON = `(kist_day_begins(${DUE}) + interval '12 hours')`;
/** Instalments that were paid, each on its day: all but the last due of every fifth customer. */
const IS_PAID = (today: string) => `${DUE} + case when n % 5 = 0 then 30 else 0 end <= date '${today}'`;

/** Charged by the daily run once an instalment is late beyond three days. */
const PENAL = '{"version":1,"charge_paise":5000,"grace_days":3,"every_days":30,"cap_bps":500,"is_daily":true}';

/** @returns the user of the n-th shop */
export const plantedShop = ({ orgId }: PlantedHouse, n: number): Actor => {
  const userId = `${n.toString(16).padStart(12, '0').slice(0, 8)}-${n.toString(16).padStart(4, '0').slice(-4)}-7001-8000-000000000000`;
  return {
    orgId,
    userId,
    userType: 'retailer',
    visibleOwnerIds: [userId],
    language: 'en',
    access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '0' },
    lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  };
};

/** Plants it, past the guards, and brings the planner up to date. The books of what is planted are right. */
export async function plantHouse(db: TestDatabase, house: PlantedHouse): Promise<void> {
  for (const text of [...peopleOf(house), ...moneyOf(house)]) await db.plant(GUARDED, text);
  await db.asOwner('vacuum analyze');
}

function peopleOf({ orgId, shops, perShop, today }: PlantedHouse): string[] {
  const customers = `from generate_series(1, ${shops * perShop}) n`;
  const owner = id(1, `1 + n % ${shops}`);
  const policy = JSON.stringify(POLICY_PRESETS.dealer);
  return [
    `insert into penal_rules (org_id, version, charge_paise, grace_days, every_days, cap_bps, is_daily, waiver_limit_paise, set_at, set_by, reason)
     values (${orgId}, 1, 5000, 3, 30, 500, true, 0, kist_now(), 'test', 'a rule to charge by')`,
    `insert into users (org_id, user_id, user_type, mobile, first_name, shop_name) select ${orgId}, ${id(1, 'n')}, 'retailer', '+9170' || lpad(n::text, 8, '0'),
       'Sunita', 'Shop ' || n from generate_series(1, ${shops}) n`,
    `insert into customers (org_id, customer_id, owner_user_id, status, is_draft, plan_type, plan_id, first_name, last_name, mobile, search, created_at, updated_at)
     select ${orgId}, ${id(2, 'n')}, ${owner}, 1, false, 0, 1, 'Irfan', 'Shaikh', '+919' || lpad(n::text, 9, '1'), 'irfan shaikh ' || n || ' 35' || lpad(n::text, 13, '0') || ' redmi 13c', date '2026-01-01' + n * interval '1 minute', date '2026-01-01' ${customers}`,
    `insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, brand, model, created_at, enrolled_at)
     select ${orgId}, ${id(3, 'n')}, ${id(2, 'n')}, 0, '35' || lpad(n::text, 13, '0'), 'Redmi', '13C', date '2026-01-01', date '2026-01-01' ${customers}`,
    `insert into device_reports (org_id, device_id, lock_level) select ${orgId}, ${id(3, 'n')}, case when n % 9 = 0 then 3 else 0 end ${customers}`,
    `insert into device_desired (org_id, device_id, revision, lock_level, document, changed_at) select ${orgId}, ${id(3, 'n')}, 1, 0, '{}', date '2026-01-01' ${customers}`,
    `insert into device_events (org_id, device_id, event_id, kind, at) select ${orgId}, ${id(3, 'n')}, ${id(9, 'n')}, 'sim_changed', kist_now() ${customers}`,
    `insert into agreements (org_id, agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, method, frequency, rounding, cash_price_paise,
       down_payment_paise, rate_bps, tenure, delivered_on, financed_paise, emi_paise, total_interest_paise, total_payable_paise, apr_bps, policy_version, policy, penal,
       oldest_due_on, last_due_on, oldest_due_paise, outstanding_paise, paid_count, state, completed_at, created_at)
     select ${orgId}, ${id(4, 'n')}, '${orgId}-' || n, ${id(2, 'n')}, ${id(3, 'n')}, ${owner}, 0, 'ZERO', 'MONTHLY', 'RUPEE', 1200000, 0, 0, 6, date '2025-12-01',
       1200000, 200000, 0, 1200000, 0, 1, '${policy}', '${PENAL}', oldest, last, case when oldest is null then 0 else 200000 end, 200000 * (6 - paid), paid,
       case when oldest is null then 'completed' else 'active' end, case when oldest is null then kist_now() end, date '2026-01-01'
     ${customers}, lateral (select count(*) filter (where ${IS_PAID(today)})::int as paid, min(${DUE}) filter (where not (${IS_PAID(today)})) as oldest, max(${DUE}) as last
       from generate_series(1, 6) k) d`,
    `insert into notices (org_id, notice_id, agreement_id, customer_id, kind, no, due_on, channel, language, body, created_at)
     select ${orgId}, ${id(11, 'n')}, ${id(4, 'n')}, ${id(2, 'n')}, 'reminder', 1, date '2026-05-01', 'sms', 'en', 'Pay.', kist_now() ${customers}`,
  ];
}

function moneyOf({ orgId, shops, perShop, today }: PlantedHouse): string[] {
  const customers = `from generate_series(1, ${shops * perShop}) n`;
  const rows = `${customers}, generate_series(1, 6) k`;
  const till = id(5, `100 + n % ${shops}`);
  return [
    `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, paid_principal_paise, paid_on)
     select ${orgId}, ${id(4, 'n')}, k, ${id(6, 'n', 'k')}, ${DUE}, 200000, 0, 200000 * (6 - k), case when ${IS_PAID(today)} then 200000 else 0 end,
       case when ${IS_PAID(today)} then ${DUE} end ${rows}`,
    `with move as (
       insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
       select ${orgId}, ${id(10, 'n')}, 1, '', 'open', 'customer', '00000000-0000-0000-0000-000000000000', kist_now(), 'I paid.' ${customers} where n % 4 = 0)
     insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, opened_at, state, state_since)
     select ${orgId}, ${id(10, 'n')}, ${id(4, 'n')}, 1, 'I paid.', 'app', kist_now(), 'open', kist_now() ${customers} where n % 4 = 0`,
    `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side) values
       (${orgId}, ${id(5, '1')}, 'organisation', 'organisation', 'receivable_principal', 'INR', 'debit'), (${orgId}, ${id(5, '2')}, 'organisation', 'organisation', 'sales', 'INR', 'credit')`,
    `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
     select ${orgId}, ${id(5, '100 + n')}, 'user', ${id(1, '1 + n')}::text, 'clearing_cash', 'INR', 'debit' from generate_series(0, ${shops - 1}) n`,
    `with journal as (
       insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select ${orgId}, ${id(7, 'n')}, 'agreement:' || ${id(4, 'n')}, 'agreement_opened', 'agreement', ${id(4, 'n')}, date '2025-12-01', kist_now() ${customers})
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
     select ${orgId}, ${id(7, 'n')}, l.no, l.account, 'INR', l.debit, l.credit, ${id(4, 'n')}, l.bucket ${customers},
       (values (1, ${id(5, '1')}, 1200000, 0, 'principal'), (2, ${id(5, '2')}, 0, 1200000, null)) as l(no, account, debit, credit, bucket)`,
    `with journal as (
       insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select ${orgId}, ${id(7, 'n', 'k')}, 'payment:' || ${id(8, 'n', 'k')}, 'payment', 'payment', ${id(8, 'n', 'k')}, ${DUE}, ${NOON} ${rows} where ${IS_PAID(today)})
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
     select ${orgId}, ${id(7, 'n', 'k')}, l.no, l.account, 'INR', l.debit, l.credit, ${id(4, 'n')}, l.instalment, l.bucket, ${id(8, 'n', 'k')} ${rows},
       lateral (values (1, ${till}, 200000, 0, null::int, null), (2, ${id(5, '1')}, 0, 200000, k, 'principal')) as l(no, account, debit, credit, instalment, bucket)
     where ${IS_PAID(today)}`,
    `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, receipt_no)
     select ${orgId}, ${id(8, 'n', 'k')}, ${id(4, 'n')}, ${id(2, 'n')}, 200000, 'CASH', ${DUE}, ${DUE}, ${NOON}, ${id(1, `1 + n % ${shops}`)},
       kist_financial_year(${DUE}) || '/' || n % ${shops} || '/' || row_number() over (partition by n % ${shops}, kist_financial_year(${DUE}) order by n, k) ${rows} where ${IS_PAID(today)}`,
    `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     select org_id, payment_id, 1, '', state, recorded_by, recorded_at, 'recorded' from payments where org_id = ${orgId}`,
    `insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
     select org_id, agreement_id, 1, '', 'active', owner_user_id, created_at, 'signed' from agreements where org_id = ${orgId}
     union all select org_id, agreement_id, 2, 'active', state, owner_user_id, completed_at, 'paid' from agreements where org_id = ${orgId} and state = 'completed'`,
    `insert into counters (org_id, name, last) select org_id, 'receipt:' || recorded_by || ':20' || left(receipt_no, 5), count(*) from payments where org_id = ${orgId} group by 1, 2`,
    `insert into counters (org_id, name, last) select org_id, 'agreement', count(*) from agreements where org_id = ${orgId} group by org_id`,
    `insert into counters (org_id, name, last) select distinct org_id, 'shop:' || recorded_by, split_part(receipt_no, '/', 2)::bigint from payments where org_id = ${orgId}`,
    `insert into counters (org_id, name, last) select org_id, 'shops', max(last) from counters where org_id = ${orgId} and name like 'shop:%' group by org_id`,
  ];
}
