// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { formatDay } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { keptRead } from '#web/offline/kept-reads.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import { endSession } from '#web/state/session.ts';
import { appStore, makeStore } from '#web/state/store.ts';
import { dayOf } from './buckets.ts';
import { Screen } from './screen.tsx';

const ROW = {
  customer_id: 'c1',
  first_name: 'Savita',
  last_name: '',
  mobile: '',
  device: '',
  overdue_paise: 500_00,
  next_due_on: '2026-03-01',
  days_past_due: 9,
  reminded_at: null,
};
const PREVIEW = {
  total: 1,
  reminded: 1,
  texts: [{ language: 'hn', sms: 1, phone: 0, name: 'Savita', text: 'Savita, ₹500 01-03-2026' }],
  left_out: [],
};
const ANSWERS: Record<string, unknown> = {
  preview_emialert: PREVIEW,
  send_emialert: { sent: ['sms'], next_allowed_at: '', total: 1, reminded: 1, refused: 0, refusals: [] },
};
/** Of one day the week has one EMI, of all its days three. */
const sumsOf = (asked: URLSearchParams) => [
  { bucket: 'overdue', customers: 1, paise: 500_00 },
  { bucket: 'week', ...(asked.has('from') ? { customers: 1, paise: 500_00 } : { customers: 3, paise: 1500_00 }) },
];
let sent: { call: string; body: unknown }[] = [];
let asked: string[] = [];
beforeEach(() => {
  [sent, asked] = [[], []];
  localStorage.setItem('token', 'T');
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = new URL(request.url).pathname.split('/').at(-1)!;
    if (request.method === 'POST') sent.push({ call, body: await request.json() });
    const { searchParams } = new URL(request.url);
    const list = { list: [ROW], total: 1, page: 1, page_size: 30 };
    if (searchParams.has('from')) asked.push(`${call} ${searchParams.get('from')}…${searchParams.get('to')}`);
    const access = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', active_deactive: '1' };
    const read = searchParams.get('due')
      ? list
      : call.includes('count')
        ? sumsOf(searchParams)
        : call === 'getUpcomingEmi'
          ? { ...list, list: [{ ...ROW, due_on: '2026-03-12', left_paise: 500_00, instalment_place: 2 }] }
          : access;
    return Response.json({ status: 200, response: 'success', message: '', data: ANSWERS[call] ?? read });
  });
});
afterEach(() => {
  // Nothing of it is brought along once the page is gone.
  endSession();
  vi.unstubAllGlobals();
});

it('one customer is reminded from the list, once the words were read', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'emi.remind Savita' }));
  expect(await screen.findByText('Savita, ₹500 01-03-2026')).toBeVisible();
  expect(sent.map(({ call }) => call)).toEqual(['preview_emialert']);
  fireEvent.click(screen.getByRole('button', { name: /dues\.remind_now/ }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ call: 'send_emialert', body: { customer_id: 'c1' } }));
});

it('one day of the week has that day’s EMIs and sum alone, and no reminder to everybody; a press on it shows the whole week', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[paths.upcomingEmi('week', '2026-03-12')]}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  expect(await screen.findByText('dashboard.emis · ₹500')).toBeVisible();
  const day = screen.getByRole('button', { name: formatDay('2026-03-12'), pressed: true });
  await screen.findByText('Savita');
  expect(asked.toSorted()).toEqual([
    'getUpcomingEmi 2026-03-12…2026-03-12',
    'upcoming_emi_counts 2026-03-12…2026-03-12',
  ]);
  expect(screen.queryByRole('button', { name: 'dues.remind_all' })).toBeNull();
  fireEvent.click(day);
  expect(await screen.findByRole('button', { name: 'dues.remind_all' })).toBeVisible();
  expect(screen.queryByText('dashboard.emis · ₹500')).toBeNull();
});

it('the sheet proposes the sum of the row that was pressed, though two EMIs are late besides', async () => {
  const row = (no: number, state: string) => ({ instalment_id: `i${no}`, no, state, left_paise: 500_00 });
  const agreement = { customer_id: 'c1', first_name: 'Savita', last_name: '', device: '' };
  ANSWERS['get_emi_details'] = {
    agreement: { ...agreement, outstanding_paise: 1500_00, overdue_paise: 1000_00, penal_left_paise: 0 },
    instalments: [row(1, 'overdue'), row(2, 'overdue'), row(3, 'due')],
    payments: [],
  };
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[paths.upcomingEmi('week')]}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'emi.collect_amount Savita' }));
  expect(await screen.findByLabelText(/emi\.amount/)).toHaveValue('500');
});

it('what is no day is none', () => {
  expect(dayOf('week', '2026-03-12')).toBe('2026-03-12');
  for (const [bucket, text] of [
    ['week', null],
    ['week', 'soon'],
    ['overdue', '2026-03-12'],
  ] as const)
    expect(dayOf(bucket, text)).toBeUndefined();
});

it('without a network money is taken of a row whose customer was never opened on this phone: that EMI, with the age of what is said', async () => {
  localStorage.setItem('user_id', 'sunita');
  const agreement = {
    customer_id: 'c1',
    first_name: 'Savita',
    last_name: '',
    device: '',
    outstanding_paise: 900_00,
    overdue_paise: 500_00,
    penal_left_paise: 0,
  };
  const instalments = [
    { instalment_id: 'i1', no: 1, due_on: '2026-03-01', state: 'overdue', left_paise: 500_00 },
    { instalment_id: 'i2', no: 2, due_on: '2026-04-01', state: 'upcoming', left_paise: 400_00 },
  ];
  ANSWERS['get_emi_details'] = { agreement, instalments, payments: [] };
  render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  const collect = await screen.findByRole('button', { name: 'emi.collect_amount Savita' });
  await waitFor(() => expect(sent).toEqual([{ call: 'get_emi_details', body: { customer_id: 'c1' } }]), {
    timeout: 4000,
  });
  // It is put aside once it came.
  await waitFor(async () => expect(await keptRead('getEmiDetails', { body: { customer_id: 'c1' } })).toBeDefined());
  cleanup();
  appStore.dispatch(api.util.resetApiState());
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  expect(collect).not.toBeInTheDocument();
  render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'emi.collect_amount Savita' }));
  const amount = await screen.findByLabelText<HTMLInputElement>(/emi\.amount/);
  expect(amount.value).toBe('500');
  expect(within(screen.getByRole('dialog')).getByText('states.kept')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: /emi\.received/ }));
  await waitFor(() => expect(outbox.entries()).toHaveLength(1));
  expect(outbox.entries()[0]).toMatchObject({
    name: 'updateEmiStatus',
    about: 'c1',
    paise: 500_00,
    input: { body: { instalment_id: 'i1', amount: 500_00 } },
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await outbox.discard(outbox.entries()[0]!.id);
});
