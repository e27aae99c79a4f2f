// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { LostPhone } from './lost-phone.tsx';

const sent: unknown[] = [];
let isTaken = false;
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push(await request.json());
    return isTaken
      ? Response.json({ status: 200, response: 'success', message: '', data: {} })
      : Response.json({ status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' }, { status: 409 });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a customer says that the phone is lost with what they want to add; a refusal leaves it there to be sent again', async () => {
  const profile = { customer: { customer_id: 'c' }, device: { enrolled_at: '2026-01-02' }, lost_reports: [] };
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <LostPhone profile={profile as unknown as CustomerProfile} />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'lost.start' }));
  fireEvent.change(await screen.findByLabelText(/lost.note/), { target: { value: ' In the bus ' } });
  fireEvent.click(screen.getByRole('button', { name: 'lost.send' }));
  await waitFor(() => expect(toast.current()?.tone).toBe('error'));
  isTaken = true;
  fireEvent.click(screen.getByRole('button', { name: 'lost.send' }));
  await waitFor(() => expect(screen.queryByLabelText(/lost.note/)).toBeNull());
  expect(toast.current()?.text).toBe('lost.sent');
  expect(sent).toEqual(Array(2).fill({ customer_id: 'c', kind: 'theft', note: 'In the bus' }));
});
