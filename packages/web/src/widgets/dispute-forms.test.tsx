// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DisputeView } from '@kist/contract/disputes';
import { makeStore } from '#web/state/store.ts';
import { AnswerForm, OpenForm } from './dispute-forms.tsx';

const ACCESS = { user_type: 'retailer', feature_access: '1', lock_unlock: '1' };
let lefts: number[] = [];
let sent: unknown[] = [];
beforeEach(() => {
  [lefts, sent] = [[], []];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname } = new URL(request.url);
    const ok = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.startsWith('/api/agreement/dispute')) {
      sent.push(await request.json());
      return ok({ dispute_id: 'd', state: 'open' });
    }
    if (pathname === '/api/user/user_access') return ok(ACCESS);
    const instalments = lefts.map((left_paise, at) => ({
      instalment_id: `i${at + 1}`,
      place: at + 1,
      due_on: '2026-03-10',
      total_paise: 500_00,
      left_paise,
    }));
    return ok({ instalments });
  });
});
afterEach(() => vi.unstubAllGlobals());

const done = vi.fn<() => void>();
function show(form: ReactNode): void {
  cleanup();
  done.mockClear();
  render(<Provider store={makeStore()}>{form}</Provider>);
}
/** Said and taken. */
async function say(label: string, words: string): Promise<unknown> {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: words } });
  fireEvent.click(screen.getByRole('button', { name: 'common.save' }));
  await vi.waitUntil(() => done.mock.calls.length > 0);
  return sent.at(-1);
}

it.each([
  ['the oldest that is not paid', [0, 500_00, 500_00], 'i2'],
  ['the first where all are paid', [0, 0], 'i1'],
])(
  'a complaint names the EMI that stands there, %s, or the one that was chosen',
  async (_which, left, instalment_id) => {
    lefts = left;
    const customer_id = `of ${instalment_id}`;
    const form = <OpenForm customerId={customer_id} onDone={done} />;
    show(form);
    expect(await screen.findByLabelText('dispute.which')).toHaveValue(instalment_id);
    const body = { customer_id, text: 'paid in cash', instalment_id };
    expect(await say('dispute.text', ' paid in cash ')).toEqual(body);
    show(form);
    const last = `i${left.length}`;
    fireEvent.change(await screen.findByLabelText('dispute.which'), { target: { value: last } });
    expect(await say('dispute.text', 'paid in cash')).toEqual({ ...body, instalment_id: last });
  },
);

it('an answer says that the customer was right where that is ticked, and nowhere else', async () => {
  const answer = { dispute_id: 'd', outcome: 'the receipt was found' };
  const form = <AnswerForm customerId="c" dispute={{ dispute_id: 'd' } as DisputeView} onDone={done} />;
  show(form);
  expect(await say('dispute.outcome', answer.outcome)).toEqual(answer);
  show(form);
  fireEvent.click(screen.getByRole('checkbox', { name: 'lock_timeline.right' }));
  expect(await say('dispute.outcome', answer.outcome)).toEqual({ ...answer, is_upheld: true });
});
