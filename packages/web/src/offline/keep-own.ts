import { stored } from '#web/state/storage.ts';
import { keepOnlyOwnDrafts } from './drafts.ts';
import { dropHandedKeys } from './idb-rows.ts';
import { keepOnlyOwnReads } from './kept-reads.ts';

/** Wipes what belongs to everybody who is not signed in, and the keys that open it. Payments that wait stay, and shut: their key went with the session. */
export async function keepOnlyOwn(): Promise<void> {
  await Promise.all([keepOnlyOwnDrafts(), keepOnlyOwnReads(), dropHandedKeys(stored('user_id'))]);
}
