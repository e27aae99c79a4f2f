import { jsonb, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** When a phone had carried out the first unlock that was ordered from a moment on; null: it never said so. */
export const unlockedFrom = statement({
  name: 'commands.unlocked_from',
  takes: { device_id: uuid, since: timestamptz },
  gives: { applied_at: nullable(timestamptz) },
  text: `
    select min(applied_at) as applied_at from commands
    where org_id = $1 and device_id = $device_id and created_at >= $since and type = 'unlock' and applied_at is not null`,
});

/** Every order to these phones, newest first, and what became of it. */
export const ordersKept = statement({
  name: 'commands.orders_kept',
  takes: { device_ids: listOf(uuid) },
  gives: {
    device_id: uuid,
    type: text,
    reason: text,
    note: nullable(text),
    state: text,
    created_at: timestamptz,
    sent_at: nullable(timestamptz),
    applied_at: nullable(timestamptz),
    ended_at: nullable(timestamptz),
    fail_code: nullable(text),
    result: nullable(jsonb()),
  },
  text: `
    select device_id, type, reason, note, state, created_at, sent_at, applied_at, ended_at, fail_code, result from commands
    where org_id = $1 and device_id = any($device_ids) order by created_at desc, command_id desc`,
});
