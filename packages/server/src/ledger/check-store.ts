import { int4, int8, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const OWNED = `($owner_ids::uuid[] is null or agreement_id in (select a.agreement_id from agreements a where a.org_id = $1 and a.owner_user_id = any($owner_ids)))`;

/** Agreements whose receivables in the ledger differ from what their schedule and charges say is unpaid (invariant I3), paise. */
export const receivableDifferences = statement({
  name: 'ledger.receivable_differences',
  takes: { owner_ids: nullable(listOf(uuid)) },
  gives: { agreement_id: uuid, ledger_paise: int8, schedule_paise: int8 },
  isPlannedEachTime: true,
  text: `
    with ledger as (
      select agreement_id, sum(debit - credit)::bigint as paise from journal_lines
      where org_id = $1 and agreement_id is not null and bucket in ('principal', 'interest', 'fee', 'penal') and ${OWNED} group by agreement_id
    ), schedule as (
      select agreement_id, sum(paise)::bigint as paise from (
        select agreement_id, principal_paise + interest_paise + fee_paise - paid_principal_paise - paid_interest_paise - paid_fee_paise as paise
        from instalments where org_id = $1 and ${OWNED}
        union all
        select agreement_id, amount_paise - paid_paise from charges where org_id = $1 and ${OWNED}) part group by agreement_id
    )
    select agreement_id, coalesce(l.paise, 0) as ledger_paise, coalesce(s.paise, 0) as schedule_paise
    from ledger l full join schedule s using (agreement_id)
    where coalesce(l.paise, 0) <> coalesce(s.paise, 0) order by agreement_id`,
});

/** Buckets of an instalment or charge where the payments' lines and what is stored as paid differ, paise. */
export const dueDifferences = statement({
  name: 'ledger.due_differences',
  takes: { owner_ids: nullable(listOf(uuid)) },
  gives: { agreement_id: uuid, instalment_no: nullable(int4), bucket: text, ledger_paise: int8, stored_paise: int8 },
  isPlannedEachTime: true,
  text: `
    with ledger as (
      select agreement_id, instalment_no, bucket, charge_id, sum(credit - debit)::bigint as paise from journal_lines
      where org_id = $1 and agreement_id is not null and payment_id is not null and bucket in ('principal', 'interest', 'fee', 'penal') and ${OWNED}
      group by agreement_id, instalment_no, bucket, charge_id having sum(credit - debit) <> 0
    ), stored as (
      select i.agreement_id, i.no as instalment_no, p.bucket, null::uuid as charge_id, p.paise
      from instalments i, lateral (values ('principal', i.paid_principal_paise), ('interest', i.paid_interest_paise), ('fee', i.paid_fee_paise)) as p(bucket, paise)
      where i.org_id = $1 and p.paise <> 0 and ${OWNED}
      union all
      select agreement_id, instalment_no, 'penal', charge_id, paid_paise from charges where org_id = $1 and paid_paise <> 0 and ${OWNED}
    )
    select agreement_id, instalment_no, bucket, coalesce(l.paise, 0) as ledger_paise, coalesce(s.paise, 0) as stored_paise
    from (select agreement_id, coalesce(instalment_no, 0) as no, bucket, charge_id, paise from ledger) l
    full join (select agreement_id, instalment_no as no, bucket, charge_id, paise from stored) s using (agreement_id, no, bucket),
    lateral (select nullif(no, 0) as instalment_no) n
    where coalesce(l.paise, 0) <> coalesce(s.paise, 0)
    order by agreement_id, no, bucket`,
});

/** Wallet rows whose counts differ from the key accounts of the ledger, lot by lot. */
export const walletDifferences = statement({
  name: 'ledger.wallet_differences',
  takes: { owner_ids: nullable(listOf(uuid)) },
  gives: { user_id: uuid, plan_type: int4, code: text, lot: text, ledger: int8, wallet: int8 },
  isPlannedEachTime: true,
  text: `
    with ledger as (
      select a.owner_id::uuid as user_id, substr(l.unit, 5)::int as plan_type, a.code, coalesce(l.lot, '') as lot, sum(l.debit - l.credit)::bigint as n
      from accounts a join journal_lines l on l.org_id = $1 and l.account_id = a.account_id
      where a.org_id = $1 and a.code in ('keys_available', 'keys_reserved') group by 1, 2, 3, 4
    ), wallet as (
      select user_id, plan_type, 'keys_available' as code, lot, available::bigint as n from wallets where org_id = $1
      union all select user_id, plan_type, 'keys_reserved', lot, reserved from wallets where org_id = $1
    )
    select user_id, plan_type, code, lot, coalesce(l.n, 0) as ledger, coalesce(w.n, 0) as wallet
    from ledger l full join wallet w using (user_id, plan_type, code, lot)
    where coalesce(l.n, 0) <> coalesce(w.n, 0) and ($owner_ids::uuid[] is null or user_id = any($owner_ids))
    order by user_id, plan_type, code, lot`,
});
