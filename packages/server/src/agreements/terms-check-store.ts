import type { IsoDate } from '@kist/contract/dates';
import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import type { Bps, Paise } from '@kist/contract/money';
import { as, bytea, date, int2, int4, int8, known, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const paise = as<Paise>()(int8);
const bps = as<Bps>()(int4);

/** Terms of the next so many agreements behind one, with a digest of their rows: sent whole, a million schedules would be gigabytes. */
export const signedBehind = statement({
  name: 'agreements.signed_behind',
  takes: { after: nullable(uuid), limit: int8, part: nullable(int4), engine: int2 },
  gives: {
    agreement_id: uuid,
    agreement_no: text,
    method: as<EmiMethod>()(text),
    frequency: as<EmiFrequency>()(text),
    rounding: as<EmiRounding>()(text),
    cash_price_paise: paise,
    down_payment_paise: paise,
    fee_paise: paise,
    rate_bps: bps,
    tenure: int4,
    delivered_on: as<IsoDate>()(date),
    anchor_day: nullable(int4),
    apr_bps: bps,
    rows: known(bytea),
  },
  isPlannedEachTime: true,
  text: `
    with signed as materialized (
      select agreement_id, agreement_no, method, frequency, rounding, cash_price_paise, down_payment_paise, fee_paise, rate_bps, tenure, delivered_on,
        anchor_day, apr_bps
      from agreements where org_id = $1 and ($after is null or agreement_id > $after) and schedule_engine = $engine
        -- A version that left the rows as they were signed takes nothing of them out of this check.
        and (schedule_version = 1 or not exists (select from schedule_versions v
          where v.org_id = $1 and v.agreement_id = agreements.agreement_id and v.principal_paise > 0))
        and ($part is null or mod(abs(hashtext(agreement_id::text)::bigint), 7) = $part)
      order by agreement_id limit $limit
    )
    select s.*, r.rows from signed s cross join lateral (
      select sha256(convert_to(coalesce(string_agg(i.no || ' ' || i.due_on || ' ' || i.principal_paise || ' ' || i.interest_paise || ' ' || i.fee_paise, e'\\n'
        order by i.no), ''), 'UTF8')) as rows
      from instalments i where i.org_id = $1 and i.agreement_id = s.agreement_id) r
    order by s.agreement_id`,
});
