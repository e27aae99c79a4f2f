import type { TestDatabase } from './database.ts';

/** What was answered was answered seven days earlier: nobody can take it further any more, and it stops nothing. */
export const answeredLongAgo = ({ db }: { db: TestDatabase }, disputeId: string) =>
  db.plant(
    ['disputes', 'dispute_moves'],
    `with move as (update dispute_moves set moved_at = moved_at - interval '7 days' where dispute_id = $1)
     update disputes set state_since = state_since - interval '7 days' where dispute_id = $1`,
    [disputeId],
  );
