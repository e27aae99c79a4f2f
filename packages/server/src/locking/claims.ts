import { addDays, businessDate, instantOf, type IsoDate } from '@kist/contract/dates';
import { CLAIM_REST_DAYS } from '@kist/contract/limits';
import type { Agreement } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { insertClaimHold } from './claim-store.ts';
import type { LockingDeps } from './deps.ts';
import { factsChanged } from './dues.ts';
import { activeHolds } from './hold-store.ts';
import { lookAtPhones } from './facts.ts';
import { phoneClaimTold } from './phone-claims.ts';
import { tellShop } from './tell.ts';

/** A hold ends with its day: so many days on it has lasted 48 hours at least. */
const restUntilOn = (on: IsoDate): IsoDate => addDays(on, CLAIM_REST_DAYS);

/** When a phone that nobody reaches goes on by itself, on which it was said at this moment that it is paid: as long as we would rest. */
export const phoneRestEndMs = (saidMs: number): number => instantOf(addDays(restUntilOn(businessDate(saidMs)), 1));

/**
 * The next raise waits while the shop looks whether the money came: once for each instalment, however often it is said to be paid. Said before one is due it
 * stops nothing, and the rest is still there when that one is late.
 * @returns whether it waits for this from now on; the phone's lease is a new one then
 */
export async function restForClaim(tx: Tx, deps: LockingDeps, actor: Actor, agreement: Agreement): Promise<boolean> {
  const { agreement_id, device_id, oldest_due_on: due_on, state } = agreement;
  const on = await today(tx);
  if (state !== 'active' || due_on === null || due_on > on) return false;
  const hold_id = newId();
  const until_on = restUntilOn(on);
  const isNew = await insertClaimHold.run(tx, { hold_id, agreement_id, due_on, until_on, created_by: actor.userId });
  if (isNew === 0) return false;
  const data = { hold_id, kind: 'claim', until_on };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'hold_recorded', data });
  await factsChanged(tx, deps, [device_id]);
  return true;
}

/** @returns the day until whose end the ladder rests because somebody said it is paid; null: it does not rest for that. */
export async function restsForClaim(tx: Tx, agreement_id: string): Promise<IsoDate | null> {
  const holds = await activeHolds.all(tx, { agreement_id });
  return holds.findLast(({ kind }) => kind === 'claim')?.until_on ?? null;
}

/** The shop hears at once that a customer says it is paid, and the ladder rests. */
export async function paymentClaimed(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  agreement: Agreement,
  { paymentId, amountPaise }: { paymentId: string; amountPaise: number },
): Promise<void> {
  await phoneClaimTold(tx, agreement);
  await restForClaim(tx, deps, actor, agreement);
  const [phone] = await lookAtPhones(tx, [agreement.device_id]);
  const data = { payment_id: paymentId, amount_paise: amountPaise };
  if (phone) await tellShop(tx, [{ phone, kind: 'payment_claimed', data }]);
}
