import { int4, int8, known, listOf, nullable, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What came in for instalments, late fees apart, when it was booked; less than nothing where it was taken back. */
export const paidOfInstalments = statement({
  name: 'ledger.paid_of_instalments',
  takes: { agreement_ids: listOf(uuid) },
  gives: { agreement_id: known(uuid), instalment_no: nullable(int4), at: timestamptz, paise: int8 },
  isPlannedEachTime: true,
  text: `
    select l.agreement_id, l.instalment_no, j.posted_at as at, sum(l.credit - l.debit)::bigint as paise
    from journal_lines l join journals j on j.org_id = $1 and j.journal_id = l.journal_id
    where l.org_id = $1 and l.agreement_id = any($agreement_ids) and l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee')
    group by l.agreement_id, l.instalment_no, j.posted_at, j.journal_id order by j.posted_at, j.journal_id`,
});
