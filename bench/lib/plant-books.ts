import { sqlId } from './plant-ids.ts';
import type { Shops } from './plant-shops.ts';

/** ₹12,000 financed at 18 % flat over six months: every instalment is the same. */
export const TERMS = {
  cashPaise: 14_000_00,
  downPaise: 2_000_00,
  financedPaise: 12_000_00,
  tenure: 6,
  principalPaise: 2_000_00,
  interestPaise: 180_00,
  emiPaise: 2_180_00,
  /** What a customer paid who pays in part: the interest wholly, and some of the principal. */
  partPaise: 1_000_00,
};

/** Tables that are written here in one go, past their guards and with their indexes made afterwards. */
export const PLANTED_TABLES = [
  'customers',
  'agreements',
  'agreement_moves',
  'instalments',
  'consent_confirmations',
  'consents',
  'counters',
  'penal_rules',
  'accounts',
  'journals',
  'journal_lines',
  'payments',
  'payment_moves',
  'devices',
  'device_desired',
  'device_reports',
  'notices',
  'notice_proofs',
  'verdicts',
  'locks',
];

const OWN = {
  receivable_principal: 1,
  receivable_interest: 2,
  sales: 3,
  unearned_interest: 4,
  income_interest: 5,
} as const;
const TILLS = { clearing_cash: 1_000_000, clearing_upi: 2_000_000 } as const;

/** Accounts, the opening journal of every agreement, then payments with theirs: the lines are those that signing and paying post. */
export function bookStatements(shops: Shops): string[] {
  return [...accountStatements(shops), ...openingStatements(shops), ...paymentStatements(shops)];
}

function accountStatements({ orgId, shops }: Shops): string[] {
  const debits = ['receivable_principal', 'receivable_interest'];
  const own = Object.entries(OWN).map(
    ([code, n]) =>
      `(${orgId}, ${sqlId(orgId, 'account', String(n))}, 'organisation', 'organisation', '${code}', 'INR', '${debits.includes(code) ? 'debit' : 'credit'}')`,
  );
  return [
    `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side) values ${own.join(', ')}`,
    ...Object.entries(TILLS).map(
      ([code, from]) => `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
        select ${orgId}, ${sqlId(orgId, 'account', `${from} + n`)}, 'user', ${sqlId(orgId, 'user', 'n')}::text, '${code}', 'INR', 'debit' from generate_series(1, ${shops}) n`,
    ),
  ];
}

/** A line as SQL: number, account, debit, credit, instalment, bucket. */
type Line = [no: number, account: string, debit: string, credit: string, instalment: string, bucket: string];
const linesFrom = (lines: readonly Line[]): string =>
  `lateral (values ${lines.map((line) => `(${line.join(', ')})`).join(', ')}) as l(line_no, account_id, debit, credit, instalment_no, bucket)`;

function openingStatements({ orgId }: Shops): string[] {
  const own = (code: keyof typeof OWN) => sqlId(orgId, 'account', String(OWN[code]));
  const interest = TERMS.interestPaise * TERMS.tenure;
  const lines: Line[] = [
    [1, own('receivable_principal'), `${TERMS.financedPaise}`, '0', 'null::int', `'principal'`],
    [2, own('receivable_interest'), `${interest}`, '0', 'null', `'interest'`],
    [3, sqlId(orgId, 'account', `${TILLS.clearing_cash} + s.shop`), `${TERMS.downPaise}`, '0', 'null', 'null'],
    [4, own('sales'), '0', `${TERMS.cashPaise}`, 'null', 'null'],
    [5, own('unearned_interest'), '0', `${interest}`, 'null', 'null'],
  ];
  return [
    `insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
     select ${orgId}, journal_id, 'agreement:' || agreement_id, 'agreement_opened', 'agreement', agreement_id, delivered_on, delivered_on + interval '6 hours'
     from bench_sold order by n`,
    `insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
     select ${orgId}, s.journal_id, l.line_no, l.account_id, 'INR', l.debit, l.credit, s.agreement_id, l.bucket
     from (select * from bench_sold order by n) s, ${linesFrom(lines)}`,
  ];
}

/** Every instalment that is paid was paid on its day; two of three in cash, the last in part where the sale says so. */
function paymentStatements(shops: Shops): string[] {
  const { orgId } = shops;
  const { tenure, emiPaise, partPaise } = TERMS;
  return [
    `create unlogged table bench_paid as
     with due as (
       select n, shop, user_id, agreement_id, customer_id, k, (delivered_on + make_interval(months => k))::date as paid_on,
         case when k <= paid then ${emiPaise} else ${partPaise} end as amount, n % 3 = 0 as is_upi
       from bench_sold, generate_series(1, ${tenure}) k where k <= paid or (k = paid + 1 and is_part)
     ), dated as (
       select *, extract(year from paid_on - interval '3 months')::int as year from due
     )
     select *, ${sqlId(orgId, 'payment', 'n', 'k')} as payment_id, ${sqlId(orgId, 'journal', 'n', 'k')} as journal_id,
       row_number() over (partition by shop, year order by paid_on, n) as receipt
     from dated`,
    `analyze bench_paid`,
    ...paidStatements(shops),
  ];
}

function paidStatements({ orgId, shops }: Shops): string[] {
  const receiptNo = `to_char(p.year % 100, 'FM00') || '-' || to_char((p.year + 1) % 100, 'FM00') || '/' || lpad(p.shop::text, greatest(2, length(p.shop::text)), '0') || '/' || lpad(p.receipt::text, greatest(4, length(p.receipt::text)), '0')`;
  const own = (code: keyof typeof OWN) => sqlId(orgId, 'account', String(OWN[code]));
  const till = sqlId(
    orgId,
    'account',
    `case when p.is_upi then ${TILLS.clearing_upi} else ${TILLS.clearing_cash} end + p.shop`,
  );
  const interest = String(TERMS.interestPaise);
  const lines: Line[] = [
    [1, till, 'p.amount', '0', 'null::int', 'null'],
    [2, own('receivable_interest'), '0', interest, 'p.k', `'interest'`],
    [3, own('receivable_principal'), '0', `p.amount - ${interest}`, 'p.k', `'principal'`],
    [4, own('unearned_interest'), interest, '0', 'null', 'null'],
    [5, own('income_interest'), '0', interest, 'null', 'null'],
  ];
  return [
    `insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
     select ${orgId}, journal_id, 'payment:' || payment_id, 'payment', 'payment', payment_id, paid_on, paid_on + interval '7 hours' from bench_paid order by n, k`,
    `insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
     select ${orgId}, p.journal_id, l.line_no, l.account_id, 'INR', l.debit, l.credit, p.agreement_id, l.instalment_no, l.bucket, p.payment_id
     from (select * from bench_paid order by n, k) p, ${linesFrom(lines)}`,
    `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_at, recorded_by, receipt_no, receipt)
     select ${orgId}, p.payment_id, p.agreement_id, p.customer_id, p.amount, case when p.is_upi then 'UPI' else 'CASH' end, '', p.paid_on + interval '7 hours', p.paid_on,
       p.paid_on + interval '7 hours', p.user_id, ${receiptNo},
       jsonb_build_object('payment_id', p.payment_id, 'receipt_no', ${receiptNo}, 'amount_paise', p.amount, 'paid_at', p.paid_on, 'outstanding_paise', 0,
         'overdue_paise', 0, 'allocations', jsonb_build_array(jsonb_build_object('instalment_no', p.k, 'bucket', 'interest', 'paise', ${interest}),
           jsonb_build_object('instalment_no', p.k, 'bucket', 'principal', 'paise', p.amount - ${interest})), 'advance_paise', 0, 'unlock', null, 'agreement_state', 'active',
         'warnings', '[]'::jsonb, 'share_text', 'Sunita Mobile: received Rs. 2,180. Thank you.')
     from bench_paid p order by n, k`,
    `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     select ${orgId}, payment_id, 1, '', 'posted', user_id, paid_on + interval '7 hours', 'recorded' from bench_paid order by n, k`,
    `insert into counters (org_id, name, last) select ${orgId}, 'receipt:' || user_id || ':' || year || '-' || to_char((year + 1) % 100, 'FM00'), max(receipt)
     from bench_paid group by user_id, year`,
    `insert into counters (org_id, name, last) select ${orgId}, 'shop:' || ${sqlId(orgId, 'user', 'n')}, n from generate_series(1, ${shops}) n`,
    `insert into counters (org_id, name, last) values (${orgId}, 'shops', ${shops})`,
  ];
}
