import { int4, listOf, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export const modelOfTac = statement({
  name: 'catalogue.model_of_tac',
  takes: { tac: text },
  gives: { brand: text, model: text },
  text: 'select brand, model from phone_models where org_id = $1 and tac = $tac',
});

export const modelsOfTacs = statement({
  name: 'catalogue.models_of_tacs',
  takes: { tacs: listOf(text) },
  gives: { tac: text, brand: text, model: text },
  text: 'select tac, brand, model from phone_models where org_id = $1 and tac = any($tacs)',
});

/** A few thousand at a time: the lists go as they are. */
export const upsertModels = statement({
  name: 'catalogue.upsert_models',
  takes: { tacs: listOf(text), brands: listOf(text), models: listOf(text) },
  text: `
    insert into phone_models (org_id, tac, brand, model, set_at)
    select $1, n.tac, n.brand, n.model, kist_now() from unnest($tacs, $brands, $models) as n(tac, brand, model)
    on conflict (org_id, tac) do update set brand = excluded.brand, model = excluded.model, set_at = excluded.set_at`,
});

/** Each maker once, by stepping from one to the next in the index: as quick for a million models as for ten. */
export const brandsOfModels = statement({
  name: 'catalogue.brands_of_models',
  takes: { most: int4 },
  gives: { brand: text },
  text: `
    with recursive next as (
      (select brand from phone_models where org_id = $1 order by brand limit 1)
      union all
      select (select m.brand from phone_models m where m.org_id = $1 and m.brand > next.brand order by m.brand limit 1)
      from next where next.brand is not null
    )
    select brand from next where brand is not null limit $most`,
});

export const modelsOfBrands = statement({
  name: 'catalogue.models_of_brands',
  takes: { brands: listOf(text), words: text, most: int4 },
  gives: { model: text },
  text: `
    select distinct model from phone_models
    where org_id = $1 and brand = any($brands) and strpos(lower(model), $words) > 0 order by model limit $most`,
});
