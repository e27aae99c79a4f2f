import { int4, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Deletes a slice of old orders that have ended and locked nothing; migration 0222 keeps the others from anybody. */
export const forgetOrders = statement({
  name: 'commands.forget_orders',
  takes: { days: int4, slice: int4 },
  isPlannedEachTime: true,
  text: `
    delete from commands where org_id = $1 and command_id in (
      select command_id from commands where org_id = $1 and created_at < kist_now() - make_interval(days => $days)
        and state in ('REFUSED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED') and (type not in ('lock', 'unlock') or state = 'REFUSED')
      order by created_at limit $slice)`,
});

/** Why a second person said no to orders to many that an erased customer was among. That there was a no stays. */
export const forgetRefusals = statement({
  name: 'commands.forget_refusals',
  takes: { customer_id: uuid },
  text: `
    update batches b set refusal_note = '—'
    where b.org_id = $1 and b.refusal_note is not null and b.refusal_note <> '—' and exists (
      select from batch_parts p where p.org_id = $1 and p.batch_id = b.batch_id and $customer_id = any(p.customer_ids))`,
});

/** What was noted beside orders to an erased customer's phones, and what came of them: a place, a SIM card. The orders stay as long as any. */
export const forgetNotes = statement({
  name: 'commands.forget_notes',
  takes: { customer_id: uuid },
  text: `
    update commands c set note = null, result = null from devices_view d
    where c.org_id = $1 and d.org_id = $1 and d.customer_id = $customer_id and c.device_id = d.device_id and (c.note is not null or c.result is not null)`,
});
