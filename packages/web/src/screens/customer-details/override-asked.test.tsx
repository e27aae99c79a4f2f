// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { AskedOverride } from './override-asked.tsx';

let sent: unknown[] = [];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.url.includes('override')) sent.push(await request.json());
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (is_own: boolean) =>
  render(
    <Provider store={makeStore()}>
      <AskedOverride
        customerId="c"
        asked={{
          ask_id: 'a',
          reason: 'agreed in writing',
          asked_by: 'Ravi',
          is_own,
          may_agree: !is_own,
          ends_at: '2026-03-14T08:30:00Z',
        }}
      />
    </Provider>,
  );

it('the second person agrees, asked once more', async () => {
  show(false);
  expect(screen.getByText('override.asked_by')).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'override.agree' }));
  expect(sent).toEqual([]);
  const sheet = await screen.findByRole('dialog', { name: 'override.agree' });
  fireEvent.click(within(sheet).getByRole('button', { name: 'override.agree' }));
  await waitFor(() => expect(sent).toEqual([{ ask_id: 'a', is_agreed: true }]));
});

it('who asked can take it back, and not agree to it', async () => {
  show(true);
  expect(screen.queryByRole('button', { name: 'override.agree' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'override.refuse' }));
  await waitFor(() => expect(sent).toEqual([{ ask_id: 'a', is_agreed: false }]));
});
