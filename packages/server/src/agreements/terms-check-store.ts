import type { IsoDate } from '@kist/contract/dates';
import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import type { Bps, Paise } from '@kist/contract/money';
import { as, bytea, date, int2, int4, int8, known, nullable, text, uuid } from '#server/platform/column-types.ts';
import { partOf } from '#server/platform/parts.ts';
import { statement } from '#server/platform/statement.ts';

const paise = as<Paise>()(int8);
const bps = as<Bps>()(int4);

/**
 * Terms of the next so many agreements behind one as they were signed (of one that was revised since, as its second version found them), with a digest of
 * the rows that were signed: sent whole, a million schedules would be gigabytes.
 */
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
    emi_paise: paise,
    total_interest_paise: paise,
    total_payable_paise: paise,
    last_due_on: as<IsoDate>()(date),
    rows: known(bytea),
  },
  isPlannedEachTime: true,
  text: `
    with signed as materialized (
      select a.agreement_id, a.agreement_no, a.frequency, a.cash_price_paise, a.down_payment_paise, a.delivered_on, a.anchor_day,
        t.method, t.rounding, t.fee_paise, t.rate_bps, t.tenure, t.apr_bps, t.emi_paise, t.total_interest_paise, t.total_payable_paise, t.last_due_on
      from agreements a
      left join schedule_versions v on a.schedule_version > 1 and v.org_id = $1 and v.agreement_id = a.agreement_id and v.version = 2
      cross join lateral jsonb_to_record(coalesce(v.before, terms_in_force(a))) as t(method text, rounding text, fee_paise bigint, rate_bps int, tenure int,
        apr_bps int, emi_paise bigint, total_interest_paise bigint, total_payable_paise bigint, last_due_on date)
      where a.org_id = $1 and ($after is null or a.agreement_id > $after) and a.schedule_engine = $engine
        and ($part is null or ${partOf('a.agreement_id')} = $part)
      order by a.agreement_id limit $limit
    )
    select s.*, r.rows from signed s cross join lateral (
      select sha256(convert_to(coalesce(string_agg(i.no || ' ' || i.due_on || ' ' || i.principal_paise || ' ' || i.interest_paise || ' ' || i.fee_paise, e'\\n'
        order by i.no), ''), 'UTF8')) as rows
      from instalments i where i.org_id = $1 and i.agreement_id = s.agreement_id and i.version = 1) r
    order by s.agreement_id`,
});

/** The same of versions of schedules: the terms of the next so many behind one, what they laid out, and a digest of their rows. */
export const revisedBehind = statement({
  name: 'agreements.revised_behind',
  takes: { after: nullable(uuid), after_version: int4, limit: int8, part: nullable(int4) },
  gives: {
    agreement_id: uuid,
    agreement_no: text,
    version: int4,
    method: as<EmiMethod>()(text),
    frequency: as<EmiFrequency>()(text),
    rounding: as<EmiRounding>()(text),
    rate_bps: bps,
    emi_paise: paise,
    apr_bps: bps,
    delivered_on: as<IsoDate>()(date),
    anchor_day: nullable(int4),
    principal_paise: paise,
    interest_paise: paise,
    fee_paise: paise,
    counted_principal_paise: paise,
    counted_interest_paise: paise,
    tenure: int4,
    first_on: nullable(as<IsoDate>()(date)),
    rows: known(bytea),
  },
  isPlannedEachTime: true,
  text: `
    select v.agreement_id, a.agreement_no, v.version, t.method, a.frequency, t.rounding, t.rate_bps, t.emi_paise, t.apr_bps, a.delivered_on, a.anchor_day,
      v.principal_paise, v.interest_paise, v.fee_paise, v.counted_principal_paise, v.counted_interest_paise, r.tenure, r.first_on, r.rows
    from schedule_versions v join agreements a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
    cross join lateral jsonb_to_record(v.after) as t(method text, rounding text, rate_bps int, emi_paise bigint, apr_bps int)
    cross join lateral (
      select count(*)::int as tenure, min(i.due_on) as first_on,
        sha256(convert_to(coalesce(string_agg(i.due_on || ' ' || i.principal_paise || ' ' || i.interest_paise || ' ' || i.fee_paise, e'\\n' order by i.no), ''), 'UTF8')) as rows
      from instalments i where i.org_id = $1 and i.agreement_id = v.agreement_id and i.version = v.version) r
    where v.org_id = $1 and v.principal_paise > 0 and ($after is null or (v.agreement_id, v.version) > ($after, $after_version))
      and ($part is null or ${partOf('v.agreement_id')} = $part)
    order by v.agreement_id, v.version limit $limit`,
});
