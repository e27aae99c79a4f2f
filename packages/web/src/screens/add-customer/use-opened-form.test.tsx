// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, expect, it } from 'vitest';
import { NEW_SLOT } from '#web/offline/begun-forms.ts';
import { store as keep } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import { EMPTY } from './fields.ts';
import { findAhead, forgetAhead, keepForm } from './local-forms.ts';
import { type Opened, useOpenedForm } from './use-opened-form.ts';

const wrapper = ({ children }: { children: ReactNode }) => <Provider store={makeStore()}>{children}</Provider>;
const drawn = (customerId?: string): { all: Opened[]; unmount: () => void } => {
  const all: Opened[] = [];
  const { unmount } = renderHook(() => all.push(useOpenedForm(customerId)), { wrapper });
  return { all, unmount };
};
const typed = { ...EMPTY, 'customer.first_name': 'Asha' };

beforeEach(async () => {
  keep('user_id', 'u1');
  forgetAhead();
  await keepForm(NEW_SLOT, typed, 'identity', undefined);
});

it('a form that was looked for ahead stands there at the first look, with what was typed', async () => {
  await findAhead(undefined);
  const { all } = drawn();
  expect(all.at(0)).toMatchObject({ state: 'ready', isResumed: true, form: { values: typed, step: 'identity' } });
});

it('another customer’s form, and the one after the first, is looked for again', async () => {
  await findAhead('another');
  const first = drawn();
  expect(first.all.at(0)).toEqual({ state: 'loading' });
  await waitFor(() => expect(first.all.at(-1)).toMatchObject({ state: 'ready' }));
  first.unmount();
  await findAhead(undefined);
  drawn().unmount();
  await keepForm(NEW_SLOT, { ...typed, 'customer.first_name': 'Meena' }, 'identity', undefined);
  const { all } = drawn();
  await waitFor(() =>
    expect(all.at(-1)).toMatchObject({ state: 'ready', form: { values: { 'customer.first_name': 'Meena' } } }),
  );
});
