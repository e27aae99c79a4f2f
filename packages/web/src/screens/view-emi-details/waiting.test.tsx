// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { makeStore } from '#web/state/store.ts';
import { Waiting } from './waiting.tsx';

let sent: { call: string; body: Record<string, unknown> }[] = [];
const REFUNDS = [{ payment_id: 'over', state: 'open', amount_paise: 50_00 }];
beforeEach(() => {
  sent = [];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'asha');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = request.url.split('/').at(-1)!;
    // What a sheet opens with is not looked at here.
    if (request.url.includes('get_emi_details')) return new Promise<Response>(() => undefined);
    if (request.method === 'POST') sent.push({ call, body: (await request.json()) as Record<string, unknown> });
    return Response.json({ status: 200, response: 'success', message: '', data: call === 'refunds' ? REFUNDS : {} });
  });
});
afterEach(() => vi.unstubAllGlobals());

const payment = (payment_id: string, state: string, goes_to: string) => ({
  payment_id,
  state,
  goes_to,
  amount_paise: 50_00,
  method: 'UPI',
  reference: '4123',
  paid_at: '2026-04-10T05:30:00Z',
});
const details = {
  agreement: { customer_id: 'c', overdue_paise: 0 },
  instalments: [{ left_paise: 0 }, { left_paise: 1_120_00 }],
  payments: [payment('said', 'claimed', 'dues'), payment('over', 'posted', 'suspense'), payment('p', 'posted', 'dues')],
  charges: [
    { charge_id: 'one', asked: null },
    {
      charge_id: 'two',
      instalment_no: 1,
      instalment_place: 1,
      charged_on: '2026-04-09',
      asked: { waiver_id: 'w', amount_paise: 100_00, reason: 'was ill', asked_by: 'Ravi', is_own: false },
    },
  ],
} as unknown as EmiDetails;
const show = (node: React.ReactNode) => render(<Provider store={makeStore()}>{node}</Provider>);
const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('a claim is answered where one looks first, and no needs a reason', async () => {
  show(<Waiting details={details} />);
  press(/emi\.claim_no/);
  // A slip of the finger: yes is one press back.
  press(/common\.back/);
  expect(screen.getByRole('button', { name: /emi\.claim_yes/ })).toBeEnabled();
  press(/emi\.claim_no/);
  press(/emi\.claim_no/);
  expect(screen.getByText(/field\.required/)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: 'Nothing came in' } });
  press(/emi\.claim_no/);
  await waitFor(() => expect(sent).toHaveLength(1));
  const body = { payment_id: 'said', is_received: false, reason: 'Nothing came in' };
  expect(sent[0]).toMatchObject({ call: expect.stringMatching(/claim/), body });
});

it('what goes back and what shall be given up stand there too, and each is done with one press', async () => {
  show(<Waiting details={details} />);
  await waitFor(() => expect(screen.getByText('dashboard.do_refund_open')).toBeTruthy());
  press(/emi\.refund_pay.*emi\.pay_UPI/);
  // Two that are pressed at once leave in any order.
  await waitFor(() => expect(sent).toHaveLength(1));
  press(/penalty\.refuse/);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body }) => body)).toEqual([
    { payment_id: 'over', method: 'UPI', reference: '' },
    { waiver_id: 'w', is_granted: false },
  ]);
});

it('what was said on the phone without a sum is refused with words, or collected', async () => {
  const said = { claim_id: 'k', said_at: '2026-04-10T05:30:00Z', refuse_reason: null };
  show(<Waiting details={{ ...details, payments: [], charges: [], phone_claim: said }} />);
  expect(screen.getByText('emi.claimed_on_phone')).toBeInTheDocument();
  press(/emi\.claim_yes/);
  expect(await screen.findByRole('dialog')).toBeInTheDocument();
  press(/emi\.claim_no/);
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: 'Nothing came in' } });
  press(/emi\.claim_no/);
  const body = { claim_id: 'k', reason: 'Nothing came in' };
  await waitFor(() => expect(sent).toEqual([{ call: 'refuse_phone_claim', body }]));
});

it('what was said on the phone and answered waits no more', () => {
  const said = { claim_id: 'k', said_at: '2026-04-10T05:30:00Z', refuse_reason: 'Nothing came in' };
  show(<Waiting details={{ ...details, payments: [], charges: [], phone_claim: said }} />);
  expect(screen.queryByRole('button')).toBeNull();
});
