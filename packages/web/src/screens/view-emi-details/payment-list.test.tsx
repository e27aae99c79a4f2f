// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { NAMELESS } from '@kist/contract/erased';
import { saveWords } from '#web/offline/drafts.ts';
import { makeStore } from '#web/state/store.ts';
import { PaymentList } from './payment-list.tsx';

const ACCESS = {
  user_type: 'retailer',
  feature_access: '1',
  lock_unlock: '1',
  unistall: '1',
  active_deactive: '1',
  payment_url: 'https://pay.example/shop',
};
let refused = 0;
let isWide = false;
beforeEach(() => {
  [refused, isWide] = [0, false];
  const media = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => Object.defineProperty({ ...media }, 'matches', { get: () => isWide }));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') {
      refused += 1;
      const failure = { status: 409, response: 'failure', code: 'STATE_CONFLICT', message: 'changed meanwhile' };
      return Response.json(failure, { status: 409 });
    }
    const isProfile = request.url.includes('customer_id=');
    return Response.json({
      status: 200,
      response: 'success',
      message: '',
      data: isProfile ? { customer: { language: 'mr' } } : ACCESS,
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const paid = (state: PaymentView['state'], amount_paise = 500_00): PaymentView =>
  ({
    payment_id: `p-${state}`,
    state,
    amount_paise,
    method: 'CASH',
    paid_at: '2026-04-10T05:30:00Z',
    receipt_no: 'R-1',
    reference: '',
    recorded_by: 'Sunita',
    allocations: [],
    goes_to: 'instalments',
    reverse_reason: null,
    note_no: null,
  }) as unknown as PaymentView;
const agreement = { first_name: 'Asha', last_name: 'Kale', mobile: '9000000001', device: 'Vivo' };
const list = (payments: PaymentView[], of: object = agreement) => (
  <Provider store={makeStore()}>
    <MemoryRouter>
      <PaymentList details={{ payments, agreement: of } as EmiDetails} />
    </MemoryRouter>
  </Provider>
);
const openFirst = () => fireEvent.click(screen.getAllByRole('button', { name: /500/ })[0]!);
const begin = async () => fireEvent.click(await screen.findByRole('button', { name: 'emi.reverse' }));

it('the reason of a reversal outlives a refusal, a sheet that was pushed away and a reload', async () => {
  const { rerender } = render(list([paid('posted')]));
  openFirst();
  await begin();
  fireEvent.change(await screen.findByLabelText(/emi.reverse_reason/), {
    target: { value: 'Counted twice by mistake' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'emi.reverse' }));
  await vi.waitFor(() => expect(refused).toBe(1));
  expect(screen.getByLabelText(/emi.reverse_reason/)).toHaveValue('Counted twice by mistake');
  fireEvent.click(screen.getByRole('button', { name: 'common.close' }));
  rerender(list([paid('posted')]));
  openFirst();
  expect(await screen.findByLabelText(/emi.reverse_reason/)).toHaveValue('Counted twice by mistake');
});

it('a reversal that was begun on an earlier page opens with its payment, as soon as it was read', async () => {
  localStorage.setItem('user_id', 'sunita');
  await saveWords('reversal/c/p-posted', { reason: 'Counted twice by mistake' });
  render(list([paid('posted')], { ...agreement, customer_id: 'c' }));
  openFirst();
  const reason = await screen.findByLabelText(/emi.reverse_reason/);
  expect(reason).toHaveValue('Counted twice by mistake');
  fireEvent.change(reason, { target: { value: '' } });
  expect(screen.getByLabelText(/emi.reverse_reason/)).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'common.cancel' }));
  expect(screen.queryByLabelText(/emi.reverse_reason/)).toBeNull();
  localStorage.clear();
});

it('a receipt that is open says what became of it on another phone meanwhile', async () => {
  const one = paid('posted');
  const { rerender } = render(list([one]));
  openFirst();
  expect(await screen.findByText('R-1', { selector: 'dd *, dd' })).toBeInTheDocument();
  rerender(list([{ ...one, state: 'reversed', reverse_reason: 'On the other phone' }]));
  expect(screen.getByText('On the other phone')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'emi.reverse' })).toBeNull();
});

it('struck out is what was taken back, not what waits for an answer', () => {
  isWide = true;
  render(list([paid('posted'), paid('claimed', 101_00), paid('reversed', 102_00)]));
  expect(screen.getByText('₹101')).not.toHaveClass('line-through');
  expect(screen.getByText('₹102')).toHaveClass('line-through');
});

it('of an erased customer no payment of an EMI is reversed, which would have somebody owe again; the receipt stays to be given', async () => {
  const erased = { ...agreement, first_name: NAMELESS, last_name: '', mobile: '' };
  const { unmount } = render(list([paid('posted')], erased));
  openFirst();
  expect(await screen.findByRole('link', { name: 'common.whatsapp' })).toBeVisible();
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByRole('button', { name: 'emi.reverse' })).toBeNull();
  unmount();
  render(list([{ ...paid('posted'), goes_to: 'suspense' }], erased));
  openFirst();
  expect(await screen.findByRole('button', { name: 'emi.reverse' })).toBeVisible();
});

it('the newest receipt, given again, says what is left and where it may be paid; one before it does not', async () => {
  const owing = { ...agreement, customer_id: 'owing', outstanding_paise: 1_120_00 };
  const older = { ...paid('posted', 300_00), payment_id: 'older' };
  const { unmount } = render(list([paid('claimed'), paid('posted'), older], owing));
  const paper = () => document.querySelector('.printed');
  fireEvent.click(screen.getAllByRole('button', { name: /500/ })[1]!);
  await vi.waitFor(() => expect(paper()).toHaveTextContent(/emi\.still_left\s*₹1,120/));
  await vi.waitFor(() => expect(paper()).toHaveTextContent('pay.example/shop'));
  expect(screen.getByRole('link', { name: 'common.whatsapp' })).toHaveAttribute(
    'href',
    expect.stringContaining(encodeURIComponent('https://pay.example/shop')),
  );
  const sent = new URL(screen.getByRole('link', { name: 'common.whatsapp' }).getAttribute('href')!);
  expect(sent.searchParams.get('text')).toMatch(
    /emi\.receipt R-1\nemi\.amount: ₹500\nshell\.customer: Asha Kale\n.*emi\.still_left: ₹1,120/s,
  );
  unmount();
  render(list([paid('posted'), older], owing));
  fireEvent.click(screen.getByRole('button', { name: /300/ }));
  await vi.waitFor(() => expect(paper()).toHaveTextContent('₹300'));
  expect(paper()).not.toHaveTextContent('emi.still_left');
});
