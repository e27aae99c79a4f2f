import { int4 } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Deletes a slice of old orders that have ended and locked nothing; migration 0222 keeps the others from anybody. */
export const forgetOrders = statement({
  name: 'commands.forget_orders',
  takes: { days: int4, slice: int4 },
  isPlannedEachTime: true,
  text: `
    delete from commands where org_id = $1 and command_id in (
      select command_id from commands where org_id = $1 and created_at < kist_now() - make_interval(days => $days)
        and state in ('REFUSED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED') and (type not in ('lock', 'unlock') or state = 'REFUSED')
      order by created_at limit $slice)`,
});
