import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { int4, nullable, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Phones that are locked, or of which something is taken, for whatever cause, in the order of their ids. */
export const heldPhones = statement({
  name: 'locking.held_phones',
  takes: { after: nullable(uuid), limit: int4 },
  gives: { device_id: uuid },
  text: `
    select device_id from (
      select l.device_id from locks l where l.org_id = $1 and l.level >= ${LOCKED_FROM_LEVEL}
      union
      select x.device_id from restrictions x where x.org_id = $1 and x.given_back_at is null
    ) w where $after::uuid is null or device_id > $after order by device_id limit $limit`,
});
