import { createWaker } from '#server/commands/wake.ts';
import * as customers from '#server/customers/customers.ts';
import * as locking from '#server/locking/locking.ts';
import { createNotices } from '#server/notices/notices.ts';
import type { Desk } from './verbs.ts';

/** Locking as the server has it, for as long as `work` takes: phones that listen hear what was decided, and the customer's message waits for the server. */
export async function withLocking<T>(
  { database }: Pick<Desk, 'database'>,
  work: (one: locking.Locking) => Promise<T>,
): Promise<T> {
  const waker = createWaker(database, () => undefined);
  // No word of an answer lets a notice be delivered.
  const notices = createNotices({ waker, onDelivered: async () => undefined });
  try {
    return await work(
      locking.createLocking({ waker, notices, onReleased: customers.release, onGone: customers.uninstalled }),
    );
  } finally {
    await waker.close();
  }
}
