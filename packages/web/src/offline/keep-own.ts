import { stored } from '#web/state/storage.ts';
import { deletePastWords, keepOnlyOwnDrafts } from './drafts.ts';
import { dropHandedKeys, keepHandedKey } from './idb-rows.ts';
import { keepOnlyOwnReads } from './kept-reads.ts';

/** Wipes what belongs to everybody who is not signed in, and the keys that open it, and of one's own the words that were typed too long ago. Payments that wait stay, and shut: their key went with the session. */
export async function keepOnlyOwn(): Promise<void> {
  await Promise.all([keepOnlyOwnDrafts().then(deletePastWords), keepOnlyOwnReads(), dropHandedKeys(stored('user_id'))]);
}

/**
 * What a fresh session does to this phone: its key is kept, and what others left goes at once, not only with the next page. Half a request for an account
 * is nobody's and may be anybody's: it outlives a page that was loaded anew, but neither the way back to the login, where its form gives it up, nor a sign-in,
 * for who signs in need not be who typed it.
 */
export async function keepOnlyOwnFrom(owner: string, sealKey: string): Promise<void> {
  keepHandedKey(owner, sealKey);
  await keepOnlyOwn();
}
