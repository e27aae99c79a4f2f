import type { Bps, Paise } from '@kist/contract/money';
import { as, bool, int4, int8, type RowOf, text, timestamptz } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const paise = as<Paise>()(int8);

const GIVEN = {
  charge_paise: paise,
  grace_days: int4,
  every_days: int4,
  cap_bps: as<Bps>()(int4),
  is_daily: bool,
  waiver_limit_paise: paise,
  set_by: text,
  reason: text,
};
const RULE = { version: int4, ...GIVEN, set_at: timestamptz };
export type PenalRuleRow = RowOf<typeof RULE>;
const COLUMNS = Object.keys(RULE).join(', ');

/** Every version, newest first. */
export const penalRules = statement({
  name: 'agreements.penal_rules',
  gives: RULE,
  text: `select ${COLUMNS} from penal_rules where org_id = $1 order by version desc`,
});

export const latestPenalRule = statement({
  name: 'agreements.latest_penal_rule',
  gives: RULE,
  text: `select ${COLUMNS} from penal_rules where org_id = $1 order by version desc limit 1`,
});

/** The version after the last one. Two at once cannot both be it: the second is refused by the key. */
export const insertPenalRule = statement({
  name: 'agreements.insert_penal_rule',
  takes: { version: int4, ...GIVEN },
  gives: RULE,
  text: `
    insert into penal_rules (org_id, version, set_at, ${Object.keys(GIVEN).join(', ')})
    values ($1, $version, kist_now(), ${Object.keys(GIVEN)
      .map((name) => `$${name}`)
      .join(', ')})
    returning ${COLUMNS}`,
});
