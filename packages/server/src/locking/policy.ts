import { NEEDS, NEEDS_OF_PREVIEW } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LOCK_REASONS, type LockReason, MANY_LOCK_REASONS } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { UnlockReason } from './unlocking.ts';

/** A customer may have the own phone held, never for money; everyone else needs the lock access. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayLock(actor: Actor, reason: LockReason): void {
  identity.requires(actor, reason === 'THEFT_REPORTED' ? [...NEEDS.lock, ...NEEDS.theft] : NEEDS.lock);
  const isOwners = reason === 'THEFT_REPORTED' || reason === 'CUSTOMER_REQUEST';
  if (actor.userType === 'customer' && !isOwners)
    throw new KistError('FEATURE_NOT_ALLOWED', { internal: LOCK_REASONS[reason].basis });
}

/** Never a theft lock, whoever may unlock: only its owner's word ends it, or the organisation's. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayUnlock(actor: Actor, reason: LockReason): asserts reason is UnlockReason {
  identity.requires(actor, NEEDS.unlock);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  assertNotTheft(reason);
}

/** @throws KistError FEATURE_NOT_ALLOWED */
export function assertNotTheft(reason: LockReason): asserts reason is UnlockReason {
  if (reason === 'THEFT_REPORTED') throw new KistError('FEATURE_NOT_ALLOWED');
}

/**
 * Many are locked for what they owe, and for nothing that is about one phone. To free, every reason will do but a theft.
 * @throws KistError FEATURE_NOT_ALLOWED, INVALID_INPUT
 */
export function assertForMany(command: 'lock' | 'unlock', reason: LockReason): void {
  assertNotTheft(reason);
  if (command === 'lock' && !MANY_LOCK_REASONS.includes(reason))
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'reason', key: 'field.choice' }] });
}

/** A shop's part in a theft: a word of its own, not the one that locks for money. @throws KistError FEATURE_NOT_ALLOWED */
export const assertMayTheft = (actor: Actor): void => identity.requires(actor, NEEDS.theft);

/** Asking what the gate would say is asking what is owed. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayPreview(actor: Actor, reason: LockReason): void {
  identity.requires(actor, NEEDS_OF_PREVIEW.lock);
  assertMayLock(actor, reason);
}

/**
 * A mini-retailer locks one by one unless its access says otherwise. A dry run orders nothing: it only reads how customers stand.
 * @throws KistError FEATURE_NOT_ALLOWED
 */
export function assertMayBulk(actor: Actor, command: 'lock' | 'unlock', dryRun: boolean): void {
  identity.requires(actor, command === 'lock' ? NEEDS.bulkLock : NEEDS.bulkUnlock);
  if (dryRun) identity.requires(actor, NEEDS.read);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
}

/**
 * Disputes are answered by the shop the customer belongs to or its organisation, never by the customer or a mini-retailer. It lets locks go on, so it
 * takes the right to lock.
 * @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED
 */
export function assertMayCloseDispute(actor: Actor): void {
  identity.requires(actor, NEEDS.lock);
  if (!['retailer', 'admin', 'system'].includes(actor.userType)) throw new KistError('FORBIDDEN');
}

/** What the shop has answered already, or the customer says for the third time, is judged by somebody above it. @throws KistError FORBIDDEN */
export const assertMayAnswerForOrganisation = (actor: Actor): void => assertMayGovern(actor);

/** To grant a hold is to be milder: it takes the right to unlock. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayHold(actor: Actor): void {
  identity.requires(actor, NEEDS.unlock);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
}

/**
 * To lift one lets locks go on, so it takes the right to lock; never the customer's or a mini-retailer's. What the organisation granted is no shop's to end.
 * @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED, HOLD_OF_ORGANISATION
 */
export function assertMayLiftHold(actor: Actor, { isOrganisations }: { isOrganisations: boolean }): void {
  identity.requires(actor, NEEDS.lock);
  if (actor.userType !== 'retailer' && actor.userType !== 'system') throw new KistError('FORBIDDEN');
  if (isOrganisations && actor.userType !== 'system') throw new KistError('HOLD_OF_ORGANISATION');
}

/** The rules that all shops of an organisation lock under: its administrator's, and the command line's. @throws KistError FORBIDDEN */
export function assertMayGovern(actor: Actor): void {
  if (actor.userType !== 'admin' && actor.userType !== 'system') throw new KistError('FORBIDDEN');
}
