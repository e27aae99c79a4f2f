// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import type { LockView } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { LockButton } from './lock-button.tsx';

afterEach(() => vi.unstubAllGlobals());

const held = (cause: LockView['cause']) =>
  render(
    <Provider store={makeStore()}>
      <LockButton
        customerId="c"
        lock={{ lock_status: 1, level: 4, desired_level: 4, cause } as LockView}
        isLockOffered={false}
        mayOverride={false}
      />
    </Provider>,
  );

it('what holds a stolen phone is its owner’s to lift: the shop is not offered to', () => {
  const { unmount } = held('debt');
  expect(screen.getByRole('button', { name: 'lock.unlock' })).toBeInTheDocument();
  unmount();
  held('theft');
  expect(screen.queryByRole('button')).toBeNull();
});

it.each([
  ['debt', 'EMI_OVERDUE', 'lock.unlock_body'],
  ['customer_request', 'CUSTOMER_REQUEST', 'lost.unlock_body'],
] as const)('an unlock of a phone that is held for %s asks for %s, which lifts it', async (cause, reason, body) => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') sent.push(await request.json());
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  held(cause);
  fireEvent.click(screen.getByRole('button', { name: 'lock.unlock' }));
  expect(screen.getByText(body)).toBeInTheDocument();
  fireEvent.click(screen.getAllByRole('button', { name: 'lock.unlock' }).at(-1)!);
  await waitFor(() => expect(sent).toEqual([{ customer_id: 'c', reason }]));
});
