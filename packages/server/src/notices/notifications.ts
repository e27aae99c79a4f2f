import { NEEDS } from '@kist/contract/access';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { type NotificationRow, findNotifications, markRead } from './store.ts';

/** The bell of the one who asks, newest first; a shop's tells of its customers. @throws KistError FEATURE_NOT_ALLOWED */
export async function ownNotifications(
  tx: Tx,
  actor: Actor,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: NotificationRow[]; total: number; page: number; page_size: number }> {
  identity.requires(actor, NEEDS.read);
  return { ...(await findNotifications(tx, actor.userId, page_size, (page - 1) * page_size)), page, page_size };
}

/** @returns how many were unread. */
export const readAll = (tx: Tx, actor: Actor): Promise<number> => markRead(tx, actor.userId);
