import type { IsoDate } from '@kist/contract/dates';
import type { EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import type { Bps, Paise } from '@kist/contract/money';
import { as, bytea, date, int4, int8, jsonb, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { Dropped } from './rules/revision.ts';

const paise = as<Paise>()(int8);
const bps = as<Bps>()(int4);
const day = as<IsoDate>()(date);

/** Terms that are in force, which a version changes together. */
export const TERMS = {
  method: as<EmiMethod>()(text),
  rate_bps: bps,
  rounding: as<EmiRounding>()(text),
  tenure: int4,
  emi_paise: paise,
  fee_paise: paise,
  total_interest_paise: paise,
  total_payable_paise: paise,
  apr_bps: bps,
  last_due_on: day,
};
/** Why terms change. */
export type Cause = 'edit' | 'prepayment' | 'reschedule' | 'pause' | 'foreclosure' | 'imei_swap';

const VERSION = {
  agreement_id: uuid,
  version: int4,
  effective_on: day,
  cause: as<Cause>()(text),
  reason: text,
  made_by: uuid,
  after: jsonb(),
  before: jsonb(),
  principal_paise: paise,
  interest_paise: paise,
  fee_paise: paise,
  dropped_interest_paise: paise,
  dropped_fee_paise: paise,
  /** Paid ahead before it, and counts towards its rows. */
  counted_principal_paise: paise,
  counted_interest_paise: paise,
  /** The code by which the customer agreed, and the hash of what to; null where none is asked for. */
  consent_otp_id: nullable(uuid),
  consent_hash: nullable(bytea),
};

export const insertVersion = statement({
  name: 'agreements.insert_version',
  takes: VERSION,
  text: `
    insert into schedule_versions (org_id, made_at, ${Object.keys(VERSION).join(', ')})
    values ($1, kist_now(), ${Object.keys(VERSION)
      .map((name) => `$${name}`)
      .join(', ')})`,
});

/** From when each version counts, but for the one that was signed. */
export const versionDays = statement({
  name: 'agreements.version_days',
  takes: { agreement_id: uuid },
  gives: { version: int4, effective_on: day },
  text: 'select version, effective_on from schedule_versions where org_id = $1 and agreement_id = $agreement_id',
});

/** The number behind which the rows of a new version stand. */
export const lastRow = statement({
  name: 'agreements.last_row',
  takes: { agreement_id: uuid },
  gives: { no: int4 },
  text: 'select coalesce(max(no), 0)::int as no from instalments where org_id = $1 and agreement_id = $agreement_id',
});

/**
 * All that is left of these rows goes, and they are settled on the day of the version: nothing of them is owed. Those that were paid before keep their day, and
 * those of which an earlier version gave up the rest stay with that version unless something of them is owed again.
 */
export const supersede = statement({
  name: 'agreements.supersede',
  takes: { agreement_id: uuid, version: int4, on: day, rows: jsonb<readonly Dropped[]>() },
  text: `
    update instalments i set superseded_by = $version, paid_on = coalesce(i.paid_on, $on), dropped_principal_paise = i.dropped_principal_paise + r.principal_paise,
      dropped_interest_paise = i.dropped_interest_paise + r.interest_paise, dropped_fee_paise = i.dropped_fee_paise + r.fee_paise
    from jsonb_to_recordset($rows) as r(no int, principal_paise bigint, interest_paise bigint, fee_paise bigint)
    where i.org_id = $1 and i.agreement_id = $agreement_id and i.no = r.no
      and (i.superseded_by is null or r.principal_paise + r.interest_paise + r.fee_paise > 0)`,
});

/** What was left of rows that a version put aside. */
export const putAside = statement({
  name: 'agreements.put_aside',
  takes: { agreement_id: uuid, instalment_ids: listOf(uuid) },
  gives: { instalment_id: uuid, left_paise: paise },
  text: `
    select instalment_id, dropped_principal_paise + dropped_interest_paise + dropped_fee_paise as left_paise from instalments
    where org_id = $1 and agreement_id = $agreement_id and instalment_id = any($instalment_ids) and superseded_by is not null
      and dropped_principal_paise + dropped_interest_paise + dropped_fee_paise > 0`,
});

export const writeTerms = statement({
  name: 'agreements.write_terms',
  takes: { agreement_id: uuid, schedule_version: int4, schedule_from: day, ...TERMS },
  text: `
    update agreements set schedule_version = $schedule_version, schedule_from = $schedule_from, ${Object.keys(TERMS)
      .map((name) => `${name} = $${name}`)
      .join(', ')}
    where org_id = $1 and agreement_id = $agreement_id`,
});
