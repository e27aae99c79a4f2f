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

/** "I have paid" as it was said on the phone of a customer. @returns its id */
export async function phoneClaim(db: TestDatabase, { customer_id }: { customer_id: string }): Promise<string> {
  const [row] = await db.asOwner<{ claim_id: string }>(
    `insert into phone_claims (org_id, claim_id, agreement_id, customer_id, said_at)
     select org_id, gen_random_uuid(), agreement_id, customer_id, kist_now() from agreements where customer_id = $1 returning claim_id`,
    [customer_id],
  );
  return row!.claim_id;
}
