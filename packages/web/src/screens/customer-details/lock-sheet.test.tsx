// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { appStore, makeStore } from '#web/state/store.ts';
import { LockSheet } from './lock-sheet.tsx';

const success = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
/** The gate's answers that are awaited, by the reason that it was asked about. */
let answers: Record<string, (allowed: boolean) => void> = {};
beforeEach(() => {
  answers = {};
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { reason } = (await request.json()) as { reason: string };
    return new Promise<Response>((resolve) => {
      answers[reason] = (allowed) => resolve(success({ verdict: { allowed, rule: 'OVERDUE_STEP', explain: {} } }));
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (mayOverride = false) =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <LockSheet open onClose={() => undefined} customerId="c" mayOverride={mayOverride} />
      </MemoryRouter>
    </Provider>,
  );
const lock = () => screen.getByRole('button', { name: 'lock.lock' });
const choose = (reason: string) =>
  fireEvent.change(screen.getByRole('combobox', { name: 'lock.reason' }), { target: { value: reason } });
async function answer(reason: string, allowed: boolean): Promise<void> {
  await waitFor(() => expect(answers[reason]).toBeDefined());
  await act(async () => answers[reason]!(allowed));
}

it('a lock can be ordered once the gate has allowed it, and not before it answered', async () => {
  show();
  expect(lock()).toBeDisabled();
  await answer('EMI_OVERDUE', true);
  await waitFor(() => expect(lock()).toBeEnabled());
});

it('what the gate allowed for one reason it has not allowed for another', async () => {
  show();
  await answer('EMI_OVERDUE', true);
  await waitFor(() => expect(lock()).toBeEnabled());
  choose('CUSTOMER_REQUEST');
  expect(lock()).toBeDisabled();
  await answer('CUSTOMER_REQUEST', false);
  expect(await screen.findByText('lock.refused')).toBeInTheDocument();
  expect(lock()).toBeDisabled();
});

it('whatever shows the state of the phone is asked for anew after an order', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return success(
      pathname.includes('preview') ? { verdict: { allowed: true, rule: 'OVERDUE_STEP', explain: {} } } : {},
    );
  });
  const names = ['getCustomerProfile', 'getDevice', 'getTimeline', 'getDashboard', 'listCustomers'] as const;
  const input = { params: { device_id: 'd' }, query: {}, body: {} };
  const reads = names.map((name) =>
    appStore.dispatch(api.endpoints.read.initiate({ name, input }, { forceRefetch: true })),
  );
  await Promise.all(reads);
  const shown = asked.splice(0).toSorted();
  expect(new Set(shown).size).toBe(names.length);
  render(
    <Provider store={appStore}>
      <LockSheet open onClose={() => undefined} customerId="c" mayOverride={false} />
    </Provider>,
  );
  await waitFor(() => expect(lock()).toBeEnabled());
  asked.splice(0);
  fireEvent.click(lock());
  await waitFor(() => expect(asked.slice(1).toSorted()).toEqual(shown));
  for (const read of reads) read.unsubscribe();
});

it('the company’s decision is a reason only where the rules know it', async () => {
  show();
  expect(screen.queryByRole('option', { name: 'lock.reason_ORG_OVERRIDE' })).toBeNull();
});

it('a company decision that lacks a second person alone is asked for, and the sheet closes', async () => {
  const verdict = { allowed: false, rule: 'OVERRIDE_NEEDS_SECOND', explain: {} };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.url.includes('preview')) return success({ verdict });
    sent.push(await request.json());
    const body = { status: 422, response: 'failure', message: '', code: 'POLICY_REFUSED', details: { verdict } };
    return Response.json(body, { status: 422 });
  });
  const close = vi.fn<() => void>();
  render(
    <Provider store={makeStore()}>
      <LockSheet open onClose={close} customerId="c" mayOverride />
    </Provider>,
  );
  choose('ORG_OVERRIDE');
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' the owner agreed in writing ' } });
  const ask = await screen.findByRole('button', { name: 'override.ask' });
  fireEvent.click(ask);
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toEqual([{ customer_id: 'c', reason: 'ORG_OVERRIDE', note: 'the owner agreed in writing' }]);
});

it('where no answer came it is said, and asked again at a press', async () => {
  let isAway = true;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (isAway) throw new TypeError('Failed to fetch');
    return success({ verdict: { allowed: true, rule: 'OVERDUE_STEP', explain: {} } });
  });
  show();
  const again = await screen.findByRole('button', { name: 'common.retry' });
  expect(screen.queryByText('common.loading')).toBeNull();
  expect(lock()).toBeDisabled();
  isAway = false;
  fireEvent.click(again);
  await waitFor(() => expect(lock()).toBeEnabled());
  expect(screen.queryByRole('button', { name: 'common.retry' })).toBeNull();
});
