import { int4, uuid } from '#server/platform/column-types.ts';
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

/** Where a phone of an erased customer was, which cards lay in it and what it said: none of it is left. The phone stays as the record that its agreement names. */
export const forgetTraces = statement({
  name: 'devices.forget_traces',
  takes: { device_id: uuid },
  text: `
    with said as (delete from device_events where org_id = $1 and device_id = $device_id)
    update device_reports set location = null, located_at = null, sims = '[]', push_token = null where org_id = $1 and device_id = $device_id`,
});

/** Every phone of a customer. */
export const devicesOfCustomer = statement({
  name: 'devices.devices_of_customer',
  takes: { customer_id: uuid },
  gives: { device_id: uuid },
  text: 'select device_id from devices where org_id = $1 and customer_id = $customer_id order by device_id',
});
