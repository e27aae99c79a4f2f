import { int8, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Every so-manieth agreement, in the order of their ids: where who looks at one part after the other begins and ends. */
export const partEnds = statement({
  name: 'locking.part_ends',
  takes: { size: int8 },
  gives: { agreement_id: uuid },
  text: `
    select agreement_id from (
      select a.agreement_id, row_number() over (order by a.agreement_id) as n from agreements_view a where a.org_id = $1
    ) numbered where n % $size = 0 order by agreement_id`,
});
