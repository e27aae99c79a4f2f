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
async function refused(...labels: string[]): Promise<void> {
  const answerWith = (answer: () => Response) =>
    vi.stubGlobal('fetch', async (asked: Request | string) =>
      typeof asked === 'string' ? new Response('', { status: 404 }) : answer(),
    );
  answerWith(() => {
    throw new TypeError('Failed to fetch');
  });
  for (const label of labels) await outbox.put({ name: 'updateEmiStatus', input: { body: { amount: 100 } }, label });
  const failure = { status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' };
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
  await act(() => refused('Payment ₹4,281, Irfan Shaikh', 'Payment ₹900, Asha Kale'));
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
