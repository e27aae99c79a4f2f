// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Person } from './person.tsx';
import { type Customer, changesOf, personOf } from './typed-person.ts';

const CUSTOMER = {
  customer_id: 'c',
  first_name: 'Irfan',
  last_name: 'Shaikh',
  mobile: '+919876543210',
  alternate_mobile: null,
  email: 'irfan@example.in',
  birth_on: null,
  language: 'en',
  address: { line1: '4, Main Road', city: 'Pune', state: 'Maharashtra', pincode: '411001' },
  aadhaar_masked: 'XXXX XXXX 1234',
  pan_masked: null,
} as unknown as Customer;

let asked: { path: string; body: unknown }[];
let refusal: object | undefined;
beforeEach(() => {
  asked = [];
  refusal = undefined;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const path = new URL(request.url).pathname;
    if (request.method === 'POST') asked.push({ path, body: await request.clone().json() });
    if (refusal && path.endsWith('/update_customer_detailsV3'))
      return Response.json({ response: 'failure', message: '', ...refusal }, { status: 422 });
    const data = path.endsWith('/send_number_code')
      ? { resend_after_s: 30, expires_in_s: 300, masked_mobile: '98••••3210' }
      : path.endsWith('/update_customer_detailsV3')
        ? { customer_id: 'c', changed: ['mobile'], number_speaks_at: null }
        : [];
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(): { isDone: () => boolean } {
  const done = vi.fn<() => void>();
  render(
    <Provider store={makeStore()}>
      <Person customer={CUSTOMER} onDone={done} />
    </Provider>,
  );
  return { isDone: () => done.mock.calls.length > 0 };
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { exact: false }), { target: { value } });
const saved = () => asked.filter(({ path }) => path.endsWith('/update_customer_detailsV3')).map(({ body }) => body);
const save = () => fireEvent.click(screen.getByRole('button', { name: 'common.save' }));

it('nothing typed is nothing to save; what differs goes by itself, the address as a whole', () => {
  const stands = personOf(CUSTOMER);
  expect(changesOf(CUSTOMER, stands)).toBeUndefined();
  expect(changesOf(CUSTOMER, { ...stands, last_name: ' Sheikh ' })).toEqual({ customer_id: 'c', last_name: 'Sheikh' });
  expect(changesOf(CUSTOMER, { ...stands, city: 'Satara', pan: 'ABCDE1234F' })).toEqual({
    customer_id: 'c',
    pan: 'ABCDE1234F',
    address: { line1: '4, Main Road', city: 'Satara', state: 'Maharashtra', pincode: '411001' },
  });
});

it('another number is saved with the OTP from the old one, which is about that number', async () => {
  const { isDone } = open();
  expect(screen.queryByText('person.number_waits')).toBeNull();
  type('auth.mobile', '98765432');
  expect(screen.getByRole('button', { name: 'consent.send_code' })).toBeDisabled();
  type('auth.mobile', '9876500001');
  fireEvent.click(screen.getByRole('button', { name: 'consent.send_code' }));
  fireEvent.change(await screen.findByLabelText('auth.otp_label'), { target: { value: '123456' } });
  await vi.waitFor(() => expect(isDone()).toBe(true));
  expect(asked).toEqual([
    { path: '/country/send_number_code', body: { customer_id: 'c', mobile: '9876500001' } },
    {
      path: '/country/update_customer_detailsV3',
      body: { customer_id: 'c', mobile: '9876500001', otp: '123456' },
    },
  ]);
});

it('without the old number it is saved all the same', async () => {
  const { isDone } = open();
  type('auth.mobile', '9876500002');
  save();
  await vi.waitFor(() => expect(isDone()).toBe(true));
  expect(saved()).toEqual([{ customer_id: 'c', mobile: '9876500002' }]);
});

it('what is on file cannot be emptied, and a refusal stands by its field, where it leads, with all that was typed', async () => {
  const { isDone } = open();
  for (const [label, value] of [
    ['add.last_name', 'Sheikh'],
    ['person.email', 'x@y'],
  ] as const) {
    type(label, '');
    expect(screen.getByText('field.required')).toBeInTheDocument();
    save();
    expect(screen.getByLabelText(label, { exact: false })).toHaveFocus();
    screen.getByRole('button', { name: 'common.save' }).focus();
    type(label, value);
  }
  expect(saved()).toEqual([]);
  type('add.city', 'Satara');
  refusal = { status: 422, code: 'VALIDATION', errors: [{ path: 'email', message: 'Enter a valid email.' }] };
  save();
  expect(await screen.findByText('Enter a valid email.')).toBeInTheDocument();
  expect(screen.getByLabelText('person.email', { exact: false })).toHaveFocus();
  expect(isDone()).toBe(false);
  expect(screen.getByLabelText('add.city', { exact: false })).toHaveValue('Satara');
});
