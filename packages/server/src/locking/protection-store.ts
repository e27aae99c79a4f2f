import { as, bool, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** In whose part a word of theft is taken back. */
export type LiftedAs = 'customer' | 'customer_code' | 'organisation';

/** The owner's own open reports about a phone, by the session or the code; what a shop noted is not among them. */
export const ownReports = statement({
  name: 'locking.own_reports',
  takes: { device_id: uuid },
  gives: {
    kind: as<'theft' | 'request'>()(text),
    reported_at: timestamptz,
    reported_by: as<'customer' | 'customer_code'>()(text),
  },
  text: `
    select kind, reported_at, reported_by from protection_reports
    where org_id = $1 and device_id = $device_id and reported_by <> 'shop' and closed_at is null order by reported_at`,
});

/** Every open word of theft about a phone ends, by whose word and why. */
export const closeThefts = statement({
  name: 'locking.close_thefts',
  takes: {
    device_id: uuid,
    closed_as: as<LiftedAs>()(text),
    closed_by: uuid,
    reason: text,
    closed_otp_id: nullable(uuid),
  },
  text: `
    update protection_reports set closed_at = kist_now(), closed_as = $closed_as, closed_by = $closed_by, closed_reason = $reason, closed_otp_id = $closed_otp_id
    where org_id = $1 and device_id = $device_id and kind = 'theft' and closed_at is null`,
});

/** Whether a code to the customer's number proves anything: they told one from there, and no shop logs in with it. */
export const ownNumber = statement({
  name: 'locking.own_number',
  takes: { customer_id: uuid },
  gives: { is_confirmed: nullable(bool) },
  text: `select is_confirmed from number_confirmations_view where org_id = $1 and customer_id = $customer_id`,
});
