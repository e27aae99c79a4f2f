import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import { as, int4, text, type RowOf } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const PRESET = {
  plan_id: int4,
  name: text,
  method: as<EmiMethod>()(text),
  frequency: as<EmiFrequency>()(text),
  tenure: int4,
  down_bps: int4,
  rate_bps: int4,
};
export type PresetRow = RowOf<typeof PRESET>;

export const allPresets = statement({
  name: 'catalogue.all_presets',
  gives: PRESET,
  text: `select ${Object.keys(PRESET).join(', ')} from plan_presets where org_id = $1 order by plan_id, tenure, name`,
});

/** No row where it was so before. */
export const upsertPreset = statement({
  name: 'catalogue.upsert_preset',
  takes: PRESET,
  gives: { name: text },
  text: `
    insert into plan_presets as p (org_id, set_at, ${Object.keys(PRESET).join(', ')})
    values ($1, kist_now(), ${Object.keys(PRESET)
      .map((name) => `$${name}`)
      .join(', ')})
    on conflict (org_id, plan_id, name) do update set method = excluded.method, frequency = excluded.frequency, tenure = excluded.tenure,
        down_bps = excluded.down_bps, rate_bps = excluded.rate_bps, set_at = excluded.set_at
      where (p.method, p.frequency, p.tenure, p.down_bps, p.rate_bps)
        is distinct from (excluded.method, excluded.frequency, excluded.tenure, excluded.down_bps, excluded.rate_bps)
    returning name`,
});

export const deletePreset = statement({
  name: 'catalogue.delete_preset',
  takes: { plan_id: int4, name: text },
  gives: { name: text },
  text: 'delete from plan_presets where org_id = $1 and plan_id = $plan_id and name = $name returning name',
});
