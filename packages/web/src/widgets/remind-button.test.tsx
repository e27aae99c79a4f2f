// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { RemindButton } from './remind-button.tsx';
import { useMe } from './use-access.ts';

afterEach(() => vi.unstubAllGlobals());

/** Shows the button beside who is signed in, as soon as the server said so. */
function Page() {
  const { data } = useMe();
  return (
    <>
      {data && <p>{data.user_type}</p>}
      <RemindButton customerId="c" />
    </>
  );
}

it.each([
  ['1', 1],
  ['0', 0],
])(
  'reminding is there for whoever may use the phones’ features (%s), not for whoever may only read',
  async (word, count) => {
    localStorage.setItem('token', 'T');
    vi.stubGlobal('fetch', async (request: Request | string) => {
      if (typeof request === 'string') return new Response('', { status: 404 });
      const data = { user_type: 'miniretailer', feature_access: word, lock_unlock: '1', active_deactive: '1' };
      return Response.json({ status: 200, response: 'success', message: '', data });
    });
    render(
      <Provider store={makeStore()}>
        <Page />
      </Provider>,
    );
    await screen.findByText('miniretailer');
    await waitFor(() => expect(screen.queryAllByRole('button', { name: 'emi.remind' })).toHaveLength(count));
  },
);
