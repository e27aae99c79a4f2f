import { bool, int4, known, listOf, text } from '#server/platform/column-types.ts';
import { crossingStatement } from '#server/platform/statement.ts';

/** Whether any of these organisations has a phone with this number that is not released. It says neither which nor whose, and looks everywhere either way. */
export const isImeiHeld = crossingStatement({
  name: 'devices.is_imei_held',
  takes: { org_ids: listOf(int4), imei: text },
  gives: { is_held: known(bool) },
  text: `
    select exists (
      select from devices d where d.org_id = any($org_ids) and d.imei1 = $imei and d.released_at is null and d.customer_id is not null
    ) or exists (
      select from devices d where d.org_id = any($org_ids) and d.imei2 = $imei and d.released_at is null and d.customer_id is not null
    ) as is_held`,
});
