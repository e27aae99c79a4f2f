// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import type { ReadResult } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { CollectSheet } from './collect-sheet.tsx';
import { UpiCodes } from './upi-codes.tsx';

const PICTURE = 'data:image/png;base64,AAAA';
const SHOP = { shop_name: 'Asha Mobiles', first_name: 'Asha', upi_id: 'asha@upi', has_qr: true };
let shop: typeof SHOP | (Omit<typeof SHOP, 'upi_id'> & { upi_id: null });
let isDamaged = false;
const asked: string[] = [];
beforeEach(() => {
  shop = SHOP;
  isDamaged = false;
  asked.length = 0;
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('{}', { status: 404 });
    const { pathname, search } = new URL(request.url);
    asked.push(pathname.split('/').at(-1)! + search);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/get-details')) return answer(shop);
    return isDamaged
      ? Response.json({ status: 409, response: 'failure', message: '', code: 'DOCUMENT_DAMAGED' }, { status: 409 })
      : answer({ mime: 'image/png', data_url: PICTURE });
  });
});
afterEach(() => vi.unstubAllGlobals());

const details = {
  agreement: {
    customer_id: 'c',
    first_name: 'Savita',
    last_name: 'More',
    agreement_no: '20-7',
    outstanding_paise: 1_120_00,
    penal_left_paise: 0,
  },
  instalments: [{ instalment_id: 'i1', no: 1, state: 'overdue', left_paise: 1_120_00 }],
} as unknown as EmiDetails;
const show = (paise: number | undefined = 1_120_00) =>
  render(
    <Provider store={makeStore()}>
      <UpiCodes details={details} paise={paise} />
    </Provider>,
  );
const own = () => screen.findByRole('img', { name: 'upi_codes.own' });
const made = () => screen.queryByRole('img', { name: 'mine.code_of' });

it('beside the code with the amount in it stands the one that the shop uploaded, with what the customer has to type', async () => {
  const { unmount } = show();
  expect(await own()).toHaveAttribute('src', PICTURE);
  const linkOf = () => new URL(made()!.getAttribute('data-qr')!).searchParams;
  expect([linkOf().get('pa'), linkOf().get('am'), linkOf().get('pn')]).toEqual(['asha@upi', '1120.00', 'Asha Mobiles']);
  expect(screen.getByText(/upi_codes.own_hint/)).toBeVisible();
  const reference = linkOf().get('tr');
  unmount();
  // A code is for one payment.
  show();
  await own();
  expect(linkOf().get('tr')).not.toBe(reference);
});

it('a shop without a UPI id offers its own code alone, and of one that names no amount none is made', async () => {
  shop = { ...SHOP, upi_id: null };
  const { unmount } = show();
  await own();
  expect(made()).toBeNull();
  unmount();
  shop = SHOP;
  show(0);
  await own();
  expect(made()).toBeNull();
  expect(screen.queryByText(/upi_codes.own_hint/)).toBeNull();
});

it('a picture that the shop has not uploaded is not asked for; one that cannot be shown is not there', async () => {
  shop = { ...SHOP, has_qr: false };
  const { unmount } = show();
  await waitFor(() => expect(made()).toBeVisible());
  expect(asked).toEqual(['get-details']);
  unmount();
  shop = SHOP;
  isDamaged = true;
  show();
  await waitFor(() => expect(asked.some((call) => call.includes('kind=qr'))).toBe(true));
  await waitFor(() => expect(made()).toBeVisible());
  expect(screen.queryByRole('img', { name: 'upi_codes.own' })).toBeNull();
});

it('a shop with neither is told where to add one', async () => {
  shop = { ...SHOP, upi_id: null, has_qr: false };
  show();
  expect(await screen.findByText('upi_codes.none')).toBeVisible();
});

it('whoever collects by UPI may show the codes; cash has none', async () => {
  HTMLDialogElement.prototype.showModal ??= function open(this: HTMLDialogElement) {
    this.open = true;
  };
  render(
    <Provider store={makeStore()}>
      <CollectSheet
        open
        onClose={() => undefined}
        details={{ data: details } as ReadResult<EmiDetails>}
        onReceipt={() => undefined}
      />
    </Provider>,
  );
  expect(screen.queryByRole('button', { name: 'customer.qr', hidden: true })).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'emi.pay_UPI', hidden: true }));
  fireEvent.click(screen.getByRole('button', { name: 'customer.qr', hidden: true }));
  // Its code and words come when it is opened.
  expect(screen.getByText('states.loading')).toBeInTheDocument();
  expect(asked).toEqual([]);
});
