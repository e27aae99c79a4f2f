import { as, bool, int4, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { Channel, NoticeKind } from './store.ts';

/** A link opens so long after the last message of an agreement that is over. */
const OPEN_DAYS_AFTER = 180;

/** Which number of link is good, of those agreements where it is not the first. */
export const numbers = statement({
  name: 'notices.link_numbers',
  takes: { agreement_ids: listOf(uuid) },
  gives: { agreement_id: uuid, no: int4 },
  text: 'select agreement_id, no from notice_link_numbers where org_id = $1 and agreement_id = any($agreement_ids)',
});

/** The next number. */
export const nextNumber = statement({
  name: 'notices.next_link_number',
  takes: { agreement_id: uuid, changed_by: uuid },
  gives: { no: int4 },
  text: `
    insert into notice_link_numbers as l (org_id, agreement_id, no, changed_at, changed_by)
    values ($1, $agreement_id, 2, kist_now(), $changed_by)
    on conflict (org_id, agreement_id) do update set no = l.no + 1, changed_at = kist_now(), changed_by = excluded.changed_by
    returning no`,
});

/** The next number of each of many, whenever the last was made. */
export const nextNumbers = statement({
  name: 'notices.next_link_numbers',
  takes: { agreement_ids: listOf(uuid), changed_by: uuid },
  text: `
    insert into notice_link_numbers as l (org_id, agreement_id, no, changed_at, changed_by)
    select $1, id, 2, kist_now(), $changed_by from unnest($agreement_ids) id order by id
    on conflict (org_id, agreement_id) do update set no = l.no + 1, changed_at = kist_now(), changed_by = excluded.changed_by`,
});

/** What a link's page may open: a running agreement, or one whose last message is not long ago. */
export const opened = statement({
  name: 'notices.opened_agreement',
  takes: { agreement_id: uuid },
  gives: { customer_id: uuid, device_id: uuid, no: int4, is_open: bool },
  text: `
    select a.customer_id, a.device_id, coalesce(l.no, 1) as no, a.state = 'active' or exists (
      select from notices n where n.org_id = $1 and n.agreement_id = a.agreement_id and n.created_at > kist_now() - interval '${OPEN_DAYS_AFTER} days'
    ) as is_open
    from agreements_view a left join notice_link_numbers l on l.org_id = a.org_id and l.agreement_id = a.agreement_id
    where a.org_id = $1 and a.agreement_id = $agreement_id`,
});

/** What was told about an agreement, the newest first; receipts have papers of their own. */
export const messagesOf = statement({
  name: 'notices.messages_of',
  takes: { agreement_id: uuid },
  gives: {
    kind: as<NoticeKind>()(text),
    channel: as<Channel>()(text),
    body: text,
    created_at: timestamptz,
    sent_at: nullable(timestamptz),
    delivered_at: nullable(timestamptz),
    failed_at: nullable(timestamptz),
  },
  text: `
    select kind, channel, body, created_at, sent_at, delivered_at, failed_at from notices
    where org_id = $1 and agreement_id = $agreement_id and kind <> 'receipt' order by created_at desc, notice_id desc limit 100`,
});
