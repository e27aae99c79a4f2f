// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it } from 'vitest';
import type { PaymentView } from '@kist/contract/emi';
import { makeStore } from '#web/state/store.ts';
import { Claims } from './claims.tsx';

it('each claim that waits is a card with a name of its own and both answers; what was answered is none', () => {
  const payment = (state: string, amount_paise: number, hour: string) =>
    ({
      payment_id: hour,
      state,
      amount_paise,
      paid_at: `2026-03-13T${hour}:00:00Z`,
      method: 'UPI',
      reference: '',
    }) as PaymentView;
  render(
    <Provider store={makeStore()}>
      <Claims
        payments={[
          payment('claimed', 1_190_00, '08'),
          payment('claimed', 1_190_00, '09'),
          payment('posted', 1_00, '07'),
        ]}
      />
    </Provider>,
  );
  const names = screen.getAllByRole('region').map((card) => card.getAttribute('aria-label'));
  expect(new Set(names).size).toBe(2);
  expect(screen.getAllByRole('button', { name: 'emi.claim_yes' })).toHaveLength(2);
  expect(screen.getAllByRole('button', { name: 'emi.claim_no' })).toHaveLength(2);
});
