// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
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

const PREVIEW = {
  total: 1,
  reminded: 1,
  texts: [{ language: 'hn', sms: 1, phone: 0, name: 'Savita More', text: 'Savita, ₹500 10-03-2026' }],
  left_out: [],
};
let sent: { call: string; body: unknown }[] = [];
let preview: object = PREVIEW;
function serve() {
  [sent, preview] = [[], PREVIEW];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') sent.push({ call: request.url.split('/').at(-1)!, body: await request.json() });
    const access = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', active_deactive: '1' };
    const data = request.url.endsWith('preview_emialert')
      ? preview
      : request.url.endsWith('send_emialert')
        ? { sent: ['sms'], next_allowed_at: '', total: 1, reminded: 1, refused: 0, refusals: [] }
        : access;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
}
const asked = { call: 'preview_emialert', body: { filter: { customer_id: 'c' } } };
const open = async () => {
  render(
    <Provider store={makeStore()}>
      <Page />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'emi.remind' }));
};

it('one customer is not reminded before the very words were shown: the first press sends nothing', async () => {
  serve();
  await open();
  expect(await screen.findByText('Savita, ₹500 10-03-2026')).toBeVisible();
  expect(sent).toEqual([asked]);
  fireEvent.click(screen.getByRole('button', { name: /dues\.remind_now/ }));
  await waitFor(() => expect(sent).toEqual([asked, { call: 'send_emialert', body: { customer_id: 'c' } }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('of one who cannot be reminded now the sheet says why and from when, and offers no sending', async () => {
  serve();
  const again_at = '2026-03-10T12:00:00Z';
  const left = { code: 'REMINDED_ALREADY', count: 1, customers: [{ customer_id: 'c', name: 'Savita', again_at }] };
  preview = { total: 1, reminded: 0, texts: [], left_out: [left] };
  await open();
  expect(await screen.findByText('dues.out_REMINDED_ALREADY')).toBeVisible();
  expect(screen.getByText('dues.again')).toBeVisible();
  expect(screen.queryByRole('button', { name: /dues\.remind_now/ })).toBeNull();
});
