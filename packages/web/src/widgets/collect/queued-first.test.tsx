// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import type { ReadResult } from '#web/api/use-call.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import { makeStore } from '#web/state/store.ts';
import { afterQueued } from './after-queued.ts';
import { CollectSheet } from './collect-sheet.tsx';

let sent: { call: string; body: Record<string, unknown> }[] = [];
/** What the server says of a payment; undefined: there is no way to it. */
let answer: (() => Response) | undefined;
beforeEach(() => {
  [sent, answer] = [[], undefined];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (!answer) throw new TypeError('Failed to fetch');
    sent.push({ call: request.url.split('/').at(-1)!, body: (await request.json()) as Record<string, unknown> });
    return answer();
  });
});
afterEach(async () => {
  cleanup();
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
});

const instalment = (no: number, state: string, left_paise = 500_00) => ({
  instalment_id: `i${no}`,
  no,
  state,
  left_paise,
});
const agreement = { customer_id: 'c', first_name: 'Savita', outstanding_paise: 1_500_00, penal_left_paise: 0 };
const fee = (charge_id: string, left_paise: number) => ({ charge_id, left_paise });
const detailsOf = (instalments: object[], { charges = [] as object[], payments = [] as object[] } = {}) =>
  ({ agreement, instalments, payments, charges }) as unknown as EmiDetails;
/** One instalment of ₹500 is late, two come. */
const details = detailsOf([instalment(1, 'overdue'), instalment(2, 'upcoming'), instalment(3, 'upcoming')]);
function show(of = details) {
  const onClose = vi.fn<() => void>();
  const { unmount } = render(
    <Provider store={makeStore()}>
      <CollectSheet
        open
        onClose={onClose}
        details={{ data: of } as ReadResult<EmiDetails>}
        onReceipt={() => undefined}
      />
    </Provider>,
  );
  return { onClose, unmount };
}
const type = (amount: string) => fireEvent.change(screen.getByLabelText(/emi\.amount/), { target: { value: amount } });
const offered = () => screen.getByLabelText<HTMLInputElement>(/emi\.amount/).value;
const press = () => fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
/** Takes it without a network. */
async function takeOffline(amount?: string) {
  const { onClose, unmount } = show();
  if (amount) type(amount);
  press();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  unmount();
}
const waiting = () => screen.queryByRole('region', { name: 'shell.outbox' });

it('what was taken without a network stands in the sheet before anything is taken again, and what is left after it is offered', async () => {
  await takeOffline('300');
  show();
  expect(waiting()).toHaveTextContent('emi.outbox_label');
  expect(waiting()).toHaveTextContent(/ · (now|.* ago)/);
  expect(waiting()).toHaveTextContent('shell.not_sent');
  expect(offered()).toBe('200');
});

it('a whole EMI that waits to be sent is not offered again: the sheet says what waits, and offers the next', async () => {
  await takeOffline();
  show();
  expect(within(waiting()!).getByText('shell.not_sent')).toBeVisible();
  expect(offered()).toBe('500');
  press();
  await waitFor(() => expect(outbox.entries()).toHaveLength(2));
  expect(outbox.entries().map(({ input }) => (input.body as { instalment_id: string }).instalment_id)).toEqual([
    'i1',
    'i2',
  ]);
});

it('where everything waits to be sent nothing is offered, and nobody is told that it is paid', async () => {
  await takeOffline('1500');
  show();
  expect(waiting()).toBeVisible();
  expect(screen.queryByRole('button', { name: /emi\.received/ })).toBeNull();
  expect(screen.queryByText('emi.all_paid')).toBeNull();
});

it('several EMIs behind what waits are taken by their sum, never as paid whole', async () => {
  const late = detailsOf([1, 2, 3].map((no) => instalment(no, 'overdue')));
  await takeOffline('300');
  show(late);
  expect(offered()).toBe('1,200');
  press();
  await waitFor(() => expect(outbox.entries()).toHaveLength(2));
  expect(outbox.entries()[1]).toMatchObject({
    name: 'updateEmiStatus',
    paise: 1_200_00,
    input: { body: { amount: 1_200_00 } },
  });
});

it('a payment that the server tells of is not taken off twice, though its answer was lost', async () => {
  await takeOffline('300');
  const { payment_id } = outbox.entries()[0]!.input.body as { payment_id: string };
  show(detailsOf([instalment(1, 'overdue', 200_00), instalment(2, 'upcoming')], { payments: [{ payment_id }] }));
  expect(waiting()).toBeNull();
  expect(offered()).toBe('200');
});

it('money that the server refused is shown, and asked for again', async () => {
  await takeOffline('300');
  answer = () =>
    Response.json({ status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' }, { status: 409 });
  await outbox.replay(true);
  show();
  expect(waiting()).toHaveTextContent('shell.outbox_failed');
  expect(offered()).toBe('500');
});

it('what is being sent from the open sheet is not among what waits: the form stays as it is until the answer', async () => {
  let say: (() => void) | undefined;
  const said = new Promise<void>((resolve) => (say = resolve));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    await said;
    return Response.json({ status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' }, { status: 409 });
  });
  show();
  type('1500');
  press();
  await waitFor(() => expect(outbox.entries()).toMatchObject([{ state: 'sending' }]));
  expect(waiting()).toBeNull();
  expect(offered()).toBe('1,500');
  await act(async () => say?.());
  await waitFor(() => expect(outbox.entries()).toEqual([]));
  expect(offered()).toBe('1,500');
});

const entry = (body: object, paise?: number) => ({ input: { body }, ...(paise !== undefined && { paise }) }) as never;
const left = ({ agreement: { penal_left_paise, outstanding_paise }, instalments }: EmiDetails) => ({
  rows: instalments.map((row) => row.left_paise),
  fee: penal_left_paise,
  outstanding: outstanding_paise,
});

it('what waits fills what is due, then late fees, then what is to come, as the server does', () => {
  const owed = detailsOf([instalment(1, 'overdue'), instalment(2, 'due'), instalment(3, 'part')], {
    charges: [fee('f', 100_00)],
  });
  expect(left(afterQueued(owed, [entry({ amount: 1_050_00 })]))).toEqual({
    rows: [0, 0, 500_00],
    fee: 50_00,
    outstanding: 500_00,
  });
  expect(left(afterQueued(owed, [entry({ amount: 1_150_00 })]))).toEqual({
    rows: [0, 0, 450_00],
    fee: 0,
    outstanding: 450_00,
  });
});

it('money for a late fee is taken off that; several EMIs that an older app kept without their sum come to what they owe', () => {
  const owed = detailsOf([instalment(1, 'overdue'), instalment(2, 'overdue'), instalment(3, 'upcoming')], {
    charges: [fee('f', 100_00)],
  });
  expect(left(afterQueued(owed, [entry({ charge_id: 'f', amount: 70_00 })]))).toMatchObject({
    rows: [500_00, 500_00, 500_00],
    fee: 30_00,
  });
  expect(left(afterQueued(owed, [entry({ instalment_ids: ['i1', 'i2'] })])).rows).toEqual([0, 0, 500_00]);
});

it('late fees are filled from the oldest on; money for one of which nothing is left is refused, and fills nothing else', () => {
  const owed = detailsOf([instalment(1, 'overdue'), instalment(2, 'upcoming')], {
    charges: [fee('old', 50_00), fee('new', 50_00)],
  });
  const fees = (...entries: never[]) =>
    afterQueued(owed, entries).charges.map(({ charge_id, left_paise }) => [charge_id, left_paise]);
  expect(fees(entry({ amount: 530_00 }))).toEqual([
    ['old', 20_00],
    ['new', 50_00],
  ]);
  const twice = [entry({ charge_id: 'new', amount: 50_00 }), entry({ charge_id: 'new', amount: 50_00 })];
  expect(left(afterQueued(owed, twice))).toMatchObject({ rows: [500_00, 500_00], fee: 50_00 });
  expect(fees(entry({ charge_id: 'gone', amount: 50_00 }))).toEqual([
    ['old', 50_00],
    ['new', 50_00],
  ]);
});
