import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { statement } from '#server/platform/statement.ts';
import { FAULT, SCOPE, SOME } from './check-store.ts';

/** Two transactions that meet may each be right: a rule is set while a sale is made. */
const MEANWHILE = `interval '2 minutes'`;

/**
 * Sales against what was in force on the day they were signed; those of a book are of before. What came first is told by the numbers of the sales, which go one
 * way: an instant is of a clock that may have been put back since.
 */
export const signingFaults = statement({
  name: 'ledger.signing_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, policies as materialized (
      select distinct coalesce((policy ->> 'penalCapBps')::int, -1) as cap_bps from lock_policies_view where org_id = $1
      union
      -- An organisation that never chose (0490).
      select ${POLICY_PRESETS.dealer.penalCapBps} where not exists (select from lock_policies_view where org_id = $1)
    ), signed as (
      select s.agreement_id, s.agreement_no, s.created_at, s.delivered_on, s.is_of_real_time, s.penal, coalesce((s.policy ->> 'penalCapBps')::int, -1) as cap_bps,
        coalesce((s.penal ->> 'version')::int, 0) as version, case when s.agreement_no ~ '^[0-9]+-[0-9]{1,9}$' then split_part(s.agreement_no, '-', 2)::int end as no,
        exists (select from historic_agreements_view h where h.org_id = $1 and h.agreement_id = s.agreement_id) as is_of_a_book
      from scope s
    ), sold as (select * from signed where not is_of_a_book)
    select 'signed under another rule of penalties than was in force' as fault, s.agreement_no as subject, s.version::bigint as found, r.version::bigint as expected
    from sold s cross join lateral (
      select r.version, r.charge_paise from penal_rules r where r.org_id = $1 and r.numbered < s.no order by r.version desc limit 1) r
    where s.version < r.version and not (s.version = 0 and r.charge_paise = 0) and not exists (
      select from penal_rules m where m.org_id = $1 and m.version > s.version and m.set_at between s.created_at - ${MEANWHILE} and s.created_at + ${MEANWHILE})
    union all
    select 'a lock policy whose cap of penalties nobody chose', s.agreement_no, s.cap_bps, (select min(cap_bps) from policies)
    from signed s where s.cap_bps not in (select cap_bps from policies)
    union all
    select 'a cap of penalties that is neither the rule’s nor the policy’s', s.agreement_no, (s.penal ->> 'cap_bps')::int, least(r.cap_bps, s.cap_bps)
    from signed s join penal_rules r on r.org_id = $1 and r.version = s.version where (s.penal ->> 'cap_bps')::int is distinct from least(r.cap_bps, s.cap_bps)
    union all
    select 'a book’s agreement with a rule of penalties', s.agreement_no, s.version, 0 from signed s where s.is_of_a_book and s.penal is not null and s.created_at > kist_sales_are_new_since()
    union all
    select 'a number that no series gave', s.agreement_no, 1, 0 from signed s join counters c on c.org_id = $1 and c.name = 'agreement'
    where not s.is_of_a_book and (s.no is null or s.no > c.last)
    union all
    select 'a number that another agreement was given', s.agreement_no, 1, 0
    from signed s join agreement_lines_view l on l.org_id = $1 and l.subject_id = s.agreement_id::text and l.action in ('agreement_opened', 'agreement_imported')
    where l.data ->> 'agreement_no' <> s.agreement_no
    union all
    select 'days between the delivery and the sale', s.agreement_no, (s.created_at at time zone 'Asia/Kolkata')::date - s.delivered_on, ${EMI_LIMITS.deliveredAgoDays}
    from sold s where s.is_of_real_time and s.delivered_on < (s.created_at at time zone 'Asia/Kolkata')::date - ${EMI_LIMITS.deliveredAgoDays}`,
});
