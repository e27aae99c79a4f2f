// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { outbox } from '#web/offline/app-outbox.ts';
import { makeStore } from '#web/state/store.ts';
import { queuedByInstalment } from '#web/widgets/queued-payments.tsx';
import { PenaltySheet } from './penalty-sheet.tsx';

/** What the server says to whatever is sent. */
let answer: object = {};
let sent: { call: string; body: Record<string, unknown> }[] = [];
beforeEach(() => {
  [sent, answer] = [[], { state: 'asked' }];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'GET') return Response.json({ status: 200, response: 'success', message: '', data: {} });
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    return Response.json({ status: 200, response: 'success', message: '', data: answer });
  });
});
afterEach(async () => {
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
});

const asked = { waiver_id: 'w', amount_paise: 70_00, reason: 'was ill', asked_by: 'Ravi', is_own: false };
function show(charge: object = {}, chargeable: object | null = null) {
  const one = {
    charge_id: 'c1',
    instalment_no: 7,
    instalment_place: 2,
    charged_on: '2026-03-04',
    amount_paise: 100_00,
    paid_paise: 30_00,
  };
  const details = {
    agreement: { customer_id: 'cust', first_name: 'Savita' },
    instalments: [{ no: 7, place: 2, instalment_id: 'i2', state: 'paid', left_paise: 0 }],
    payments: [],
    charges: [{ ...one, waived_paise: 0, left_paise: 70_00, asked: null, ...charge }],
    chargeable,
  } as unknown as EmiDetails;
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Opened details={details} />
      </MemoryRouter>
    </Provider>,
  );
}
/** The sheet as the page has it: it closes when it says so. */
function Opened({ details }: { details: EmiDetails }) {
  const [isOpen, setOpen] = useState(true);
  return <PenaltySheet open={isOpen} onClose={() => setOpen(false)} details={details} />;
}
/** Of all that is left of that fee. */
const RECEIPT = {
  payment_id: 'p',
  receipt_no: 'R/9',
  amount_paise: 70_00,
  paid_at: '2026-03-05T10:00:00Z',
  outstanding_paise: 0,
  overdue_paise: 0,
  allocations: [{ instalment_no: 7, instalment_place: 2, bucket: 'penal', paise: 70_00 }],
  advance_paise: 0,
  unlock: null,
  agreement_state: 'active',
  warnings: [],
  share_text: 'Received',
};
const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('a late fee is waived with a reason, and not without one', async () => {
  show();
  press(/₹100/);
  press(/penalty\.waive$/);
  expect(await screen.findByText('field.required')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: ' was ill ' } });
  press(/penalty\.waive$/);
  await waitFor(() =>
    expect(sent).toEqual([{ call: 'waive_penalty', body: { charge_id: 'c1', amount: 70_00, reason: 'was ill' } }]),
  );
  // What was sent is no draft any more.
  fireEvent.click(await screen.findByRole('button', { name: /₹100/ }));
  expect(screen.getByLabelText(/emi\.reverse_reason/)).toHaveValue('');
});

it('which late fee it is stands above, and what was typed of a waiver is there again after a step back and in a sheet opened anew', async () => {
  show();
  press(/₹100/);
  expect(screen.getByText('penalty.of')).toBeVisible();
  fireEvent.change(screen.getByLabelText(/emi\.amount/), { target: { value: '40' } });
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: 'was ill' } });
  press(/common\.back/);
  expect(screen.queryByLabelText(/emi\.amount/)).toBeNull();
  cleanup();
  show();
  press(/₹100/);
  press(/penalty\.waive$/);
  const body = { charge_id: 'c1', amount: 40_00, reason: 'was ill' };
  await waitFor(() => expect(sent).toEqual([{ call: 'waive_penalty', body }]));
});

it('the phone’s back leads from a late fee to the list, with what was typed kept, and from there closes the sheet', async () => {
  const depth = () => (window.history.state as { sheets?: number } | null)?.sheets ?? 0;
  await waitFor(() => expect(depth()).toBe(0));
  show();
  press(/₹100/);
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: 'is ill' } });
  window.history.back();
  await waitFor(() => expect(screen.queryByLabelText(/emi\.reverse_reason/)).toBeNull());
  expect(screen.getByRole('dialog', { name: 'penalty.title' })).toBeVisible();
  press(/₹100/);
  expect(screen.getByLabelText(/emi\.reverse_reason/)).toHaveValue('is ill');
  for (const shown of [1, 0]) {
    window.history.back();
    await waitFor(() => expect(screen.queryAllByRole('button', { name: /₹100/ })).toHaveLength(shown));
  }
  expect(screen.queryByRole('heading', { name: 'penalty.title' })).toBeNull();
  await waitFor(() => expect(depth()).toBe(0));
});

it('more than is left of a late fee is told at the field, and not sent', async () => {
  show();
  press(/₹100/);
  const amount = screen.getByLabelText(/emi\.amount/);
  fireEvent.change(amount, { target: { value: '500' } });
  expect(amount).toHaveAccessibleDescription('penalty.left');
  fireEvent.change(screen.getByLabelText(/emi\.reverse_reason/), { target: { value: 'was ill' } });
  press(/penalty\.waive$/);
  expect(amount).toBeInvalid();
  fireEvent.change(amount, { target: { value: '70' } });
  expect(amount).toBeValid();
  press(/penalty\.waive$/);
  await waitFor(() => expect(sent.map(({ body }) => body['amount'])).toEqual([70_00]));
});

it('a late fee that came by UPI is written down so, with its number; a number that is none is told at its field', async () => {
  answer = RECEIPT;
  show();
  press(/₹100/);
  fireEvent.click(screen.getByRole('radio', { name: 'emi.pay_UPI' }));
  const reference = screen.getByLabelText(/emi\.reference/);
  fireEvent.change(reference, { target: { value: '4123' } });
  press(/penalty\.collect.*emi\.pay_UPI/);
  expect(reference).toBeInvalid();
  fireEvent.change(reference, { target: { value: '4123 4567 8901' } });
  press(/penalty\.collect/);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body).toMatchObject({ charge_id: 'c1', amount: 70_00, method: 'UPI', reference: '4123 4567 8901' });
});

it('a late fee is taken by itself: the payment names it, and only its money; the receipt says what was taken', async () => {
  answer = RECEIPT;
  show();
  press(/₹100/);
  press(/penalty\.collect/);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i2', charge_id: 'c1', amount: 70_00, method: 'CASH', payment_id: expect.any(String) },
  });
  const paper = await screen.findByRole('dialog', { name: 'emi.receipt' });
  expect(within(paper).getByText('penalty.title').closest('div')).toHaveTextContent('₹70');
  expect(screen.queryByRole('button', { name: /penalty\.collect/ })).toBeNull();
});

it('a late fee taken without a network waits where the customer’s money is looked at, and at no EMI', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show();
  press(/₹100/);
  press(/penalty\.collect/);
  await waitFor(() => expect(outbox.entries()).toHaveLength(1));
  const entries = outbox.entries().filter(({ about }) => about === 'cust');
  expect(entries).toHaveLength(1);
  expect(queuedByInstalment(entries)).toEqual(new Map());
  expect(entries[0]!.label).toBe('emi.outbox_label · penalty.title · penalty.of');
});

it('a late fee of which all waits to be sent is not taken again: it says so, and leads nowhere', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show();
  press(/₹100/);
  press(/penalty\.collect/);
  expect(await screen.findByText(/^₹70.* · shell\.not_sent$/)).toBeVisible();
  expect(screen.queryByText('penalty.left')).toBeNull();
  expect(screen.queryByText('emi.state_paid')).toBeNull();
  expect(screen.queryByRole('button', { name: /₹100/ })).toBeNull();
});

it('what is left of a late fee behind a payment that waits is what is taken', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const body = { instalment_id: 'i2', amount: 50_00, payment_id: 'before', method: 'CASH', reference: '' };
  await outbox.put({ name: 'updateEmiStatus', input: { body }, label: 'EMI', about: 'cust', paise: 50_00 });
  show();
  expect(screen.getByText(/^₹50.* · shell\.not_sent$/)).toBeVisible();
  press(/₹100/);
  press(/penalty\.collect/);
  await waitFor(() => expect(outbox.entries()).toHaveLength(2));
  expect(outbox.entries()[1]).toMatchObject({ paise: 20_00, input: { body: { charge_id: 'c1', amount: 20_00 } } });
});

it.each([true, false])(
  'what waits for a second person can be dropped here, and nothing else: own %s',
  async (is_own) => {
    show({ asked: { ...asked, is_own } });
    press(/₹100/);
    expect(screen.getByText('penalty.asked')).toBeInTheDocument();
    press(/penalty\.refuse/);
    await waitFor(() => expect(sent).toEqual([{ call: 'decide_waiver', body: { waiver_id: 'w', is_granted: false } }]));
  },
);

it('a late fee that the rule gives today is added as it was shown, and not before it was asked once more', async () => {
  show({}, { instalment_no: 7, instalment_place: 2, due_on: '2026-02-28', amount_paise: 33_70 });
  press(/penalty\.add/);
  const asked = await screen.findByRole('dialog', { name: 'penalty.add' });
  expect(sent).toEqual([]);
  fireEvent.click(within(asked).getByRole('button', { name: 'penalty.add' }));
  await waitFor(() => expect(sent).toEqual([{ call: 'send_penalty', body: { customer_id: 'cust', amount: 33_70 } }]));
});

it('nothing is added where the rule gives nothing, and a fee that is settled is not waived', () => {
  show({ left_paise: 0 });
  expect(screen.queryByRole('button', { name: /penalty\.add|₹100/ })).toBeNull();
});

it('the focus stays in the sheet: at its title once a fee was chosen, and once it was taken or left', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show();
  const pressed = (name: RegExp) => {
    screen.getByRole('button', { name }).focus();
    press(name);
  };
  const title = () => screen.getByRole('heading', { name: 'penalty.title' });
  pressed(/₹100/);
  await waitFor(() => expect(title()).toHaveFocus());
  pressed(/penalty\.collect/);
  await waitFor(() => expect(screen.queryByRole('button', { name: /penalty\.collect/ })).toBeNull());
  await waitFor(() => expect(title()).toHaveFocus());
});
