// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outbox } from '#web/offline/app-outbox.ts';
import { OutboxSheet } from './outbox-sheet.tsx';

beforeEach(() => {
  // jsdom has no dialogs; a browser gives the focus to the first button of one.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
    this.querySelector('button')?.focus();
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
});
afterEach(async () => {
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Payments that were taken without a network and that the server would not have later. */
async function refused(labels: string[], code = 'STATE_CONFLICT', body: object = { amount: 100 }): Promise<void> {
  const answerWith = (answer: () => Response) =>
    vi.stubGlobal('fetch', async (asked: Request | string) =>
      typeof asked === 'string' ? new Response('', { status: 404 }) : answer(),
    );
  answerWith(() => {
    throw new TypeError('Failed to fetch');
  });
  for (const label of labels) await outbox.put({ name: 'updateEmiStatus', input: { body }, label });
  const failure = { status: 409, response: 'failure', code, message: '' };
  answerWith(() => Response.json(failure, { status: 409 }));
  await outbox.replay(true);
}
const question = () => screen.queryByRole('dialog', { name: 'shell.discard_ask' });
const press = (name: string, within: ParentNode = document) =>
  act(async () => {
    const pressed = [...within.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    fireEvent.click(pressed!);
  });

it('a payment that waits is thrown away only after a question that names it, and one at a time', async () => {
  await act(() => refused(['Payment ₹4,281, Irfan Shaikh', 'Payment ₹900, Asha Kale']));
  render(<OutboxSheet open onClose={() => undefined} />);
  await press('shell.discard');
  expect(question()).toHaveTextContent('Payment ₹4,281, Irfan Shaikh');
  expect(question()).not.toHaveTextContent('Asha');
  expect(question()).toContainElement(document.activeElement as HTMLElement);
  expect(document.activeElement).not.toHaveTextContent('shell.discard');
  await press('common.cancel', question()!);
  expect(question()).toBeNull();
  expect(outbox.entries()).toHaveLength(2);
  await press('shell.discard');
  await press('shell.discard', question()!);
  await waitFor(() => expect(outbox.entries().map(({ label }) => label)).toEqual(['Payment ₹900, Asha Kale']));
  expect(question()).toBeNull();
});

it('money for an EMI that was paid elsewhere meanwhile is taken for what is owed now, as the same payment under the same key', async () => {
  const body = { instalment_id: 'i4', amount: 500_00, payment_id: 'p' };
  await act(() => refused(['Payment ₹500, Irfan Shaikh'], 'ALREADY_PAID', body));
  const [{ id } = { id: '' }] = outbox.entries();
  render(<OutboxSheet open onClose={() => undefined} />);
  const names = [...screen.getByRole('dialog').querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(names.filter((name) => /shell\.(came|discard)|retry/.test(name))).toEqual(['shell.came', 'shell.discard']);
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    sent.push([asked.headers.get('idempotency-key'), await asked.json()]);
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  await press('shell.came');
  await waitFor(() => expect(outbox.entries()).toEqual([]));
  expect(sent).toEqual([[id, { ...body, accept_overpayment: true }]]);
});
