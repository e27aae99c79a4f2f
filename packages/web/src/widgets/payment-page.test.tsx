// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import type { PaymentView } from '@kist/contract/emi';
import { makeStore } from '#web/state/store.ts';
import { PaperActions } from './collect/paper-actions.tsx';
import { paperText, paymentPaper } from './collect/paper.ts';
import { PaymentPage } from './payment-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const shown = (payment_url: string | null) => {
  const fetched = vi.fn<() => Promise<Response>>(async () =>
    Response.json({ status: 200, response: 'success', message: '', data: { payment_url } }),
  );
  vi.stubGlobal('fetch', fetched);
  render(
    <Provider store={makeStore()}>
      <PaymentPage />
    </Provider>,
  );
  return fetched;
};

it('leads to the page that the server offers, and takes nothing of ours along', async () => {
  shown('https://pay.example.in/emi');
  const link = await screen.findByRole('link', { name: 'emi.pay_online' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual(['https://pay.example.in/emi', 'noreferrer']);
});

it('is not there where none is offered', async () => {
  const fetched = shown(null);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await fetched.mock.results[0]!.value;
  expect(screen.queryByRole('link')).toBeNull();
});

it('stands on a receipt while something is left', () => {
  const payment = {
    amount_paise: 100,
    paid_at: '2026-03-01T00:00:00Z',
    method: 'cash',
    allocations: [],
  } as unknown as PaymentView;
  const of = { shop: 'S', customer: 'C', device: 'D', agreementNo: 'A', paymentPage: 'https://pay.example.in/' };
  const values = (leftPaise?: number) =>
    paymentPaper(of, payment, ((key: string) => key) as never, leftPaise).lines.map((one) => one.value);
  expect(values(500)).toContain('pay.example.in');
  expect(values(0)).not.toContain('pay.example.in');
  expect(values()).not.toContain('pay.example.in');
});

it('goes along with the words of a receipt while something is left', () => {
  const words = ((key: string) => key) as never;
  const payment = { receipt_no: '7', amount_paise: 100, method: 'cash', allocations: [] } as unknown as PaymentView;
  const of = { shop: 'S', customer: 'C', device: 'D', agreementNo: 'A', paymentPage: 'https://pay.example.in/' };
  const sent = (leftPaise?: number) => {
    const paper = paymentPaper(of, payment, words, leftPaise);
    const { unmount } = render(<PaperActions paper={paper} mobile="9800000000" text={paperText(paper, words)} />);
    const href = screen.getByRole('link').getAttribute('href')!;
    unmount();
    return new URL(href).searchParams.get('text');
  };
  expect(sent(500)).toContain('\nemi.pay_online: https://pay.example.in/');
  expect(sent(0)).not.toContain('pay.example.in');
});
