import { stored } from '#web/state/storage.ts';
import { idbRows } from './idb-rows.ts';

const rows = idbRows<{ value: unknown; savedAt: string }>('drafts');
const idOf = (name: string) => `${stored('user_id')}/${name}`;

/** @returns the signed-in user's draft of a form; undefined when there is none. */
export async function loadDraft<Value>(name: string): Promise<{ value: Value; savedAt: string } | undefined> {
  return (await rows.get(stored('user_id'), idOf(name))) as { value: Value; savedAt: string } | undefined;
}
/** Keeps a form as it stands; survives a dead session, a closed app and no network. */
export async function saveDraft(name: string, value: unknown): Promise<void> {
  await rows.put(stored('user_id'), idOf(name), { value, savedAt: new Date().toISOString() });
}
export const deleteDraft = (name: string): Promise<void> => rows.remove(idOf(name));
