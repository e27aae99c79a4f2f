import type { Agreement } from '#server/agreements/agreements.ts';
import type { Waker } from '#server/commands/wake.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Notices } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';

/** What locking uses of the rest of the house. */
export interface LockingDeps {
  /** An order to many was asked that is carried out in parts. A hint: whoever carries them out looks by itself too. */
  batchAsked?(): void;
  waker: Waker;
  /** Vouches for dry runs of orders to many, in every process alike. Left out: those of this process stand in it alone. */
  previewKey?: Uint8Array;
  notices: Pick<Notices, 'send' | 'shownByLease' | 'shownOnPhone'>;
  /** The last instalment is paid and the phone let go: what becomes of the customer's status is not locking's business. */
  onReleased(
    tx: Tx,
    actor: Actor,
    agreement: Pick<Agreement, 'agreement_id' | 'customer_id' | 'device_id'>,
  ): Promise<void>;
  /** Nothing of ours is on a phone in use any more, by its own word or its vendor's: what becomes of the customer's status is not locking's business either. */
  onGone(tx: Tx, actor: Actor, phone: { customer_id: string }): Promise<void>;
}
