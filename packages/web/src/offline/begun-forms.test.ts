// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { store } from '#web/state/storage.ts';
import { forgetForm, formsLostAtLogout, NEW_SLOT, slotOf } from './begun-forms.ts';
import { keepOnlyOwnDrafts, loadDraft, saveDraft, saveWords } from './drafts.ts';

beforeEach(async () => {
  store('user_id', '');
  await keepOnlyOwnDrafts();
  store('user_id', 'sunita');
});
/** Whose form lies under each name. */
const kept = async (...names: string[]) =>
  Promise.all(names.map(async (name) => (await loadDraft<{ customerId?: string }>(name))?.value.customerId));

it('a draft that was deleted does not come back with the next "Add", wherever this phone kept it', async () => {
  await saveDraft(NEW_SLOT, { customerId: 'c-1' });
  await saveDraft(slotOf('c-1'), { customerId: 'c-1' });
  await saveDraft(slotOf('c-2'), { customerId: 'c-2' });
  await forgetForm('c-1');
  expect(await kept(NEW_SLOT, slotOf('c-1'), slotOf('c-2'))).toEqual([undefined, undefined, 'c-2']);
});

it('a form begun with "Add" stays when another customer’s draft is deleted', async () => {
  await saveDraft(NEW_SLOT, { customerId: 'c-2' });
  await saveDraft(slotOf('c-1'), { customerId: 'c-1' });
  await forgetForm('c-1');
  expect(await kept(NEW_SLOT, slotOf('c-1'))).toEqual(['c-2', undefined]);
});

it('log-out warns of a sale that was begun, not of a few words in another form', async () => {
  await saveWords('hold/c-1', { reason: 'In hospital' });
  expect(await formsLostAtLogout()).toBeNull();
  await saveDraft(NEW_SLOT, {});
  expect(await formsLostAtLogout()).toBe('whole');
});
