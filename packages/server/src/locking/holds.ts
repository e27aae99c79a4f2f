import { type IsoDate, addDays } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { GRANTED_HOLDS, type HoldKind } from '@kist/contract/hold-kinds';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LockingDeps } from './deps.ts';
import { factsChanged } from './dues.ts';
import * as holdStore from './hold-store.ts';
import { assertMayHold, assertMayLiftHold } from './policy.ts';

/** What rests the locks of a customer's newest agreement today. */
export async function holdsOfCustomer(tx: Tx, given: { customer_id: string }) {
  const agreement = await agreements.ofCustomer(tx, given);
  return agreement ? holdStore.activeHolds.all(tx, { agreement_id: agreement.agreement_id }) : [];
}

/** Whether the organisation granted it, above its shops. */
export const isOrganisations = ({ created_by }: { created_by: string }): boolean =>
  created_by === identity.SYSTEM_USER_ID;

/** What a person may grant, to the end of a day; `note` is the reason. */
export interface Grant {
  customerId: string;
  kind: HoldKind;
  untilOn: IsoDate;
  note: string;
}

/**
 * Rests the ladder to the end of a day: no level rises, by people's hands neither; what holds the phone already stays, and paying opens it as ever.
 * Said again by the same person in the same words while it stands, it is the one of before: whoever had no answer makes no second one, which would go on
 * when the first is lifted.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT (no running agreement), INVALID_INPUT (a day of the past, or too far)
 */
export async function hold(tx: Tx, deps: LockingDeps, actor: Actor, given: Grant): Promise<{ hold_id: string }> {
  const customer = await customers.authorize(tx, actor, { customer_id: given.customerId });
  assertMayHold(actor);
  const agreement = await agreements.theirsToChange(tx, actor, { customer_id: customer.customer_id });
  if (agreement?.state !== 'active') throw new KistError('STATE_CONFLICT');
  const { kind, untilOn, note } = given;
  const on = await today(tx);
  if (untilOn < on || untilOn > addDays(on, LIMITS.holdDays))
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'until_on', key: 'field.hold_until' }] });
  const { agreement_id: agreementId } = agreement;
  const granted = { agreement_id: agreementId, kind, until_on: untilOn, note, created_by: actor.userId };
  // The agreement is held, so that of two at once the second one finds the first.
  const same = await holdStore.sameHold.first(tx, granted);
  if (same) return same;
  const holdId = newId();
  await holdStore.insertHold.run(tx, { hold_id: holdId, ...granted });
  const data = { hold_id: holdId, kind, until_on: untilOn };
  await audit.append(tx, { kind: 'agreement', id: agreementId, actor, action: 'hold_recorded', data });
  await factsChanged(tx, deps, [agreement.device_id]);
  return { hold_id: holdId };
}

/**
 * Ends a granted hold before its day: locks go on from here by all their rules, the days and notices of before among them.
 * @throws KistError NOT_FOUND, FORBIDDEN, FEATURE_NOT_ALLOWED, HOLD_OF_ORGANISATION, STATE_CONFLICT (lifted or over already, or none that a person granted)
 */
export async function liftHold(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { holdId: string; note: string },
): Promise<{ hold_id: string }> {
  const found = await holdStore.holdOf.first(tx, { hold_id: given.holdId });
  if (!found) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: found.customer_id });
  assertMayLiftHold(actor, { isOrganisations: isOrganisations(found) });
  // The agreement first, as everywhere.
  await agreements.theirsToChange(tx, actor, { customer_id: found.customer_id });
  const { hold_id, agreement_id, kind, is_over: isOver } = found;
  if (isOver || !(GRANTED_HOLDS as readonly HoldKind[]).includes(kind)) throw new KistError('STATE_CONFLICT');
  if ((await holdStore.liftHold.run(tx, { hold_id, lifted_by: actor.userId, lifted_note: given.note })) === 0)
    throw new KistError('STATE_CONFLICT');
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'hold_lifted',
    data: { hold_id, kind },
  });
  await factsChanged(tx, deps, [found.device_id]);
  return { hold_id };
}
