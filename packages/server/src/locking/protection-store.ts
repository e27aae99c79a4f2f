import { as, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** The owner's own open reports about a phone; what a shop noted is not among them. */
export const ownReports = statement({
  name: 'locking.own_reports',
  takes: { device_id: uuid },
  gives: { kind: as<'theft' | 'request'>()(text), reported_at: timestamptz },
  text: `
    select kind, reported_at from protection_reports
    where org_id = $1 and device_id = $device_id and reported_by = 'customer' and closed_at is null order by reported_at`,
});
