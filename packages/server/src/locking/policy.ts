import { KistError } from '@kist/contract/errors';
import { LOCK_REASONS, type LockReason } from '@kist/contract/lock-policy';
import { canOrder } from '#server/commands/policy.ts';
import type { Actor } from '#server/identity/actor.ts';

/** A customer may have the own phone held, never for money; everyone else needs the lock access. @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayLock(actor: Actor, reason: LockReason): void {
  const isAllowed =
    actor.userType === 'customer'
      ? reason === 'THEFT_REPORTED' || reason === 'CUSTOMER_REQUEST'
      : canOrder(actor, 'lock');
  if (!isAllowed) throw new KistError('FEATURE_NOT_ALLOWED', { internal: LOCK_REASONS[reason].basis });
}

/** @throws KistError FEATURE_NOT_ALLOWED */
export function assertMayUnlock(actor: Actor): void {
  if (actor.userType === 'customer' || !canOrder(actor, 'unlock')) throw new KistError('FEATURE_NOT_ALLOWED');
}

/** A mini-retailer locks one by one unless its access says otherwise. @throws KistError FORBIDDEN, FEATURE_NOT_ALLOWED */
export function assertMayBulk(actor: Actor, command: 'lock' | 'unlock'): void {
  if (actor.userType === 'miniretailer' && actor.access.bulk_retailer !== '1') throw new KistError('FORBIDDEN');
  if (actor.userType === 'customer' || !canOrder(actor, command)) throw new KistError('FEATURE_NOT_ALLOWED');
}

/** Disputes are closed by the shop the customer belongs to, never by the customer or a mini-retailer. @throws KistError FORBIDDEN */
export function assertMayCloseDispute(actor: Actor): void {
  if (actor.userType !== 'retailer' && actor.userType !== 'system') throw new KistError('FORBIDDEN');
}
