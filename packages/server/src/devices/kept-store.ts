import { int2, jsonb, nullable, text, timestamptz, uuid, listOf } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Every phone that is or was a customer's, the newest first, with what it said last; those that an agreement of theirs was exchanged away from among them. */
export const phonesKept = statement({
  name: 'devices.phones_kept',
  takes: { customer_id: uuid },
  gives: {
    device_id: uuid,
    brand: text,
    model: text,
    imei1: nullable(text),
    imei2: nullable(text),
    serial: nullable(text),
    created_at: timestamptz,
    enrolled_at: nullable(timestamptz),
    released_at: nullable(timestamptz),
    last_seen_at: nullable(timestamptz),
    battery: nullable(int2),
    sims: jsonb<{ slot: number; operator: string; iccid?: string }[]>(),
    toggles: jsonb<Record<string, boolean>>(),
    location: nullable(jsonb<Record<string, unknown>>()),
  },
  text: `
    select d.device_id, d.brand, d.model, d.imei1, d.imei2, d.serial, d.created_at, d.enrolled_at, d.released_at, r.last_seen_at, r.battery, r.sims, r.toggles, r.location
    from devices d join device_reports r on r.org_id = d.org_id and r.device_id = d.device_id
    where d.org_id = $1 and d.device_id in (
      select o.device_id from devices o where o.org_id = $1 and o.customer_id = $customer_id
      union select a.device_id from agreements_view a where a.org_id = $1 and a.customer_id = $customer_id
      union select x.from_device_id from agreements_view a join phone_exchanges_view x on x.org_id = a.org_id and x.agreement_id = a.agreement_id
        where a.org_id = $1 and a.customer_id = $customer_id)
    order by d.created_at desc, d.device_id desc`,
});

/** What phones told of themselves, newest first, for as long as it is kept. */
export const eventsKept = statement({
  name: 'devices.events_kept',
  takes: { device_ids: listOf(uuid) },
  gives: { device_id: uuid, kind: text, at: timestamptz, data: jsonb<Record<string, unknown>>() },
  text: `
    select device_id, kind, at, data from device_events
    where org_id = $1 and device_id = any($device_ids) order by at desc, event_id desc`,
});

/** When phones were set up, by which way, and until when it stood. */
export const channelsKept = statement({
  name: 'devices.channels_kept',
  takes: { device_ids: listOf(uuid) },
  gives: { device_id: uuid, vendor: text, grade: text, started_at: timestamptz, ended_at: nullable(timestamptz) },
  text: `
    select device_id, vendor, grade, started_at, ended_at from enrolments
    where org_id = $1 and device_id = any($device_ids) order by started_at desc, enrolment_id desc`,
});
