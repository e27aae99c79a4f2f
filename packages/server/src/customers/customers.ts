import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { canSee } from './policy.ts';
import { canChangeStatus } from './rules.ts';
import * as store from './store.ts';

declare const authorized: unique symbol;
/** A customer that passed the check of who may see it. Whatever changes a customer takes this, so an unchecked row does not compile. */
export type AuthorizedCustomer = store.CustomerRow & { readonly [authorized]: true };

interface One {
  customer_id: string;
}
/** A moment, by the installation's clock or by the world's: a demonstration's is elsewhere. */
export interface TakenAt {
  at: Date;
  isRealTime: boolean;
}

/** @throws KistError NOT_FOUND, the same whether the customer does not exist or belongs to somebody else. */
export async function authorize(tx: Tx, actor: Actor, { customer_id }: One): Promise<AuthorizedCustomer> {
  return seenBy(actor, await store.find.first(tx, { customer_id }));
}

/** The same for who goes on to change it: queues up with other changes of this customer. @throws KistError NOT_FOUND */
export async function authorizeToChange(tx: Tx, actor: Actor, { customer_id }: One): Promise<AuthorizedCustomer> {
  return seenBy(actor, await store.findToChange.first(tx, { customer_id }));
}

/**
 * Looks again, with what was read after a lock: while that was waited for the customer may have passed to another shop, and `authorize` spoke of before.
 * @throws KistError NOT_FOUND
 */
export function mustStillSee(actor: Actor, of: Pick<store.CustomerRow, 'customer_id' | 'owner_user_id'>): void {
  if (!canSee(actor, of)) throw new KistError('NOT_FOUND');
}

/**
 * The customer for who brings its money: a shop that sees it, or one that it has passed on from since the money was taken (LIMITS.takenBeforeTransferDays).
 * @returns undefined where money of it is none of the caller's; `takenBefore`, of one that passed on: the moment by the installation's clock
 */
export async function ofTaker(
  tx: Tx,
  actor: Actor,
  { customer_id, taken }: One & { taken: TakenAt | undefined },
): Promise<{ customer: AuthorizedCustomer; takenBefore?: Date } | undefined> {
  const found = await store.find.first(tx, { customer_id });
  if (!found) return undefined;
  const customer = found as AuthorizedCustomer;
  if (canSee(actor, found)) return { customer };
  if (taken === undefined || actor.userType === 'customer') return undefined;
  const days = LIMITS.takenBeforeTransferDays;
  const then = await store.ownerAt.first(tx, { customer_id, at: taken.at, is_real_time: taken.isRealTime, days });
  return then && canSee(actor, { customer_id, ...then }) ? { customer, takenBefore: then.at } : undefined;
}

function seenBy(actor: Actor, customer: store.CustomerRow | undefined): AuthorizedCustomer {
  if (!customer || !canSee(actor, customer)) throw new KistError('NOT_FOUND');
  return customer as AuthorizedCustomer;
}

/** Starts a customer of this shop as a draft. */
export async function begin(
  tx: Tx,
  actor: Actor,
  { plan_id, plan_type }: { plan_id: number; plan_type: number },
): Promise<AuthorizedCustomer> {
  const customer_id = newId();
  await store.insertCustomer.run(tx, { customer_id, owner_user_id: actor.userId, plan_id, plan_type });
  const data = { plan_id, plan_type };
  await audit.append(tx, { kind: 'customer', id: customer_id, actor, action: 'customer_begun', data });
  return authorize(tx, actor, { customer_id });
}

/** A customer of a shop's book, whole. */
export type BookedCustomer = Parameters<typeof store.insertMany.run>[1]['rows'][number];

/** Writes customers whole, as a shop's book has them: no drafts. */
export async function enter(tx: Tx, actor: Actor, rows: readonly BookedCustomer[]): Promise<void> {
  await store.insertMany.run(tx, { rows });
  const ids = rows.map(({ customer_id }) => customer_id);
  const datas = rows.map(({ plan_id, plan_type }) => ({ plan_id, plan_type }));
  await audit.appendMany(tx, 'customer', ids, actor, 'customer_imported', datas);
}

/**
 * Writes fields of a customer and notes which (never what) in the audit. Of another number the database notes since when it is theirs, and which code of the one
 * before agreed to it (`agreedBy`).
 */
export async function change(
  tx: Tx,
  actor: Actor,
  {
    customer,
    fields,
    agreedBy,
  }: { customer: AuthorizedCustomer; fields: store.CustomerFields; agreedBy?: string | undefined },
): Promise<void> {
  const { customer_id, mobile } = customer;
  await store.updateCustomer.run(tx, { customer_id, fields });
  if (fields.mobile !== undefined && fields.mobile !== mobile)
    await passLogin(tx, actor, { ...customer, ...fields, mobile: fields.mobile });
  const changed = Object.keys(fields).filter((name) => name !== 'search');
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'customer_changed',
    data: { fields: changed.toSorted(), ...(agreedBy !== undefined && { otp_id: agreedBy }) },
  });
}

/**
 * Whoever has the old number is not the customer any more; the new one has told no code yet. One that comes back before the other ever spoke is whose it was: it
 * signs in again. After the number is written: the database notes with it who signed in until then.
 */
async function passLogin(
  tx: Tx,
  actor: Actor,
  {
    customer_id,
    mobile,
    first_name,
    last_name,
  }: Pick<AuthorizedCustomer, 'customer_id' | 'mobile' | 'first_name' | 'last_name'>,
): Promise<void> {
  await identity.endCustomerLogin(tx, actor, { customer_id, why: 'mobile_changed' });
  const back = await store.loginThatCameBack.first(tx, { customer_id });
  if (back) await identity.giveLoginBack(tx, actor, { customer_id, mobile, first_name, last_name, ...back });
}

/**
 * The number that the customer had all the time comes back whenever it likes.
 * @throws KistError NUMBER_CHANGED_OFTEN, with when it ends: each change without a code from the number that goes writes to two numbers
 */
export async function mayChangeNumber(tx: Tx, { customer_id, to }: One & { to: string }): Promise<void> {
  const { changes, waits_s, comes_back } = await store.unagreedNumbers.one(tx, { customer_id, to });
  if (changes >= LIMITS.numberChangesPerDay && !comes_back)
    throw new KistError('NUMBER_CHANGED_OFTEN', { retryAfterS: Math.max(1, waits_s) });
}

/** Told with its move, then written. */
async function move(
  tx: Tx,
  actor: Actor,
  {
    customer_id,
    from,
    to,
    reason,
    fields,
  }: One & { from: number; to: number; reason: string; fields: store.CustomerFields },
): Promise<void> {
  await store.insertMove.run(tx, { customer_id, from_status: from, to_status: to, moved_by: actor.userId, reason });
  await store.updateCustomer.run(tx, { customer_id, fields: { ...fields, status: to } });
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'status_changed',
    data: { from, to, reason },
  });
}

/** @param reason why, in the history of the customer's statuses @throws KistError NOT_FOUND; STATE_CONFLICT when the product rules know no such step. */
export async function changeStatus(
  tx: Tx,
  actor: Actor,
  { customer_id, status, reason }: One & { status: number; reason: string },
): Promise<void> {
  const customer = await store.findToChange.first(tx, { customer_id });
  if (!customer) throw new KistError('NOT_FOUND');
  const change = { from: customer.status, to: status };
  if (change.from === change.to) return;
  if (!canChangeStatus(change.from, change.to)) throw new KistError('STATE_CONFLICT', { params: change });
  await move(tx, actor, { customer_id, ...change, reason, fields: { is_draft: false } });
}

/** An active customer becomes this; one that was not active stays what it was. @throws KistError NOT_FOUND */
async function becomeIfActive(tx: Tx, actor: Actor, { customer_id }: One, status: number, reason: string) {
  const customer = await store.findToChange.first(tx, { customer_id });
  if (!customer) throw new KistError('NOT_FOUND');
  if (canChangeStatus(customer.status, status)) await changeStatus(tx, actor, { customer_id, status, reason });
}

/** The phone is paid off and let go. Who pays everything before it is set up, or after it was given up, pays all the same. @throws KistError NOT_FOUND */
export const release = (tx: Tx, actor: Actor, one: One): Promise<void> =>
  becomeIfActive(tx, actor, one, CUSTOMER_STATUS.deactivate, 'phone let go');

/** Nothing of ours is on the phone any more. @throws KistError NOT_FOUND */
export const uninstalled = (tx: Tx, actor: Actor, one: One): Promise<void> =>
  becomeIfActive(tx, actor, one, CUSTOMER_STATUS.uninstall, 'agent removed');

/**
 * Another phone came in the place of the one that was set up, and waits for its own set-up. The database lets nobody begin anew without an exchange.
 * @throws KistError STATE_CONFLICT of one whose phone was let go for good
 */
export async function beginAnew(tx: Tx, actor: Actor, { customer }: { customer: AuthorizedCustomer }): Promise<void> {
  const { customer_id, status: from } = customer;
  const status = CUSTOMER_STATUS.inactive;
  if (from === status) return;
  if (from === CUSTOMER_STATUS.deactivate) throw new KistError('STATE_CONFLICT');
  await move(tx, actor, { customer_id, from, to: status, reason: 'phone exchanged', fields: {} });
}

/** Removes a draft for good. @throws KistError STATE_CONFLICT when an agreement or an enrolment stands behind it. */
export async function discard(
  tx: Tx,
  actor: Actor,
  { customer, reason }: { customer: AuthorizedCustomer; reason?: string | undefined },
): Promise<void> {
  if (!customer.is_draft) throw new KistError('STATE_CONFLICT');
  const { customer_id } = customer;
  await identity.endCustomerLogin(tx, actor, { customer_id, why: 'draft_deleted' });
  await store.deleteCustomer.run(tx, { customer_id });
  const data = reason === undefined ? {} : { reason };
  await audit.append(tx, { kind: 'customer', id: customer_id, actor, action: 'draft_deleted', data });
}

/** Drafts in which nobody wrote for so many days, the oldest first; those that somebody writes in now are left out. */
export const untouchedDrafts = async (tx: Tx, asked: { days: number; slice: number }): Promise<string[]> =>
  (await store.untouchedDrafts.all(tx, asked)).map(({ customer_id }) => customer_id);

export { canSee } from './policy.ts';
export { type Clause, type SaidTerms, confirmConsent, consentConfirmation, sendConsentCode } from './confirmations.ts';
export { dealOf } from './deals.ts';
export { assertMayOweAgain, assertNotErased, dropEvidence, erase, erasureOf } from './erasure.ts';
export { countOf, holdForTransfer, passOn } from './transfers.ts';
export { assertEditOffered, editsOffered, isEditOffered } from './edits.ts';
export { confirmationsKept, numberChangesKept, transfersKept } from './kept-store.ts';
export { identityFields, isUnpaidFor, maskPan, searchText } from './rules.ts';

/** What customers are called, whoever asks: the caller has found them among its own. */
export async function namesOf(tx: Tx, customerIds: readonly string[]): Promise<Map<string, string>> {
  const found = await store.namesOf.all(tx, { customer_ids: customerIds });
  return new Map(found.map(({ customer_id, name }) => [customer_id, name]));
}
