import type { Tx } from '#server/platform/database.ts';

export interface TimelineEntry {
  id: string;
  at: string;
  source: 'command' | 'event' | 'notice' | 'audit';
  kind: string;
  state: string | null;
  by: string | null;
  params: Record<string, unknown>;
}

/**
 * Everything that happened to one phone, from the four places where it is written down. A reading model over other slices' tables: it
 * only reads, and row-level security binds it like any other statement. Audit lines that repeat an order or an event are left out.
 */
const ENTRIES = `
  select c.command_id::text as id, c.created_at as at, 'command' as source, c.type as kind, c.state, c.requested_by::text as by_id,
    jsonb_strip_nulls(jsonb_build_object('reason', c.reason, 'note', c.note, 'code', c.fail_code, 'rule', c.verdict ->> 'rule',
      'sent_at', c.sent_at, 'applied_at', c.applied_at, 'verified_at', c.verified_at, 'ended_at', c.ended_at, 'result', c.result)) as params
  from commands c where c.org_id = kist_org() and c.device_id = $1
  union all
  select e.event_id::text, e.at, 'event', e.kind, null, null, e.data from device_events e where e.org_id = kist_org() and e.device_id = $1
  union all
  select n.notice_id::text, n.created_at, 'notice', n.kind,
    case when n.seen_at is not null then 'seen' when n.delivered_at is not null then 'delivered' when n.failed_at is not null then 'failed'
      when n.sent_at is not null then 'sent' else 'created' end, null,
    jsonb_strip_nulls(jsonb_build_object('no', n.no, 'channel', n.channel, 'due_on', n.due_on, 'delivered_at', n.delivered_at, 'seen_at', n.seen_at))
  from notices n join agreements a on a.org_id = n.org_id and a.agreement_id = n.agreement_id
  where n.org_id = kist_org() and a.device_id = $1
  union all
  select 'audit:' || l.seq, l.at, 'audit', l.action, null, l.actor ->> 'user_id', l.data
  from audit_lines l where l.org_id = kist_org() and l.subject_kind = 'device' and l.subject_id = $1::text
    and l.action not in ('command_requested', 'device_enrolled', 'device_enrolled_again', 'device_channel_beside', 'device_released')`;

export async function findTimeline(
  tx: Tx,
  deviceId: string,
  limit: number,
  offset: number,
): Promise<{ list: TimelineEntry[]; total: number }> {
  const { rows } = await tx.query<TimelineEntry>(
    `with entries as (${ENTRIES})
     select e.id, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, e.source, e.kind, e.state,
       nullif(trim(u.first_name || ' ' || u.last_name), '') as by, e.params
     from (select * from entries order by at desc, id desc limit $2 offset $3) e
     left join users u on u.org_id = kist_org() and u.user_id::text = e.by_id
     order by e.at desc, e.id desc`,
    [deviceId, limit, offset],
  );
  const { rows: counted } = await tx.query<{ total: number }>(`select count(*) as total from (${ENTRIES}) entries`, [
    deviceId,
  ]);
  return { list: rows, total: counted[0]?.total ?? 0 };
}
