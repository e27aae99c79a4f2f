import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** Whether anybody could sell a phone in an organisation: its retailers, plans on sale, and free keys of all shops and types. */
export type SellingState = Awaited<ReturnType<typeof sellingState>>;

/** What the organisation of this transaction has to sell with. */
export const sellingState = (tx: Tx) => store.sellingState.one(tx, {});
