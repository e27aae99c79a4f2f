import type { IsoDate } from '@kist/contract/dates';
import { as, date, int4, int8, known, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Agreements of which something fell due in some days, cancelled ones apart, in the order of their ids. */
export const agreementsDueIn = statement({
  name: 'locking.agreements_due_in',
  takes: { from_on: date, to_on: date, after: nullable(uuid), limit: int8 },
  gives: { agreement_id: uuid, device_id: uuid },
  isPlannedEachTime: true,
  text: `
    select a.agreement_id, a.device_id from agreements_view a where a.org_id = $1 and a.state <> 'cancelled' and ($after is null or a.agreement_id > $after)
      and exists (select from instalments_view i where i.org_id = $1 and i.agreement_id = a.agreement_id and i.due_on between $from_on and $to_on)
    order by a.agreement_id limit $limit`,
});

/** The instalments of some agreements as their schedules stand, with what is left of each. */
export const instalmentsOf = statement({
  name: 'locking.instalments_of',
  takes: { agreement_ids: listOf(uuid) },
  gives: { agreement_id: uuid, no: int4, due_on: as<IsoDate>()(date), left_paise: known(int8) },
  isPlannedEachTime: true,
  text: `
    select i.agreement_id, i.no, i.due_on, i.left_paise from instalments_view i
    where i.org_id = $1 and i.agreement_id = any($agreement_ids) order by i.agreement_id, i.due_on, i.no`,
});
