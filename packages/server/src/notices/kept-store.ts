import { as, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { NoticeKind } from './store.ts';

/** Every message about these agreements, receipts among them, newest first. */
export const messagesKept = statement({
  name: 'notices.messages_kept',
  takes: { agreement_ids: listOf(uuid) },
  gives: {
    kind: as<NoticeKind>()(text),
    channel: text,
    body: text,
    created_at: timestamptz,
    delivered_at: nullable(timestamptz),
    seen_at: nullable(timestamptz),
    failed_at: nullable(timestamptz),
  },
  text: `
    select kind, channel, body, created_at, delivered_at, seen_at, failed_at from notices
    where org_id = $1 and agreement_id = any($agreement_ids) order by created_at desc, notice_id desc`,
});
