import { NEEDS, NEEDS_OF_PREVIEW } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LOCK_REASONS, type LockReason } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';

/** A customer may have the own phone held, never for money; everyone else needs the lock access. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayLock(actor: Actor, reason: LockReason): void {
  identity.requires(actor, NEEDS.lock);
  const isOwners = reason === 'THEFT_REPORTED' || reason === 'CUSTOMER_REQUEST';
  if (actor.userType === 'customer' && !isOwners)
    throw new KistError('FEATURE_NOT_ALLOWED', { internal: LOCK_REASONS[reason].basis });
}

/** @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayUnlock(actor: Actor): void {
  identity.requires(actor, NEEDS.unlock);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
}

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
 * Disputes are closed by the shop the customer belongs to, never by the customer or a mini-retailer. It lets locks go on, so it takes the right to lock.
 * @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED
 */
export function assertMayCloseDispute(actor: Actor): void {
  identity.requires(actor, NEEDS.lock);
  if (actor.userType !== 'retailer' && actor.userType !== 'system') throw new KistError('FORBIDDEN');
}

/** To grant a hold is to be milder: it takes the right to unlock. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayHold(actor: Actor): void {
  identity.requires(actor, NEEDS.unlock);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
}

/** To lift one lets locks go on: as closing a dispute. @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED */
export const assertMayLiftHold = (actor: Actor): void => assertMayCloseDispute(actor);

/** The rules that all shops of an organisation lock under: its administrator's, and the command line's. @throws KistError FORBIDDEN */
export function assertMayGovern(actor: Actor): void {
  if (actor.userType !== 'admin' && actor.userType !== 'system') throw new KistError('FORBIDDEN');
}
