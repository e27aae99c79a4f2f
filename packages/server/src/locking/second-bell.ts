import type { Need } from '@kist/contract/access';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { couldAgree } from './override-store.ts';
import { notifyUsers } from './store.ts';

/** What rings. `data` holds codes, ids and numbers only: the words of a no are read where they are kept. */
interface Ring {
  kind: `${'override' | 'batch' | 'waiver'}_${'asked' | 'decided'}` | 'batch_stopped';
  data: Record<string, string | number>;
  customerId: string | null;
}

const lineFor = (user_id: string, { kind, data, customerId }: Ring) => ({
  user_id,
  notification_id: newId(),
  kind,
  data,
  customer_id: customerId,
});

/**
 * It waits for a second person from now on: whoever may be that hears of it, the administrator without the customer.
 * @param said.owner whose customers it is about
 * @param said.needs what it takes to agree
 */
export async function ringSecond(
  tx: Tx,
  asker: Actor,
  { owner, needs, ...said }: Ring & { owner: string; needs: readonly Need[] },
): Promise<void> {
  const asked = await identity.askedOfAnother(tx, asker.userId);
  const lines: ReturnType<typeof lineFor>[] = [];
  for (const { user_id } of await couldAgree.all(tx, { owner, asked_by: asker.userId })) {
    const { actor } = await identity.actorOfUser(tx, { userId: user_id });
    if (!identity.isSecond(actor, asked, needs)) continue;
    lines.push(lineFor(user_id, actor.userType === 'admin' ? { ...said, customerId: null } : said));
  }
  await notifyUsers(tx, lines, 'no');
}

/** What became of it, to who asked; nothing to who decided themselves. @param by undefined: it ended by itself */
export async function ringAsker(tx: Tx, askedBy: string, by: Actor | undefined, said: Ring): Promise<void> {
  if (by?.userId !== askedBy) await notifyUsers(tx, [lineFor(askedBy, said)], 'no');
}
