import type { TestDatabase } from './database.ts';

/** What rang about an order to many: in whose bell, and why it stopped. */
export const rungAbout = (db: Pick<TestDatabase, 'asOwner'>, batchId: string) =>
  db.asOwner<{ user_id: string; kind: string; why: string | null; customer_id: string | null }>(
    `select user_id, kind, data ->> 'why' as why, customer_id from notifications where data ->> 'batch_id' = $1
     order by created_at, kind, user_id`,
    [batchId],
  );
