import type { Actor } from '#server/identity/identity.ts';
import type { TestDatabase } from './database.ts';

/** A lock by the organisation's decision that the actor asked for, whatever the gate would say of it. @returns its id */
export async function overrideAsk(
  db: TestDatabase,
  { userId }: Actor,
  { customer_id, note }: { customer_id: string; note: string },
): Promise<string> {
  const [row] = await db.asOwner<{ ask_id: string }>(
    `insert into override_asks (org_id, ask_id, device_id, agreement_id, note, asked_by, asked_at, ends_at)
     select org_id, gen_random_uuid(), device_id, agreement_id, $3, $2, kist_now(), kist_now() + interval '1 day'
     from agreements where customer_id = $1 returning ask_id`,
    [customer_id, userId, note],
  );
  return row!.ask_id;
}
