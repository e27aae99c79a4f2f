import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Agreement } from './agreements.ts';
import * as store from './exchange-store.ts';
import { keepTerms } from './revise.ts';

/** Which phone comes in the place of the agreement's, and what is known of the one that goes. */
export interface Exchanging {
  to_device_id: string;
  /** False: only a number is put right, of a phone that nobody ever set up. */
  was_set_up: boolean;
  first_enrolled_at: Date | null;
  reason: string;
}

/**
 * The agreement names another phone from now on, by a row that tells which went and why. Where the one that goes was set up, the schedule gets its next
 * version, with the same terms and the same instalments: not a paisa moves.
 * @param agreement taken by this transaction; the phone that goes is let go already
 * @returns the version of the schedule in force, and whether the customer has to agree anew: to another phone, or another model than the wrong number's
 * @throws KistError STATE_CONFLICT of an agreement that is not active
 */
export async function exchange(
  tx: Tx,
  actor: Actor,
  agreement: Agreement,
  { to_device_id, was_set_up, first_enrolled_at, reason }: Exchanging,
): Promise<{ schedule_version: number; is_asked_anew: boolean }> {
  if (agreement.state !== 'active') throw new KistError('STATE_CONFLICT');
  const { agreement_id, device_id: from_device_id } = agreement;
  const phones = { from_device_id, to_device_id, was_set_up };
  const { no } = await store.insertExchange.one(tx, {
    agreement_id,
    ...phones,
    first_enrolled_at,
    reason,
    made_by: actor.userId,
  });
  const { is_asked_anew } = await store.writePhone.one(tx, { agreement_id, no });
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: was_set_up ? 'phone_exchanged' : 'phone_corrected',
    data: { no, ...phones, reason },
  });
  const schedule_version = was_set_up
    ? await keepTerms(tx, actor, agreement, { cause: 'imei_swap', reason })
    : agreement.schedule_version;
  return { schedule_version, is_asked_anew };
}
