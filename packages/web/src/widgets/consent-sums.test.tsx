// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startI18n } from '#web/i18n/i18n.ts';
import { makeStore } from '#web/state/store.ts';
import { AgreementSums, ConsentSums } from './consent-sums.tsx';

const agreement = { financed_paise: 14_000_00, tenure: 12, emi_paise: 1_377_00, total_payable_paise: 16_520_00 };
const instalments = [
  { principal_paise: 1_167_00, interest_paise: 210_00 },
  { principal_paise: 1_163_00, interest_paise: 210_00 },
];
const add = { sums: '{{financed}} {{emis}} {{amount}} {{total}}', last_emi: 'last {{amount}}' };
const stub = () =>
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? Response.json({ add })
      : Response.json({ status: 200, response: 'success', message: '', data: { agreement, instalments } }),
  );
beforeAll(async () => {
  stub();
  localStorage.setItem('token', 'T');
  await startI18n();
});
afterEach(() => vi.unstubAllGlobals());

const SUMS = /^₹14,000(\.00)? 12 ₹1,377(\.00)? ₹16,520(\.00)?$/;

it('says what is financed, how many EMIs of how much, and what they come to, as the message does', () => {
  const sums = { financed: 14_000_00, emis: 12, amount: 1_377_00, total: 16_520_00 };
  const { rerender } = render(<ConsentSums {...sums} last={1_377_00} />);
  expect(screen.getByText(SUMS)).toBeVisible();
  expect(screen.queryByText(/^last/)).toBeNull();
  rerender(<ConsentSums {...sums} last={1_373_00} />);
  expect(screen.getByText(/^last ₹1,373(\.00)?$/)).toBeVisible();
});

it('says them of an agreement that runs, with its last EMI where that is another', async () => {
  stub();
  render(
    <Provider store={makeStore()}>
      <AgreementSums customerId="c" />
    </Provider>,
  );
  expect(await screen.findByText(SUMS)).toBeVisible();
  expect(screen.getByText(/^last ₹1,373(\.00)?$/)).toBeVisible();
});
