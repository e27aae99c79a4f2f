import { int4 } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Deletes a slice of what phones said longer ago than events are kept; migration 0222 keeps the younger ones from anybody. */
export const forgetEvents = statement({
  name: 'devices.forget_events',
  takes: { days: int4, slice: int4 },
  isPlannedEachTime: true,
  text: `
    delete from device_events where org_id = $1 and (device_id, event_id) in (
      select device_id, event_id from device_events where org_id = $1 and received_on < kist_today_utc() - $days order by received_on limit $slice)`,
});
