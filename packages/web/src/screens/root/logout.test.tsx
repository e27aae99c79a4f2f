// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { NEW_SLOT, slotOf } from '#web/offline/begun-forms.ts';
import { deleteDraft, saveDraft } from '#web/offline/drafts.ts';
import { makeStore } from '#web/state/store.ts';
import { Logout } from './logout.tsx';

beforeAll(() => {
  // jsdom draws no dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
});
beforeEach(async () => {
  localStorage.setItem('user_id', 'sunita');
  await deleteDraft(NEW_SLOT);
  await deleteDraft(slotOf('c-1'));
});
afterEach(() => vi.unstubAllGlobals());

const ask = () =>
  render(
    <Provider store={makeStore()}>
      <Logout open onClose={() => undefined} />
    </Provider>,
  );

it('a form that is on this phone only is not wiped without a word', async () => {
  await saveDraft(NEW_SLOT, { values: {}, step: 'plan' });
  await saveDraft(slotOf('c-1'), { values: {}, step: 'plan', customerId: 'c-1' });
  ask();
  expect(await screen.findByText('shell.logout_form')).toBeInTheDocument();
});

it('of a form that the server has too, the last step is said to go', async () => {
  await saveDraft(slotOf('c-1'), { values: {}, step: 'plan', customerId: 'c-1' });
  ask();
  expect(await screen.findByText('shell.logout_form_kept')).toBeInTheDocument();
});

it('with no form begun nothing is said of one, nor of another user’s', async () => {
  await saveDraft(NEW_SLOT, { values: {}, step: 'plan' });
  localStorage.setItem('user_id', 'irfan');
  ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByText(/logout_form/)).toBeNull();
});

it.each([
  ['who asked', 'T', ''],
  ['nobody who has signed in meanwhile', 'of another', 'of another'],
])('signs out %s, however late it is answered', async (_who, now, left) => {
  localStorage.setItem('token', 'T');
  let answer: ((response: Response) => void) | undefined;
  vi.stubGlobal('fetch', (request: Request | string) =>
    typeof request === 'string'
      ? Promise.resolve(new Response('', { status: 404 }))
      : new Promise<Response>((resolve) => (answer = resolve)),
  );
  ask();
  fireEvent.click(screen.getByText('shell.logout'));
  await vi.waitFor(() => expect(answer).toBeDefined());
  localStorage.setItem('token', now);
  await act(async () => {
    answer?.(Response.json({ status: 200, response: 'success', message: '', data: {} }));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(localStorage.getItem('token') ?? '').toBe(left);
});
