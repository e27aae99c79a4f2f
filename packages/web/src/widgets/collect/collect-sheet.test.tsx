// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { api } from '#web/api/api.ts';
import type { ReadResult } from '#web/api/use-call.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import { appStore, makeStore } from '#web/state/store.ts';
import { CollectSheet } from './collect-sheet.tsx';

/** What was sent: the last step of the address, and the body. */
let sent: { call: string; body: Record<string, unknown> }[] = [];
beforeEach(() => {
  sent = [];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
});
afterEach(async () => {
  // What one test sent and asked for is not answered in the next.
  await vi.waitUntil(() => outbox.entries().length === 0);
  await Promise.all(appStore.dispatch(api.util.getRunningQueriesThunk()));
  vi.unstubAllGlobals();
});

const instalment = (no: number, state: string) => ({ instalment_id: `i${no}`, no, state, left_paise: 1_000_00 });
/** Two instalments of ₹1,000 are late, a third comes. */
const details = {
  agreement: { customer_id: 'c', first_name: 'Savita', outstanding_paise: 3_000_00, penal_left_paise: 0 },
  instalments: [instalment(1, 'overdue'), instalment(2, 'overdue'), instalment(3, 'upcoming')],
} as unknown as EmiDetails;
const read = (data: EmiDetails) => ({ data }) as ReadResult<EmiDetails>;
function show(of = details, saidPaise?: number) {
  const sheet = { onClose: () => undefined, details: read(of), saidPaise, onReceipt: () => undefined };
  render(
    <Provider store={makeStore()}>
      <CollectSheet open {...sheet} />
    </Provider>,
  );
}
const type = (amount: string) => fireEvent.change(screen.getByLabelText(/emi\.amount/), { target: { value: amount } });
async function received() {
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  return sent[0]!;
}

const chips = () =>
  within(screen.getByRole('group', { name: 'emi.what' }))
    .getAllByRole('button')
    .map((chip) => `${chip.textContent}${chip.getAttribute('aria-pressed') === 'true' ? ' pressed' : ''}`);

it('what the pressed button said is proposed, though more is late: as its choice where there is one', async () => {
  show(details, 1_000_00);
  expect(chips()).toEqual(['emi.choice_late ₹2,000', 'emi.choice_next ₹1,000 pressed', 'emi.choice_all ₹3,000']);
  expect(await received()).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i1', amount: 1_000_00 },
  });
});

it('what the pressed button said and no choice comes to is proposed as if it was typed', async () => {
  show(details, 700_00);
  expect(chips().join()).not.toContain('pressed');
  expect(await received()).toMatchObject({ call: 'update_emi_status', body: { instalment_id: 'i1', amount: 700_00 } });
});

it('what the pressed button said is not proposed where less is left by now', () => {
  show(details, 4_000_00);
  expect(screen.getByLabelText(/emi\.amount/)).toHaveValue('2,000');
});

it('one EMI that is late is called late, and not the next', () => {
  show({ ...details, instalments: details.instalments.slice(1) });
  expect(chips()).toEqual(['emi.choice_late ₹1,000 pressed', 'emi.choice_all ₹2,000']);
});

/** Stands open while the first EMI is paid elsewhere. @returns brings what is owed then */
function stale(store = makeStore()) {
  const sheet = (of: EmiDetails) => (
    <Provider store={store}>
      <CollectSheet open onClose={() => undefined} details={read(of)} onReceipt={() => undefined} />
    </Provider>
  );
  const { rerender } = render(sheet(details));
  const rest = details.instalments.map((row, at) =>
    at === 0 ? { ...row, state: 'paid' as const, left_paise: 0 } : row,
  );
  const agreement = { ...details.agreement, outstanding_paise: 2_000_00 };
  return () => rerender(sheet({ ...details, agreement, instalments: rest }));
}

it('while nobody chose or typed the form follows what is read anew', async () => {
  stale()();
  expect(chips()).toEqual(['emi.choice_late ₹1,000 pressed', 'emi.choice_all ₹2,000']);
  expect(await received()).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i2', amount: 1_000_00 },
  });
});

it.each(['typed', 'chosen'])('a sum that was %s stays, and goes to what is left by now', async (how) => {
  const readAnew = stale();
  if (how === 'typed') type('700');
  else fireEvent.click(screen.getByRole('button', { name: /emi\.choice_next/ }));
  readAnew();
  const amount = how === 'typed' ? 700_00 : 1_000_00;
  expect(await received()).toMatchObject({ call: 'update_emi_status', body: { instalment_id: 'i2', amount } });
});

it('a refused press asks what is owed by now, and the next press is for that', async () => {
  const store = makeStore();
  const readAnew = stale(store);
  const failure = { status: 409, response: 'failure', message: '', code: 'ALREADY_PAID' };
  let asked = 0;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = request.url.split('/').at(-1)!;
    if (call === 'get_emi_details') {
      asked += 1;
      return Response.json({ status: 200, response: 'success', message: '', data: {} });
    }
    sent.push({ call, body: (await request.json()) as Record<string, unknown> });
    return Response.json(failure, { status: 409 });
  });
  const read = { name: 'getEmiDetails', input: { body: { customer_id: 'c' } } } as const;
  const open = store.dispatch(api.endpoints.read.initiate(read));
  await open;
  await received();
  await waitFor(() => expect(asked).toBe(2));
  readAnew();
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]!.body).toMatchObject({ instalment_id: 'i2', amount: 1_000_00 });
  await waitFor(() => expect(asked).toBe(3));
  open.unsubscribe();
});

it('all that is late is one receipt for its instalments', async () => {
  show();
  expect(await received()).toMatchObject({
    call: 'multiple_emi_paid',
    body: { customer_id: 'c', instalment_ids: ['i1', 'i2'], amount: 2_000_00 },
  });
});

it('three quick presses are one payment', async () => {
  show();
  const button = screen.getByRole('button', { name: /emi\.received/ });
  for (let press = 0; press < 3; press += 1) fireEvent.click(button);
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toHaveLength(1);
});

it('a part typed over all that is late is taken as that part, never as all', async () => {
  show();
  type('1500');
  expect(await received()).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i1', amount: 1_500_00, method: 'CASH' },
  });
});

it('tried again after an answer that was lost, it is the same payment', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    const body = { status: 409, response: 'failure', message: '', code: 'STATE_CONFLICT' };
    return Response.json(body, { status: 409 });
  });
  show();
  await received();
  const button = screen.getByRole('button', { name: /emi\.received/ });
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
  fireEvent.click(button);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]!.body['payment_id']).toMatch(/^[0-9a-f-]{14}7/);
  expect(sent[1]!.body['payment_id']).toBe(sent[0]!.body['payment_id']);
});

it('with an open penalty the next instalment is asked for with it, so that nothing of it is left on its day', async () => {
  const ahead = {
    agreement: { ...details.agreement, penal_left_paise: 100_00 },
    instalments: [instalment(1, 'paid'), instalment(2, 'upcoming')].map((row, n) => ({
      ...row,
      left_paise: n * 1_000_00,
    })),
  } as unknown as EmiDetails;
  render(
    <Provider store={makeStore()}>
      <CollectSheet open onClose={() => undefined} details={read(ahead)} onReceipt={() => undefined} />
    </Provider>,
  );
  expect(await received()).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i2', amount: 1_100_00 },
  });
});

it('everything with an open penalty is the amount that is shown, the penalty in it', async () => {
  const penalised = { ...details, agreement: { ...details.agreement, penal_left_paise: 100_00 } };
  render(
    <Provider store={makeStore()}>
      <CollectSheet open onClose={() => undefined} details={read(penalised)} onReceipt={() => undefined} />
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: /emi\.choice_all/ }));
  expect(await received()).toMatchObject({
    call: 'update_emi_status',
    body: { instalment_id: 'i1', amount: 3_100_00 },
  });
});

it.each([
  ['a part', '1500'],
  ['several instalments', '2000'],
])('whatever shows money is asked for anew after a payment of %s', async (_what, amount) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    asked.push(new URL(request.url).pathname);
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  const names = [
    'getEmiDetails',
    'getCustomerProfile',
    'getDashboard',
    'listCustomers',
    'getUpcomingEmi',
    'upcomingEmiCounts',
    'getDevice',
    'previewCommand',
  ] as const;
  const input = { params: { device_id: 'd', command: 'lock' }, query: {}, body: {} };
  const reads = names.map((name) =>
    appStore.dispatch(api.endpoints.read.initiate({ name, input }, { forceRefetch: true })),
  );
  await Promise.all(reads);
  const shown = asked.splice(0).toSorted();
  expect(new Set(shown).size).toBe(names.length);
  show();
  type(amount);
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  await waitFor(() => expect(asked.slice(1).toSorted()).toEqual(shown));
  expect(asked[0]).toMatch(amount === '2000' ? /multiple_emi_paid$/ : /update_emi_status$/);
  for (const read of reads) read.unsubscribe();
});

const tooMuch = async () => {
  show();
  type('3500');
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  return screen.findByRole('button', { name: /emi\.over_take/ });
};

it('more than is owed is asked for once, and taken by a yes', async () => {
  const yes = await tooMuch();
  expect(sent).toEqual([]);
  fireEvent.click(yes);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ call: 'update_emi_status', body: { amount: 3_500_00, accept_overpayment: true } });
});

it('more than is owed by now, which only the server knows, is asked for by its figures; the yes is the same payment', async () => {
  const body = {
    status: 409,
    response: 'failure',
    message: '',
    code: 'MORE_THAN_OWED',
    details: { owed_paise: 500_00, rest_paise: 500_00 },
  };
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    return sent.length === 1
      ? Response.json(body, { status: 409 })
      : Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  show();
  type('1000');
  await received();
  fireEvent.click(await screen.findByRole('button', { name: /emi\.over_take/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body: { accept_overpayment } }) => accept_overpayment)).toEqual([undefined, true]);
  expect(sent[1]!.body['payment_id']).toBe(sent[0]!.body['payment_id']);
});

it('a UPI payment has a number of twelve digits or none; another is not sent, and kept as it was typed', async () => {
  show();
  fireEvent.click(screen.getByLabelText('emi.pay_UPI'));
  const field = () => screen.getByLabelText(/emi\.reference/);
  fireEvent.change(field(), { target: { value: '123' } });
  expect(field().getAttribute('aria-invalid')).not.toBe('true');
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([sent, (field() as HTMLInputElement).value]).toEqual([[], '123']);
  fireEvent.change(field(), { target: { value: '4123 4567 8901' } });
  expect((await received()).body).toMatchObject({ method: 'UPI', reference: '4123 4567 8901' });
});

it.each([
  ['of UPI without a number', 'UPI', ''],
  ['of a cheque, under its own', 'OTHER', '123'],
])('money %s is taken', async (_what, method, reference) => {
  show();
  fireEvent.click(screen.getByLabelText(`emi.pay_${method}`));
  fireEvent.change(screen.getByLabelText(/emi\.reference/), { target: { value: reference } });
  expect((await received()).body).toMatchObject({ method, reference });
});
