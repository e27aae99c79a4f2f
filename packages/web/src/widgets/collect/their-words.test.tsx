// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { startI18n } from '#web/i18n/i18n.ts';
import { makeStore } from '#web/state/store.ts';
import { ReceiptSheet } from './receipt-sheet.tsx';
import { useTheirWords } from './their-words.ts';

const WORDS: Record<string, object> = {
  en: { common: { close: 'Close' }, emi: { receipt: 'Receipt' } },
  mr: { common: { close: 'बंद करा' }, emi: { receipt: 'पावती' } },
};
const asked: string[] = [];
let started: Promise<boolean> | undefined;
beforeEach(() => {
  asked.length = 0;
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request !== 'string') {
      const language = new URL(request.url).searchParams.get('customer_id');
      return Response.json({ status: 200, response: 'success', message: '', data: { customer: { language } } });
    }
    asked.push(request);
    const words = WORDS[/(\w+)\.json/.exec(request)![1]!];
    return words ? Response.json(words) : new Response('', { status: 404 });
  });
  started ??= startI18n();
  return started;
});
afterEach(() => vi.unstubAllGlobals());

function Word({ of }: { of: string }) {
  return <p role="status">{useTheirWords(of)('emi.receipt')}</p>;
}
const show = (of: string) =>
  render(
    <Provider store={makeStore()}>
      <Word of={of} />
    </Provider>,
  );

it('what is sent to a customer is in the customer’s language as soon as its words are here, and in the app’s where they cannot be had', async () => {
  const { unmount } = show('mr');
  expect(screen.getByRole('status')).toHaveTextContent('Receipt');
  await vi.waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('पावती'));
  unmount();
  show('hn');
  await vi.waitFor(() => expect(asked.at(-1)).toContain('hn.json'));
  await new Promise((done) => setTimeout(done, 20));
  expect(screen.getByRole('status')).toHaveTextContent('Receipt');
});

const receipt = {
  receipt_no: 'R-1',
  amount_paise: 1_000_00,
  paid_at: '2026-04-10T05:30:00Z',
  outstanding_paise: 2_000_00,
  warnings: [],
  allocations: [],
} as unknown as Receipt;
const details = {
  agreement: {
    customer_id: 'mr',
    first_name: 'Savita',
    last_name: 'More',
    mobile: '9',
    device: '',
    agreement_no: 'K-1',
  },
} as unknown as EmiDetails;

it('a receipt goes to the customer in the customer’s language, and is read and printed in the shop’s', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <ReceiptSheet receipt={receipt} details={details} onClose={() => undefined} />
      </MemoryRouter>
    </Provider>,
  );
  const words = () =>
    new URL(screen.getByRole('link', { name: 'common.whatsapp' }).getAttribute('href')!).searchParams.get('text');
  await vi.waitFor(() => expect(words()).toContain('पावती R-1'));
  expect(document.querySelector('.printed')).toHaveTextContent('Receipt R-1');
});
