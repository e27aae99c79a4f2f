import { NEEDS } from '@kist/contract/access';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { PageBook, listName } from '#server/platform/page-book.ts';
import type { Ports } from '#server/platform/ports.ts';
import { type BellKey, type NotificationRow, countNotifications, findNotifications, markRead } from './store.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    /** Where pages of bells ended: one memory a process. */
    notices: { bells: PageBook<BellKey> };
  }
}

export const rememberBells = (): Ports['notices'] => ({ bells: new PageBook() });

/** The bell of the one who asks, newest first, by page number over keyset paging; a shop's tells of its customers, and names those that it has now. @throws KistError FEATURE_NOT_ALLOWED */
export async function ownNotifications(
  tx: Tx,
  actor: Actor,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: NotificationRow[]; total: number; page: number; page_size: number }> {
  identity.requires(actor, NEEDS.read);
  const { bells } = tx.ports.notices;
  const bell = listName([actor.orgId, actor.userId, page_size]);
  if (page === 1 || bells.total(bell) === undefined) bells.open(bell, await countNotifications(tx, actor.userId));
  const sees = { owners: actor.visibleOwnerIds, customerIds: actor.customerIds ?? [] };
  const of = { ...bells.start(bell, page, page_size), limit: page_size };
  const rows = await findNotifications(tx, actor.userId, sees, of);
  const last = rows.at(-1);
  if (last && rows.length === page_size) bells.ended(bell, page, [last.sort_key, last.notification_id]);
  const list = rows.map(({ sort_key: _key, ...row }) => row);
  return { list, total: bells.total(bell) ?? rows.length, page, page_size };
}

/** @returns how many were unread. */
export const readAll = (tx: Tx, actor: Actor): Promise<number> => markRead(tx, actor.userId);
