import { statement } from '#server/platform/statement.ts';
import { FAULT, SCOPE, SOME } from './check-store.ts';

/** Two transactions that meet may each be right: a rule is set while a sale is made. */
const MEANWHILE = `interval '2 minutes'`;

/**
 * Sales against what was in force on the day they were signed; those of a book are of before. Where the clock was put elsewhere, as for a demonstration, days and
 * rules need not follow on one another, and nothing is told.
 */
export const signingFaults = statement({
  name: 'ledger.signing_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, sold as (
      select s.agreement_no, s.created_at, s.delivered_on, coalesce((s.penal ->> 'version')::int, 0) as version
      from scope s where kist_clock_is_real() and not exists (select from historic_agreements_view h where h.org_id = $1 and h.agreement_id = s.agreement_id)
    )
    select 'signed under another rule of penalties than was in force' as fault, s.agreement_no as subject, s.version::bigint as found, r.version::bigint as expected
    from sold s cross join lateral (
      select r.version, r.charge_paise from penal_rules r where r.org_id = $1 and r.set_at <= s.created_at - ${MEANWHILE} order by r.version desc limit 1) r
    where s.version < r.version and not (s.version = 0 and r.charge_paise = 0)
      and not exists (select from penal_rules m where m.org_id = $1 and m.set_at between s.created_at - ${MEANWHILE} and s.created_at + ${MEANWHILE})
    union all
    select 'days between the delivery and the sale', s.agreement_no, (s.created_at at time zone 'Asia/Kolkata')::date - s.delivered_on, 3
    from sold s where s.created_at > kist_sales_are_new_since() and s.delivered_on < (s.created_at at time zone 'Asia/Kolkata')::date - 3`,
});
