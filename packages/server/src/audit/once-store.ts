import { bool, jsonb, nothing, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { AuditData } from './audit.ts';

/** One after the other, so that the second sees what the first wrote. */
export const queueUp = statement({
  name: 'audit.queue_up',
  takes: { kind: text, id: text, action: text },
  gives: { taken: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('audit once ' || ($1::integer)::text || $kind || $id || $action, 0)) as taken`,
});

export const isThere = statement({
  name: 'audit.is_there',
  takes: { kind: text, id: text, session_id: text, action: text, data: jsonb<AuditData>() },
  gives: { there: bool },
  text: `
    select exists (select from audit_lines where org_id = $1 and subject_kind = $kind and subject_id = $id and action = $action
      and actor ->> 'session_id' = $session_id and data = $data) as there`,
});
