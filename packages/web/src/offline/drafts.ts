import { shopNowMs } from '#web/state/shop-clock.ts';
import { stored } from '#web/state/storage.ts';
import { idbRows } from './idb-rows.ts';

const isSignedIn = (owner: string) => owner !== '' && owner === stored('user_id');
const rows = idbRows<{ value: unknown; savedAt: string }>('drafts', isSignedIn);
const idOf = (name: string) => `${stored('user_id')}/${name}`;

/** @returns the signed-in user's draft of a form; undefined when there is none. */
export async function loadDraft<Value>(name: string): Promise<{ value: Value; savedAt: string } | undefined> {
  return (await rows.get(stored('user_id'), idOf(name))) as { value: Value; savedAt: string } | undefined;
}
/** @returns all drafts of the signed-in user. */
export const ownDrafts = async (): Promise<unknown[]> => (await rows.list(stored('user_id'))).map(({ value }) => value);
/** Keeps a form as it stands; survives a closed app and no network, and ends with the session. */
export async function saveDraft(name: string, value: unknown): Promise<void> {
  if (isSignedIn(stored('user_id')))
    await rows.put(stored('user_id'), idOf(name), { value, savedAt: new Date(shopNowMs()).toISOString() });
}
export const deleteDraft = (name: string): Promise<void> => rows.remove(idOf(name));

/** Wipes the forms of everybody who is not signed in, and the keys that open them: all of them when nobody is. */
export const keepOnlyOwnDrafts = (): Promise<void> => rows.keepOnly(stored('user_id'));
