import type { Tx } from '#server/platform/database.ts';

export interface AccountRow {
  code: string;
  unit: string;
  owner_kind: string;
  owner_id: string;
  side: string;
  account_id: string;
}
export interface JournalRow {
  journalId: string;
  effectKey: string;
  kind: string;
  refKind: string;
  refId: string;
  reversesJournalId: string | null;
  businessOn: string;
}
export interface LineRow {
  lineNo: number;
  accountId: string;
  unit: string;
  debit: number;
  credit: number;
}

/** Makes the accounts that do not exist yet and returns the ids of all, in the order given. One statement for any number. */
export async function ensureAccounts(tx: Tx, accounts: AccountRow[]): Promise<string[]> {
  const { rows } = await tx.query<{ account_id: string; n: number }>(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as g(n int, account_id uuid, owner_kind text, owner_id text, code text, unit text, side text)
     ), made as (
       insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
       select distinct on (owner_kind, owner_id, code, unit) kist_org(), account_id, owner_kind, owner_id, code, unit, side from given
       order by owner_kind, owner_id, code, unit
       on conflict (org_id, owner_kind, owner_id, code, unit) do nothing
       returning account_id, owner_kind, owner_id, code, unit
     ), known as (
       select account_id, owner_kind, owner_id, code, unit from made
       union all
       select a.account_id, a.owner_kind, a.owner_id, a.code, a.unit from accounts a join given g using (owner_kind, owner_id, code, unit)
     )
     select distinct on (g.n) g.n, k.account_id from given g join known k using (owner_kind, owner_id, code, unit) order by g.n`,
    [JSON.stringify(accounts.map((account, n) => ({ n, ...account })))],
  );
  if (rows.length === accounts.length) return rows.map((row) => row.account_id);
  // Another transaction made one of them meanwhile and committed after our snapshot: a new statement sees it.
  return ensureAccounts(tx, accounts);
}

/** @returns false when this effect was already posted. */
export async function insertJournal(tx: Tx, journal: JournalRow, lines: LineRow[]): Promise<boolean> {
  const { rows } = await tx.query(
    `with j as (
       insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, reverses_journal_id, business_on, posted_at)
       values (kist_org(), $1, $2, $3, $4, $5, $6, $7, kist_now())
       on conflict (org_id, effect_key) do nothing returning journal_id
     )
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit)
     select kist_org(), j.journal_id, l.line_no, l.account_id, l.unit, l.debit, l.credit
     from j, unnest($8::int[], $9::uuid[], $10::text[], $11::bigint[], $12::bigint[]) as l(line_no, account_id, unit, debit, credit)
     returning journal_id`,
    [
      journal.journalId,
      journal.effectKey,
      journal.kind,
      journal.refKind,
      journal.refId,
      journal.reversesJournalId,
      journal.businessOn,
      lines.map((l) => l.lineNo),
      lines.map((l) => l.accountId),
      lines.map((l) => l.unit),
      lines.map((l) => l.debit),
      lines.map((l) => l.credit),
    ],
  );
  return rows.length > 0;
}

/** Lines of a journal with what is needed to reverse it. */
export async function linesOf(tx: Tx, effectKey: string) {
  const { rows } = await tx.query<{
    journal_id: string;
    code: string;
    owner_id: string;
    unit: string;
    debit: number;
    credit: number;
  }>(
    `select j.journal_id, a.code, a.owner_id, l.unit, l.debit, l.credit
     from journals j join journal_lines l using (org_id, journal_id) join accounts a using (org_id, account_id)
     where j.effect_key = $1 order by l.line_no`,
    [effectKey],
  );
  return rows;
}

/** Sums by code and unit of all that was posted up to a business day (inclusive; null: ever). */
export async function trialBalance(tx: Tx, upTo: string | null) {
  const { rows } = await tx.query<{ code: string; unit: string; debit: number; credit: number }>(
    `select a.code, l.unit, sum(l.debit)::bigint as debit, sum(l.credit)::bigint as credit
     from journal_lines l join accounts a using (org_id, account_id) join journals j using (org_id, journal_id)
     where $1::date is null or j.business_on <= $1::date
     group by a.code, l.unit order by l.unit, a.code`,
    [upTo],
  );
  return rows;
}

/**
 * Sums by code and unit of what belongs to these owners up to a business day: their agreements, tills and keys, and the organisation's side of the same
 * journals. What such a journal books with another shop of the organisation is one row, `elsewhere`: the other shop's accounts stay its own, and the
 * journals balance all the same. No money of today makes one: an instalment's till is that of the agreement's owner.
 */
export async function ownTrialBalance(tx: Tx, ownerIds: readonly string[], upTo: string | null) {
  const { rows } = await tx.query<{ code: string; unit: string; debit: number; credit: number }>(
    `with own as (
       select a.account_id from accounts a join agreements g on g.org_id = a.org_id and g.agreement_id = a.owner_id::uuid
       where a.owner_kind = 'agreement' and g.owner_user_id = any($1::uuid[])
       union all
       select account_id from accounts where owner_kind = 'user' and owner_id = any($1::text[])
     ), concerned as (
       select distinct l.journal_id from own join journal_lines l using (account_id) join journals j using (org_id, journal_id)
       where $2::date is null or j.business_on <= $2::date
     ), lines as (
       select l.journal_id, l.unit, l.debit, l.credit, a.code, a.owner_kind, own.account_id is not null as is_own,
         bool_or(a.owner_kind = 'agreement' and own.account_id is null) over (partition by l.journal_id) as is_for_another
       from concerned join journal_lines l using (journal_id) join accounts a using (org_id, account_id) left join own using (account_id)
     ), mine as (
       select unit, debit, credit, case when is_own or (owner_kind = 'organisation' and not is_for_another) then code else 'elsewhere' end as code
       from lines
     )
     select code, unit,
       (case when code = 'elsewhere' then greatest(sum(debit - credit), 0) else sum(debit) end)::bigint as debit,
       (case when code = 'elsewhere' then greatest(sum(credit - debit), 0) else sum(credit) end)::bigint as credit
     from mine group by code, unit having code <> 'elsewhere' or sum(debit) <> sum(credit) order by unit, code`,
    [ownerIds, upTo],
  );
  return rows;
}

/**
 * Agreements whose receivables in the ledger differ from what their schedule and charges say is unpaid (invariant I3), in paise.
 * @param ownerIds whose agreements; null: everybody's
 */
export async function receivableDifferences(tx: Tx, ownerIds: readonly string[] | null = null) {
  const { rows } = await tx.query<{ agreement_id: string; ledger_paise: number; schedule_paise: number }>(
    `with ledger as (
       select a.owner_id::uuid as agreement_id, sum(l.debit - l.credit)::bigint as paise
       from accounts a join journal_lines l using (org_id, account_id)
       where a.owner_kind = 'agreement' and a.code like 'receivable_%' group by 1
     ), schedule as (
       select agreement_id, sum(principal_paise + interest_paise + fee_paise - paid_principal_paise - paid_interest_paise - paid_fee_paise)::bigint
         + coalesce((select sum(c.amount_paise - c.paid_paise) from charges c where c.org_id = i.org_id and c.agreement_id = i.agreement_id), 0)::bigint as paise
       from instalments i group by org_id, agreement_id
     )
     select coalesce(l.agreement_id, s.agreement_id) as agreement_id, coalesce(l.paise, 0) as ledger_paise, coalesce(s.paise, 0) as schedule_paise
     from ledger l full join schedule s using (agreement_id)
     where coalesce(l.paise, 0) <> coalesce(s.paise, 0)
       and ($1::uuid[] is null or agreement_id in (select g.agreement_id from agreements g where g.owner_user_id = any($1::uuid[])))`,
    [ownerIds],
  );
  return rows;
}

/**
 * Wallet rows whose counts differ from the key accounts of the ledger.
 * @param ownerIds whose keys; null: everybody's
 */
export async function walletDifferences(tx: Tx, ownerIds: readonly string[] | null = null) {
  const { rows } = await tx.query<{ user_id: string; plan_type: number; code: string; ledger: number; wallet: number }>(
    `with ledger as (
       select a.owner_id::uuid as user_id, substr(l.unit, 5)::int as plan_type, a.code, sum(l.debit - l.credit)::bigint as n
       from accounts a join journal_lines l using (org_id, account_id) where a.code in ('keys_available', 'keys_reserved') group by 1, 2, 3
     ), wallet as (
       select user_id, plan_type, 'keys_available' as code, sum(available)::bigint as n from wallets group by 1, 2
       union all select user_id, plan_type, 'keys_reserved', sum(reserved)::bigint from wallets group by 1, 2
     )
     select user_id, plan_type, code, coalesce(l.n, 0) as ledger, coalesce(w.n, 0) as wallet
     from ledger l full join wallet w using (user_id, plan_type, code)
     where coalesce(l.n, 0) <> coalesce(w.n, 0) and ($1::uuid[] is null or user_id = any($1::uuid[]))`,
    [ownerIds],
  );
  return rows;
}
