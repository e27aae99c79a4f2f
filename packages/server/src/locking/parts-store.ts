import { int8, nullable, uuid } from '#server/platform/column-types.ts';
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

/** The agreement in the middle of a part, where it is halved. Nothing where the part has fewer than `least`. */
export const partMiddle = statement({
  name: 'locking.part_middle',
  takes: { after: nullable(uuid), up_to: nullable(uuid), least: int8 },
  gives: { agreement_id: uuid },
  isPlannedEachTime: true,
  text: `
    with part as materialized (
      select a.agreement_id, row_number() over (order by a.agreement_id) as n, count(*) over () as of_so_many from agreements_view a
      where a.org_id = $1 and ($after is null or a.agreement_id > $after) and ($up_to is null or a.agreement_id <= $up_to)
    )
    select agreement_id from part where of_so_many >= $least and n = of_so_many / 2`,
});
