// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { beforeAll, beforeEach, expect, it } from 'vitest';
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
