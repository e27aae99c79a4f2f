// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, expect, it } from 'vitest';
import { NEW_SLOT } from '#web/offline/begun-forms.ts';
import { keepOnlyOwnDrafts, loadDraft } from '#web/offline/drafts.ts';
import { store } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import type { LocalForm, OpenedForm } from './draft.ts';
import { findForm } from './local-forms.ts';
import { useForm } from './use-form.ts';

beforeEach(async () => {
  store('user_id', '');
  await keepOnlyOwnDrafts();
  store('user_id', 'sunita');
});

const empty = { values: {}, step: 'identity', customerId: undefined } as unknown as OpenedForm;
function open() {
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={makeStore()}>{children}</Provider>;
  return renderHook(() => useForm(empty, NEW_SLOT, 'identity', () => undefined), { wrapper });
}
/** The page is left, as when the app is closed. */
const leave = () =>
  act(() => {
    window.dispatchEvent(new Event('pagehide'));
  });
const kept = async () => {
  await findForm(undefined);
  return (await loadDraft<LocalForm>(NEW_SLOT))?.value.values;
};

it('what was typed is there when the page is left, without the PAN and the tick', async () => {
  const { result } = open();
  act(() =>
    result.current.set({ 'customer.first_name': 'Meena', 'customer.pan': 'ABCDE1234F', 'consent.accepted': '1' }),
  );
  leave();
  expect(await kept()).toMatchObject({ 'customer.first_name': 'Meena' });
  expect(JSON.stringify(await kept())).not.toContain('ABCDE1234F');
  expect(await kept()).not.toMatchObject({ 'consent.accepted': '1' });
});

it('what was typed this moment lies on the phone when keeping it has ended, for a page that is loaded anew at once', async () => {
  const { result } = open();
  act(() => result.current.set({ 'customer.first_name': 'Meena' }));
  await act(() => result.current.keepNow());
  expect((await loadDraft<LocalForm>(NEW_SLOT))?.value.values).toMatchObject({ 'customer.first_name': 'Meena' });
});

it('a form that was finished does not come back, whatever was still to be kept', async () => {
  const { result, unmount } = open();
  act(() => result.current.set({ 'customer.first_name': 'Meena' }));
  leave();
  expect(await kept()).toBeDefined();
  act(() => result.current.set({ 'customer.last_name': 'Pawar' }));
  await act(() => result.current.finish());
  leave();
  unmount();
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await kept()).toBeUndefined();
});

it('a form that one user left is not kept for the next who signs in', async () => {
  const { result } = open();
  act(() => result.current.set({ 'customer.first_name': 'Meena' }));
  store('user_id', 'asha');
  leave();
  expect(await kept()).toBeUndefined();
});

it('the signature is there when the page is left, until it is cleared', async () => {
  const { result } = open();
  const signed = { deal: 'of one phone', strokes: [], width: 320, height: 160 };
  act(() => result.current.sign(signed));
  leave();
  expect((await findForm(undefined)).form?.signed).toEqual(signed);
  act(() => result.current.sign(undefined));
  leave();
  expect((await findForm(undefined)).form?.signed).toBeUndefined();
});
