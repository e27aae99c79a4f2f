// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { makeStore } from '#web/state/store.ts';
import { ClaimSheet } from './claim-sheet.tsx';

let sent: { call: string; body: Record<string, unknown> }[] = [];
let isDown = false;
const closed = vi.fn<() => void>();
beforeEach(() => {
  sent = [];
  isDown = false;
  closed.mockClear();
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'savita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    if (isDown)
      return Response.json({ status: 503, response: 'failure', code: 'UNAVAILABLE', message: '' }, { status: 503 });
    return Response.json({ status: 200, response: 'success', message: '', data: { state: 'claimed' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (overdue_paise: number, payments: object[] = []) =>
  render(
    <Provider store={makeStore()}>
      <ClaimSheet
        open
        onClose={closed}
        details={
          {
            agreement: { customer_id: 'c', overdue_paise },
            instalments: [{ left_paise: 1_000_00 }],
            payments,
          } as unknown as EmiDetails
        }
      />
    </Provider>,
  );
const tell = () => fireEvent.submit(screen.getByRole('button', { name: 'emi.i_paid' }).closest('form')!);

it('a customer says what is late as it is, by UPI with its reference, and the shop is told', async () => {
  show(2_000_00);
  fireEvent.change(screen.getByLabelText(/emi\.reference/), { target: { value: ' 412345678901 ' } });
  tell();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent).toMatchObject([
    {
      call: 'claim',
      body: { amount: 2_000_00, method: 'UPI', reference: '412345678901', payment_id: expect.any(String) },
    },
  ]);
});

it('nothing late: the next instalment is meant; a lost answer is asked again under the same id', async () => {
  show(0);
  isDown = true;
  tell();
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'emi.i_paid' }).getAttribute('aria-busy')).not.toBe('true'),
  );
  isDown = false;
  tell();
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(new Set(sent.map(({ body }) => body['payment_id'])).size).toBe(1);
  expect(sent[0]!.body).toMatchObject({ amount: 1_000_00, customer_id: 'c' });
});

const claimed = { payment_id: 'p1', state: 'claimed', amount_paise: 2_000_00, paid_at: '2026-04-10T06:00:00Z' };
it('a second word while the first waits is asked about before anything can be typed, and then says that it is another', async () => {
  show(2_000_00, [claimed]);
  expect(screen.getByText(/emi\.claim_waits/)).toBeTruthy();
  expect(screen.queryByLabelText(/emi\.amount/)).toBeNull();
  fireEvent.click(screen.getAllByRole('button', { name: 'common.close' }).at(-1)!);
  expect(closed).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'emi.claim_another' }));
  tell();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body['again']).toBe(true);
});

it('what was answered before is no reason to ask', async () => {
  show(2_000_00, [{ ...claimed, state: 'refused' }]);
  tell();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body['again']).toBe(false);
});
