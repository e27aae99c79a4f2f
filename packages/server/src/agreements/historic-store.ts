import { bytea, int4, jsonb, listOf, nothing, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { AgreementRow, InstalmentRow } from './store.ts';

/** One import of an organisation at a time, until the transaction ends. */
export const takeTurn = statement({
  name: 'agreements.take_turn_to_import',
  gives: { pg_advisory_xact_lock: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('historic:' || $1::int, 0))`,
});

/**
 * A shop that begins has next to nothing in its tables, and the planner holds to that for the whole transaction: each of thousands of journals would be
 * checked by reading all lines. Until the transaction ends it takes the index.
 */
export const searchByIndex = statement({
  name: 'agreements.search_by_index',
  gives: { set_config: text },
  text: `select set_config('enable_seqscan', 'off', true) where $1::int is not null`,
});

/** Rows of a book that came in before, with the hash of what they said. */
export const knownRows = statement({
  name: 'agreements.known_historic_rows',
  takes: { row_refs: listOf(text) },
  gives: { row_ref: text, row_hash: bytea },
  text: 'select row_ref, row_hash from historic_agreements where org_id = $1 and row_ref = any($row_refs)',
});

export const rowRefOf = statement({
  name: 'agreements.row_ref_of_historic',
  takes: { agreement_id: uuid },
  gives: { row_ref: text },
  text: 'select row_ref from historic_agreements where org_id = $1 and agreement_id = $agreement_id',
});

export const countHistoric = statement({
  name: 'agreements.count_historic',
  gives: { n: int4 },
  text: 'select count(*)::int as n from historic_agreements where org_id = $1',
});

type Json<Row> = { [Column in keyof Row]: Row[Column] extends Date | null ? string | null : Row[Column] };
export type NewAgreement = Json<Omit<AgreementRow, 'created_at' | 'completed_at'>>;

/** Agreements as they stand when they come in: part of them is paid. */
export const insertAgreements = statement({
  name: 'agreements.insert_historic_agreements',
  takes: { columns: jsonb<readonly NewAgreement[]>(), moved_by: uuid },
  text: `
    with move as (
      insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, agreement_id, 1, '', state, $moved_by, kist_now(), 'brought in from a book'
      from jsonb_populate_recordset(null::agreements, $columns)
    )
    insert into agreements (org_id, agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, state, method, frequency, rounding,
      cash_price_paise, down_payment_paise, fee_paise, rate_bps, tenure, delivered_on, anchor_day, financed_paise, emi_paise, total_interest_paise,
      total_payable_paise, apr_bps, is_regulated, policy_version, policy, penal, oldest_due_on, last_due_on, oldest_due_paise, outstanding_paise, paid_count,
      advance_paise, created_at, version)
    select $1, agreement_id, agreement_no, customer_id, device_id, owner_user_id, plan_type, state, method, frequency, rounding,
      cash_price_paise, down_payment_paise, fee_paise, rate_bps, tenure, delivered_on, anchor_day, financed_paise, emi_paise, total_interest_paise,
      total_payable_paise, apr_bps, is_regulated, policy_version, policy, penal, oldest_due_on, last_due_on, oldest_due_paise, outstanding_paise, paid_count,
      advance_paise, kist_now(), version
    from jsonb_populate_recordset(null::agreements, $columns)`,
});

export const insertInstalments = statement({
  name: 'agreements.insert_historic_instalments',
  takes: { rows: jsonb<readonly (Omit<InstalmentRow, Paid> & { agreement_id: string })[]>() },
  text: `
    insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise)
    select $1, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise
    from jsonb_populate_recordset(null::instalments, $rows)`,
});

type Paid = 'paid_principal_paise' | 'paid_interest_paise' | 'paid_fee_paise' | 'paid_on';

/** What is paid of instalments; the lines of their payments must stand by now. */
export const fillInstalments = statement({
  name: 'agreements.fill_historic_instalments',
  takes: { rows: jsonb<readonly (Pick<InstalmentRow, Paid | 'no'> & { agreement_id: string })[]>() },
  text: `
    update instalments i set paid_principal_paise = n.paid_principal_paise, paid_interest_paise = n.paid_interest_paise,
      paid_fee_paise = n.paid_fee_paise, paid_on = n.paid_on
    from jsonb_to_recordset($rows) as n(agreement_id uuid, no int, paid_principal_paise bigint, paid_interest_paise bigint, paid_fee_paise bigint, paid_on date)
    where i.org_id = $1 and i.agreement_id = n.agreement_id and i.no = n.no`,
});

export const insertHistoric = statement({
  name: 'agreements.insert_historic',
  takes: { row_refs: listOf(text), agreement_ids: listOf(uuid), row_hashes: listOf(text) },
  text: `
    insert into historic_agreements (org_id, row_ref, agreement_id, row_hash, imported_at)
    select $1, row_ref, agreement_id, decode(row_hash, 'hex'), kist_now()
    from unnest($row_refs::text[], $agreement_ids::uuid[], $row_hashes::text[]) as g(row_ref, agreement_id, row_hash)`,
});
