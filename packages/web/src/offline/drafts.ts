import { phoneNowMs } from '#web/state/phone-clock.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { stored } from '#web/state/storage.ts';
import { idbRows } from './idb-rows.ts';

const rows = idbRows<{ value: unknown; savedAt: string }>('drafts', (owner) => owner === stored('user_id'));
const idOf = (name: string) => `${stored('user_id')}/${name}`;

/** @returns the signed-in user's draft of a form; undefined when there is none. */
export async function loadDraft<Value>(name: string): Promise<{ value: Value; savedAt: string } | undefined> {
  return (await rows.get(stored('user_id'), idOf(name))) as { value: Value; savedAt: string } | undefined;
}
const put = (name: string, value: unknown, atMs: number): Promise<void> =>
  rows.put(stored('user_id'), idOf(name), { value, savedAt: new Date(atMs).toISOString() });
/** Keeps a form as it stands; survives a closed app and no network, and ends with the session. */
export async function saveDraft(name: string, value: unknown): Promise<void> {
  if (stored('user_id') !== '') await put(name, value, shopNowMs());
}
export const deleteDraft = (name: string): Promise<void> => rows.remove(idOf(name));

interface Words {
  words: object;
}
const isWords = (value: unknown): value is Words => typeof value === 'object' && value !== null && 'words' in value;
/** @returns all drafts of the signed-in user: of forms with steps, not the words of smaller ones. */
export const ownDrafts = async (): Promise<unknown[]> =>
  (await rows.list(stored('user_id'))).map(({ value }) => value).filter((value) => !isWords(value));

const wordsName = (name: string): string => `words/${name}`;
/** Long enough for a page that was loaded anew; what is older would go along with another change, over what stands there by then. */
const WORDS_MS = 60 * 60_000;

/** Keeps what was typed into a smaller form (state/typed.ts); of a request for an account it is nobody's yet. */
export const saveWords = (name: string, words: object): Promise<void> => put(wordsName(name), { words }, phoneNowMs());
export const deleteWords = (name: string): Promise<void> => deleteDraft(wordsName(name));
/** By this phone's clock, which is known before the server has answered; one that was set back since is no reason to keep them for longer. */
const isPast = (savedAt: string): boolean => Math.abs(phoneNowMs() - Date.parse(savedAt)) >= WORDS_MS;
/** @returns what was typed into it on an earlier page */
export async function loadWords(name: string): Promise<object | undefined> {
  const kept = await loadDraft<Words>(wordsName(name));
  if (!kept) return undefined;
  if (!isPast(kept.savedAt)) return kept.value.words;
  await deleteWords(name);
  return undefined;
}

/** Removes all that was typed too long ago: nobody may ask for it any more. */
export const deletePastWords = (): Promise<void> =>
  rows.removeThose(stored('user_id'), (_, row) => row !== undefined && isWords(row.value) && isPast(row.savedAt));

/** Removes what was typed about this customer: names of words have it among their parts. */
export const deleteWordsOf = (customerId: string): Promise<void> =>
  rows.removeThose(stored('user_id'), (id) => id.startsWith(idOf(wordsName(''))) && id.split('/').includes(customerId));

/** Wipes the forms of everybody who is not signed in, and the keys that open them: all of them when nobody is. */
export const keepOnlyOwnDrafts = (): Promise<void> => rows.keepOnly(stored('user_id'));
