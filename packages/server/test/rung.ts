import type { Actor } from '#server/identity/identity.ts';
import { ownNotifications, rememberBells } from '#server/notices/notifications.ts';
import type { Ports } from '#server/platform/ports.ts';
import type { TestDatabase } from './database.ts';

/** What rang about an order to many: in whose bell, and why it stopped. */
export const rungAbout = (db: Pick<TestDatabase, 'asOwner'>, batchId: string) =>
  db.asOwner<{ user_id: string; kind: string; why: string | null; customer_id: string | null }>(
    `select user_id, kind, data ->> 'why' as why, customer_id from notifications where data ->> 'batch_id' = $1
     order by created_at, kind, user_id`,
    [batchId],
  );

/** What somebody's bell tells them, the newest twenty lines. */
export const bellLines = async (db: Pick<TestDatabase, 'with'>, actor: Actor) => {
  const reading = db.with({ notices: rememberBells() } as Ports);
  return (await reading.read(actor.orgId, (tx) => ownNotifications(tx, actor, { page: 1, page_size: 20 }))).list;
};
