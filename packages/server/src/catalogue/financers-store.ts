import { bool, int4, type RowOf, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const FINANCER = { financer_id: int4, name: text, is_regulated: bool, is_active: bool };
export type FinancerRow = RowOf<typeof FINANCER>;
const COLUMNS = Object.keys(FINANCER).join(', ');

export const allFinancers = statement({
  name: 'catalogue.all_financers',
  gives: FINANCER,
  text: `select ${COLUMNS} from financers where org_id = $1 order by financer_id`,
});

export const financerById = statement({
  name: 'catalogue.financer_by_id',
  takes: { financer_id: int4 },
  gives: FINANCER,
  text: `select ${COLUMNS} from financers where org_id = $1 and financer_id = $financer_id`,
});

/** No row where it was so before; whether a lender is regulated is told once. */
export const upsertFinancer = statement({
  name: 'catalogue.upsert_financer',
  takes: FINANCER,
  gives: { financer_id: int4 },
  text: `
    insert into financers as f (org_id, set_at, ${COLUMNS}) values ($1, kist_now(), $financer_id, $name, $is_regulated, $is_active)
    on conflict (org_id, financer_id) do update set name = excluded.name, is_active = excluded.is_active, set_at = excluded.set_at
      where (f.name, f.is_active) is distinct from (excluded.name, excluded.is_active)
    returning financer_id`,
});
