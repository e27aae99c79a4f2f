import { bool, int4, known, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** One more phone that went. */
export const insertExchange = statement({
  name: 'agreements.insert_exchange',
  takes: {
    agreement_id: uuid,
    from_device_id: uuid,
    to_device_id: uuid,
    was_set_up: bool,
    first_enrolled_at: nullable(timestamptz),
    reason: text,
    made_by: uuid,
  },
  gives: { no: int4 },
  text: `
    insert into phone_exchanges (org_id, agreement_id, no, from_device_id, to_device_id, was_set_up, first_enrolled_at, reason, made_by, made_at)
    select $1, $agreement_id, coalesce(max(x.no), 0) + 1, $from_device_id, $to_device_id, $was_set_up, $first_enrolled_at, $reason, $made_by, kist_now()
    from phone_exchanges x where x.org_id = $1 and x.agreement_id = $agreement_id
    returning no`,
});

/** The agreement names the phone that came. Where the one that went was set up, or is another model, what was agreed to spoke of that one. */
export const writePhone = statement({
  name: 'agreements.write_phone',
  takes: { agreement_id: uuid, no: int4 },
  gives: { is_asked_anew: known(bool) },
  text: `
    update agreements a set device_id = x.to_device_id, version = a.version + 1, exchanged_at = case
      when x.was_set_up or kist_is_another_model(x.org_id, x.from_device_id, x.to_device_id) then x.made_at else a.exchanged_at end
    from phone_exchanges x
    where a.org_id = $1 and a.agreement_id = $agreement_id and x.org_id = $1 and x.agreement_id = $agreement_id and x.no = $no
    returning a.exchanged_at is not distinct from x.made_at as is_asked_anew`,
});
