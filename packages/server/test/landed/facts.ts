import type { Client } from 'pg';
import { seeingAll } from './dump.ts';

/**
 * What must be the same before a database was migrated and after, each a list of rows. Written so that both can answer: the landed tables, and what
 * stands in their place now (the allocations of a payment were a table, and are a view of the ledger's lines since 0095).
 */
const FACTS = {
  'the balance of every kind of account': `
    select a.code, a.unit, sum(l.debit - l.credit)::text as balance
    from accounts a join journal_lines l using (org_id, account_id) group by 1, 2 having sum(l.debit - l.credit) <> 0 order by 1, 2`,
  'the balance of every account': `
    select a.owner_kind, a.owner_id, a.code, a.unit, sum(l.debit - l.credit)::text as balance
    from accounts a join journal_lines l using (org_id, account_id) group by 1, 2, 3, 4 having sum(l.debit - l.credit) <> 0 order by 1, 2, 3, 4`,
  'the keys in every wallet': `
    select user_id, plan_type, lot, available, reserved from wallets order by 1, 2, 3`,
  'the dues of every agreement': `
    select a.agreement_no, a.state, a.outstanding_paise::text, a.oldest_due_on::text, md5(string_agg(concat_ws('|', i.no, i.instalment_id, i.due_on,
      i.principal_paise, i.interest_paise, i.fee_paise, i.paid_principal_paise, i.paid_interest_paise, i.paid_fee_paise, i.paid_on), ';' order by i.no)) as instalments
    from agreements a join instalments i using (org_id, agreement_id) group by a.org_id, a.agreement_id, 1, 2, 3, 4 order by 1`,
  'the penal charges': `
    select agreement_id, instalment_no, amount_paise::text, paid_paise::text, charged_on::text from charges order by 1, 2, 5`,
  'the receipts of every agreement': `
    select p.agreement_id, count(*)::int as receipts, sum(p.amount_paise)::text as paise, md5(string_agg(concat_ws('|', p.payment_id, p.receipt_no,
      p.amount_paise, p.method, extract(epoch from p.paid_at), p.state, p.reverse_reason,
      (select string_agg(concat_ws(',', a.instalment_no, a.bucket, a.paise), ';' order by a.instalment_no, a.bucket)
       from allocations a where a.org_id = p.org_id and a.payment_id = p.payment_id)), ';' order by p.payment_id)) as hash
    from payments p group by 1 order by 1`,
  'the locks and their causes': `
    select device_id, cause, level, agreement_id, reason, extract(epoch from level_since)::text as since from locks order by 1, 2`,
  'the level and the lease of every phone': `
    select w.device_id, w.lock_level as wanted, w.lease::text as lease, r.revision::text as revision, r.lock_level as reported, r.lease_seq::text
    from device_desired w join device_reports r using (org_id, device_id) order by 1`,
  'the phones that are set up, and their keys': `
    select enrolment_id, device_id, encode(public_key_spki, 'hex') as key, grade from enrolments where ended_at is null order by 1`,
  'the chains of the audit': `
    select subject_kind, subject_id, seq::text, encode(hash, 'hex') as hash from audit_heads order by 1, 2`,
  'the consents': `
    select agreement_id, text_version, encode(text_hash, 'hex') as hash, language, method from consents order by 1, 5`,
} as const;

/** What must not be there afterwards: each row is a fault. */
const FAULTS = {
  'a unit whose books do not balance': `
    select unit from journal_lines group by org_id, unit having sum(debit) <> sum(credit)`,
  'a journal that does not balance': `
    select journal_id from journal_lines group by org_id, journal_id, unit having sum(debit) <> sum(credit)`,
  'an agreement whose account is not its instalments': `
    select agreement_no from agreements g
    where coalesce((select sum(l.debit - l.credit) from journal_lines l
        where l.org_id = g.org_id and l.agreement_id = g.agreement_id and l.bucket in ('principal', 'interest', 'fee', 'penal')), 0)
      <> (select sum(principal_paise + interest_paise + fee_paise - paid_principal_paise - paid_interest_paise - paid_fee_paise)
          from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id)
       + coalesce((select sum(amount_paise - paid_paise) from charges c where c.org_id = g.org_id and c.agreement_id = g.agreement_id), 0)`,
  'a posted payment that is not allocated to the paisa': `
    select receipt_no from payments p where p.state = 'posted' and p.amount_paise <>
      (select coalesce(sum(paise), 0) from allocations a where a.org_id = p.org_id and a.payment_id = p.payment_id)`,
  'a phone that runs ahead of what is wanted of it': `
    select device_id from device_desired w join device_reports r using (org_id, device_id) where r.revision > w.revision`,
} as const;

export type Facts = Record<string, unknown[]>;

async function read(client: Client, queries: Readonly<Record<string, string>>): Promise<Facts> {
  return seeingAll(client, async () => {
    const found: Facts = {};
    for (const [name, text] of Object.entries(queries)) found[name] = (await client.query(text)).rows;
    return found;
  });
}

export const factsOf = (client: Client): Promise<Facts> => read(client, FACTS);
export const faultsOf = (client: Client): Promise<Facts> => read(client, FAULTS);

/** How many rows each of these tables has; a table that is gone has none. */
export async function countsOf(client: Client, names: readonly string[]): Promise<Record<string, number>> {
  return seeingAll(client, async () => {
    const counts: Record<string, number> = {};
    for (const name of names) {
      const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name]);
      counts[name] = rows[0]!.there
        ? (await client.query<{ n: number }>(`select count(*)::int as n from ${name}`)).rows[0]!.n
        : 0;
    }
    return counts;
  });
}
