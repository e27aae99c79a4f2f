// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { shopToday } from '#web/i18n/formats.ts';
import { startI18n } from '#web/i18n/i18n.ts';
import { NEW_SLOT } from '#web/offline/begun-forms.ts';
import { store } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import { EMPTY, type Step, type Values } from './fields.ts';
import { Flow } from './flow.tsx';

const LENDERS = [
  { financer_id: 3, name: 'Gramin Finance', is_regulated: false, is_open: true },
  { financer_id: 5, name: 'Bank', is_regulated: true, is_open: false },
];
const SOLD: Values = {
  ...EMPTY,
  plan_id: '1',
  'customer.first_name': 'Savita',
  'customer.mobile': '9812345678',
  'device.imei1': '356938035643809',
  'device.brand': 'Vivo',
  'device.model': 'Y28',
  'emi.cash_price': '1400000',
  'emi.down_payment': '200000',
  'emi.fee': '0',
  'emi.rate_bps': '18',
  'emi.tenure': '12',
  'emi.delivered_on': shopToday(),
  'loan.financer_id': '3',
  'loan.loan_account_no': 'GF-1',
  'loan.sanctioned_amount': '1200000',
  'loan.sanctioned_on': '2026-01-05',
};

/** What the terms come to: two EMIs, the last one smaller. */
const row = { due_on: '2026-02-05', interest: 0, fee: 0, balance: 0 };
const FIGURES = {
  financed: 12_000_00,
  emi: 6_001_00,
  instalments: [
    { ...row, no: 1, principal: 6_001_00, total: 6_001_00 },
    { ...row, no: 2, principal: 5_999_00, total: 5_999_00 },
  ],
  total_interest: 0,
  fee: 0,
  total_payable: 12_000_00,
  apr_bps: 0,
  first_period: { days: 31, whole_days: 31 },
};
let keysLeft = 4;
let otherKeysLeft: number | undefined;
/** What comes late waits for its words; every word is its key here. */
const words = async () => Response.json({ common: { close: 'common.close' } });
beforeAll(async () => {
  vi.stubGlobal('fetch', words);
  await startI18n();
});
beforeEach(() => {
  [keysLeft, otherKeysLeft] = [4, undefined];
  store('token', 'T');
  store('user_id', 'sunita');
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return words();
    const { pathname } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/financer_list')) return answer(LENDERS);
    if (pathname.endsWith('/api/emi/preview')) return answer(FIGURES);
    if (pathname.endsWith('/api/plans'))
      return answer(
        [keysLeft, otherKeysLeft]
          .filter((left) => left !== undefined)
          .map((left, at) => ({
            plan_id: at + 1,
            name: 'Secure',
            is_emi: true,
            keys_left: left,
            plan_type: 1,
            presets: [],
          })),
      );
    return Response.json({ status: 503, response: 'failure', message: '', code: 'UNAVAILABLE' }, { status: 503 });
  });
});
afterEach(() => vi.unstubAllGlobals());

function draw(wantedStep: Step, values: Values) {
  const goTo = vi.fn<(step: Step) => void>();
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={['/add-customer']}>
        <Flow
          opened={{ values, step: wantedStep, customerId: undefined, savedAt: undefined } as never}
          slot={NEW_SLOT}
          isResumed={false}
          wantedStep={wantedStep}
          goTo={goTo}
          onStartNew={undefined}
        />
      </MemoryRouter>
    </Provider>,
  );
  return goTo;
}
const goOn = async () => userEvent.click(screen.getByRole('button', { name: 'common.continue' }));

// First: afterwards the later steps are there.
it('whoever was quicker than the later steps goes on once they are there, and the button is free again', async () => {
  const goTo = draw('identity', SOLD);
  await goOn();
  await waitFor(() => expect(goTo.mock.lastCall?.[0]).toBe('device'));
  expect(screen.getByRole('button', { name: 'common.continue' })).not.toHaveAttribute('aria-busy', 'true');
});

it('a financer whose loans cannot be signed now is told before anybody goes on to sign', async () => {
  const goTo = draw('emi', { ...SOLD, 'loan.financer_id': '5' });
  await screen.findByText('errors.LENDER_RULES_REQUIRED', {}, { timeout: 4000 });
  await goOn();
  expect(goTo).not.toHaveBeenCalled();
});

it('who signs reads whose loan it is', async () => {
  draw('consent', SOLD);
  expect(await screen.findByText('Gramin Finance', {}, { timeout: 4000 })).toBeInTheDocument();
});

it('who signs reads the sums of the message, the last EMI where it is another, and the down payment', async () => {
  draw('consent', SOLD);
  expect(await screen.findByText('add.sums', {}, { timeout: 4000 })).toBeInTheDocument();
  expect(screen.getByText('add.last_emi')).toBeInTheDocument();
  expect(screen.getByText('emi.down').parentElement).toHaveTextContent('₹2,000');
});

it('without any key the way goes on to whoever gives them, said once, and no button says to choose what cannot be chosen', async () => {
  keysLeft = 0;
  draw('plan', { ...SOLD, plan_id: '' });
  expect(await screen.findByText('states.keys_distributor')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'common.continue' })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('without a key for the plan that was chosen another one can be: the button stays and says why it does not go on', async () => {
  [keysLeft, otherKeysLeft] = [0, 3];
  const goTo = draw('plan', SOLD);
  await screen.findByText('add.no_keys');
  await goOn();
  expect(screen.getByRole('alert')).toHaveTextContent('errors.INSUFFICIENT_KEYS states.keys_distributor');
  expect(goTo).not.toHaveBeenCalled();
});
