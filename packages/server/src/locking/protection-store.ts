import { as, bool, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
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

/** Notes the owner's (or the shop's) word about a phone; an open one of the same kind stays as it is. With a code: where it went, and the one that was used up. */
export const insertReport = statement({
  name: 'locking.insert_report',
  takes: {
    report_id: uuid,
    device_id: uuid,
    kind: as<'theft' | 'request'>()(text),
    reported_by: as<'customer' | 'customer_code' | 'shop'>()(text),
    actor_user_id: uuid,
    note: text,
    code_mobile: nullable(text),
    code_otp_id: nullable(uuid),
  },
  text: `
    insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, note, code_mobile, code_otp_id, reported_at)
    values ($1, $report_id, $device_id, $kind, $reported_by, $actor_user_id, $note, $code_mobile, $code_otp_id, kist_now())
    on conflict (org_id, device_id, kind, reported_by) where closed_at is null do nothing`,
});

/** What was said at the owner's request ends with it; a word of theft does not end here. */
export const closeRequests = statement({
  name: 'locking.close_requests',
  takes: { device_ids: listOf(uuid) },
  text: `
    update protection_reports set closed_at = kist_now()
    where org_id = $1 and device_id = any($device_ids) and kind = 'request' and closed_at is null`,
});
