// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

/** What is typed at the counter stays, whatever terms are looked at and whatever is refused meanwhile. */
let asked: string[] = [];
/** As another phone may change it. */
let version = 1;
let refusal: string | null = null;
const laid = (tenure: number) => ({
  method: 'FLAT',
  rate_bps: 1200,
  apr_bps: 1300,
  tenure,
  emi_paise: Math.round(600_000 / tenure),
  total_interest_paise: 0,
  total_payable_paise: 600_000,
  last_due_on: '2026-12-10',
  instalments: [],
});
const answers: Record<string, (body: Record<string, never>) => object> = {
  get_emi_details: () => ({
    agreement: {
      customer_id: 'cust',
      first_name: 'Savita',
      agreement_no: '20-1',
      state: 'active',
      method: 'FLAT',
      rate_bps: 1200,
    },
    instalments: [1, 2, 3].map((no) => ({ no, due_on: `2026-0${no + 2}-10`, left_paise: 100 })),
    business_on: '2026-02-11',
  }),
  preview_emi_details: ({ tenure }) => ({
    agreement_no: '20-1',
    before: laid(3),
    after: laid(Number(tenure)),
    made: Number(tenure),
    from_on: '2026-03-10',
    schedule_version: version,
    needs_code: Number(tenure) < 3,
  }),
  send_emi_details_code: () => ({ resend_after_s: 30, expires_in_s: 300, masked_mobile: '98••••1234' }),
};
beforeEach(() => {
  [asked, version, refusal] = [[], 1, null];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = request.url.split('/').at(-1)!.split('?')[0]!;
    const body = (await request.json()) as Record<string, never>;
    asked.push(call);
    if (call === 'update_emi_details' && refusal !== null)
      return Response.json(
        { status: 409, response: 'failure', message: refusal, code: refusal, data: null },
        { status: 409 },
      );
    return Response.json({ status: 200, response: 'success', message: '', data: answers[call]?.(body) ?? {} });
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={['/emi-details/cust']}>
        <Routes>
          <Route path="/emi-details/:customer_id" element={<Screen />} />
          <Route path="*" element={<p>gone</p>} />
        </Routes>
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByLabelText('cancel.reason');
}
const tenure = (text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'emi_edit.tenure' }), { target: { value: text } });
const reason = () => screen.getByLabelText<HTMLTextAreaElement>('cancel.reason');
const otp = () => screen.getByLabelText<HTMLInputElement>(/auth\.otp_label/);
const give = (text: string) => fireEvent.change(reason(), { target: { value: text } });
async function sendCode() {
  await waitFor(() => expect(screen.getByRole('button', { name: 'consent.send_code' })).toBeTruthy());
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'consent.send_code' }).hasAttribute('disabled')).toBe(false),
  );
  fireEvent.click(screen.getByRole('button', { name: 'consent.send_code' }));
  await screen.findByLabelText(/auth\.otp_label/);
}

it('the reason and the customer’s OTP are there again when the terms are', async () => {
  await open();
  give('Wants to be done sooner');
  tenure('2');
  await sendCode();
  fireEvent.change(otp(), { target: { value: '123' } });
  tenure('1');
  expect(reason().value).toBe('Wants to be done sooner');
  // An OTP about other terms is another.
  await screen.findByRole('button', { name: 'consent.send_code' });
  expect(reason().value).toBe('Wants to be done sooner');
  tenure('2');
  await waitFor(() => expect(otp().value).toBe('123'));
});

it('a refusal that is not about the OTP leaves it, and the reason', async () => {
  await open();
  give('Wants to be done sooner');
  tenure('2');
  await sendCode();
  refusal = 'NUMBER_IS_NEW';
  fireEvent.change(otp(), { target: { value: '123456' } });
  await waitFor(() => expect(screen.getByText('NUMBER_IS_NEW')).toBeTruthy());
  expect([otp().value, reason().value]).toEqual(['123456', 'Wants to be done sooner']);
});

it('the OTP’s field has the keyboard; digits that came to nothing are sent once more by the button below them', async () => {
  await open();
  give('Wants to be done sooner');
  tenure('2');
  await sendCode();
  expect(document.activeElement).toBe(otp());
  const save = () => screen.getByRole('button', { name: 'emi_edit.save' });
  expect(save().hasAttribute('disabled')).toBe(true);
  refusal = 'UNAVAILABLE';
  fireEvent.change(otp(), { target: { value: '123456' } });
  await waitFor(() => expect(asked).toContain('update_emi_details'));
  await waitFor(() =>
    expect([save().hasAttribute('disabled'), save().hasAttribute('aria-busy')]).toEqual([false, false]),
  );
  refusal = null;
  fireEvent.click(save());
  expect(await screen.findByText('gone')).toBeTruthy();
});

it('when another phone was quicker, both are read anew, what was typed stays, and it is said what happened', async () => {
  await open();
  give('Pays less a week');
  tenure('6');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'emi_edit.save' }).hasAttribute('disabled')).toBe(false),
  );
  await waitFor(() => expect(asked.filter((call) => call === 'preview_emi_details')).toHaveLength(2));
  [refusal, version, asked] = ['STATE_CONFLICT', 2, []];
  fireEvent.click(screen.getByRole('button', { name: 'emi_edit.save' }));
  expect((await screen.findByRole('alert')).textContent).toBe('emi_edit.changed');
  await waitFor(() =>
    expect(asked.toSorted()).toEqual(['get_emi_details', 'preview_emi_details', 'update_emi_details']),
  );
  expect([reason().value, screen.getByRole<HTMLInputElement>('textbox', { name: 'emi_edit.tenure' }).value]).toEqual([
    'Pays less a week',
    '6',
  ]);
});
