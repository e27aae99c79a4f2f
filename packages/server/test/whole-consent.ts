import { createHash } from 'node:crypto';
import type { ConsentPart } from '@kist/contract/customers';
import { recordConsent } from '#server/agreements/agreements.ts';
import { insertConfirmation } from '#server/customers/confirmation-store.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { TestDatabase } from './database.ts';
import { newId } from '#server/platform/ids.ts';

const TEXT = 'I agree.';

interface Code {
  customerId: string;
  purpose: 'CONSENT' | 'TERMS' | 'NUMBER' | 'THEFT_REPORT' | 'THEFT_LIFT';
  about: Buffer | null;
}
/** Runs beside the transaction, and is over when it goes on. */
type Beside = Pick<TestDatabase, 'asOwner'>;

/** Makes a code for a customer, by whatever runs `query`. */
export async function madeCode(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  orgId: number,
  { customerId, purpose, about }: Code,
): Promise<string> {
  const otp_id = newId();
  await query(
    `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, customer_id, about_hash, code_hash, created_at, expires_at)
     values ($5, $1, '', 'counter', '', $2, $3, $4, '', now(), now() + interval '5 minutes')`,
    [otp_id, purpose, customerId, about, orgId],
  );
  return otp_id;
}

/** A code that went to a customer before and is used up by this transaction, as whoever keeps what it was told for names it. */
export async function usedCode(tx: Pick<Tx, 'query' | 'orgId'>, beside: Beside, code: Code): Promise<string> {
  const otp_id = await madeCode((text, values) => beside.asOwner(text, values), tx.orgId!, code);
  await tx.query('update otps set consumed_at = now() where otp_id = $1', [otp_id]);
  return otp_id;
}

/** The customer's yes to new terms, as a version of the schedule names it. */
export async function agreedTerms(
  tx: Pick<Tx, 'query' | 'orgId'>,
  beside: Beside,
  customerId: string,
): Promise<{ otp_id: string; hash: Buffer }> {
  const hash = createHash('sha256').update(newId()).digest();
  return { otp_id: await usedCode(tx, beside, { customerId, purpose: 'TERMS', about: hash }), hash };
}

/** The rows of a consent that counts, as they would be after the customer signed and told the code: signature, confirmation of the number, consent; or of one that lacks one. */
export async function giveWholeConsent(
  tx: Tx,
  actor: Actor,
  {
    customerId,
    agreementId,
    lacks,
    beside,
  }: { customerId: string; agreementId: string; lacks?: ConsentPart | undefined; beside: Beside },
): Promise<void> {
  const [document_id, confirmation_id] = [newId(), newId()];
  const clause = { text_version: '1', language: 'en' };
  await tx.query(
    `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at)
     values (kist_org(), $1, $2, 'signature', 'image/png', 1, '\\x00', '\\x00', $3, kist_now())`,
    [document_id, customerId, actor.userId],
  );
  const { rows } = await tx.query<{ mobile: string }>('select mobile from customers where customer_id = $1', [
    customerId,
  ]);
  const text_hash = createHash('sha256').update(TEXT).digest();
  if (lacks !== 'code')
    await insertConfirmation.run(tx, {
      ...clause,
      confirmation_id,
      customer_id: customerId,
      mobile: rows[0]!.mobile,
      text_hash,
      deal_hash: null,
      otp_id: await usedCode(tx, beside, { customerId, purpose: 'CONSENT', about: text_hash }),
      confirmed_by: actor.userId,
    });
  await recordConsent(tx, actor, {
    ...clause,
    agreement_id: agreementId,
    text: TEXT,
    method: 'signature',
    document_id: lacks === 'signature' ? null : document_id,
    confirmation_id: lacks === 'code' ? null : confirmation_id,
  });
}
