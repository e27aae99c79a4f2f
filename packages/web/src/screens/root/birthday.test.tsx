// @vitest-environment jsdom
import { act, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { birthday } from '#web/state/main-slice.ts';
import { appStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Birthday } from './birthday.tsx';

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('token', 't');
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: { first_name: 'Meena' } }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** What a page that was just loaded says. */
async function load(): Promise<string | undefined> {
  while (toast.current()) toast.close();
  appStore.dispatch(birthday(true));
  const { unmount } = render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Birthday />
      </MemoryRouter>
    </Provider>,
  );
  await act(() => vi.waitFor(() => expect(appStore.getState().main.birthdayCelebration).toBe(false)));
  unmount();
  return toast.current()?.text;
}

it('congratulates once a day, however often the page is loaded, and keeps no name for it', async () => {
  expect(await load()).toBeDefined();
  expect(await load()).toBeUndefined();
  expect(localStorage.getItem('birthday')).toMatch(/^\d{4}-\d\d-\d\d$/);
  localStorage.setItem('birthday', '2020-01-01');
  expect(await load()).toBeDefined();
});
