// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CallReply } from '#web/api/calls.ts';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { ShopForm } from './form.tsx';

const shop = (shop_name: string, last_name = 'Jadhav') =>
  ({
    user_id: 'm1',
    shop_name,
    first_name: 'Komal',
    last_name,
    mobile: '+919000000002',
    address: {},
    may: { edit: true, manage: true },
  }) as unknown as CallReply<'getUserDetails'>;
let sent: Record<string, unknown>[] = [];
let refusal: object | undefined;
beforeEach(() => {
  [sent, refusal] = [[], undefined];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') sent.push((await request.json()) as Record<string, unknown>);
    if (request.method === 'POST' && refusal)
      return Response.json({ status: 400, response: 'failure', message: 'No.', ...refusal }, { status: 400 });
    const data = request.method === 'GET' ? [] : { user_id: 'm1' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

function Path() {
  return <p>{useLocation().pathname}</p>;
}
/** The form, which stays on a slow line until what comes after it is there. */
const form = (
  of: CallReply<'getUserDetails'> | undefined,
  store: ReturnType<typeof makeStore>,
  beside?: { mayAddBeside?: boolean; children?: ReactNode },
) => (
  <Provider store={store}>
    <MemoryRouter initialEntries={['/edit']}>
      <Path />
      {beside?.children}
      <ShopForm shop={of} mayAddBeside={beside?.mayAddBeside ?? false} />
    </MemoryRouter>
  </Provider>
);
const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(name) });

it('what was saved stands there until the shop’s page is, never what stood before it', async () => {
  render(form(shop('Komal Mobile'), makeStore()));
  fireEvent.change(field('retailers.shop_name'), { target: { value: 'Komal Gallery' } });
  fireEvent.click(screen.getByRole('button', { name: 'common.save' }));
  await waitFor(() => expect(screen.queryByText('/edit')).toBeNull());
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
});

it('a form that is opened before the newer answer is there takes it up, and sends no older one back', async () => {
  const store = makeStore();
  const { rerender } = render(form(shop('Komal Mobile'), store));
  fireEvent.change(field('add.last_name'), { target: { value: 'Kale' } });
  rerender(form(shop('Komal Gallery'), store));
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
  expect(field('add.last_name')).toHaveValue('Kale');
});

const put = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'common.save' }));
const whole = {
  shop_name: 'Komal Gallery',
  first_name: 'Komal',
  last_name: '',
  email: '',
  upi_id: '',
  birth_on: '',
  address: { line1: '', city: '', state: '', pincode: '' },
};
function fill() {
  put('retailers.shop_name', 'Komal Gallery');
  put('add.first_name', 'Komal');
  put('auth.mobile', '+91 98123 45678');
}

it('a shop that is missing its name, owner or a whole mobile number is not sent, and each is asked for', async () => {
  render(form(undefined, makeStore()));
  save();
  for (const name of ['retailers.shop_name', 'add.first_name', 'auth.mobile'])
    expect(field(name)).toHaveAccessibleDescription(/field.required/);
  fill();
  put('auth.mobile', '98123');
  save();
  expect(field('auth.mobile')).toHaveAccessibleDescription(/field.mobile/);
  expect(sent).toEqual([]);
});

it('a new shop is a mini-retailer unless another kind is chosen; what it is called goes as it was typed', async () => {
  render(form(undefined, makeStore()));
  fill();
  fireEvent.change(screen.getByRole('combobox', { name: /add.city/ }), { target: { value: 'Pune' } });
  put('add.pincode', '411 001 5');
  save();
  expect(await screen.findByText('/retailers/m1')).toBeInTheDocument();
  const address = { line1: '', city: 'Pune', state: '', pincode: '411001' };
  expect(sent).toEqual([{ ...whole, mobile: '9812345678', user_type: 'miniretailer', address }]);
  expect(toast.current()?.text).toBe('retailers.saved');
});

it('whoever adds a shop beside theirs does not see into it: they are told so and led to the list', async () => {
  render(form(undefined, makeStore(), { mayAddBeside: true }));
  fireEvent.click(screen.getByRole('radio', { name: 'retailers.kind_retailer' }));
  fill();
  save();
  expect(await screen.findByText('/retailers')).toBeInTheDocument();
  expect(sent).toMatchObject([{ user_type: 'retailer' }]);
  expect(toast.current()?.text).toBe('retailers.added_beside');
});

it('nobody is logged out for a number that stayed: it is said only where it is another', async () => {
  const { unmount } = render(form(shop('Komal Mobile'), makeStore()));
  put('add.last_name', 'Kale');
  save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ user_id: 'm1', last_name: 'Kale' });
  expect(sent[0]).not.toHaveProperty('mobile');
  expect(sent[0]).not.toHaveProperty('user_type');
  await screen.findByText('/retailers/m1');
  unmount();
  render(form(shop('Komal Mobile'), makeStore()));
  put('auth.mobile', '98123 45678');
  save();
  await waitFor(() => expect(sent[1]).toMatchObject({ mobile: '9812345678' }));
});

it('whoever may only correct a shop’s data has no field for its number, and sends none', async () => {
  render(form({ ...shop('Komal Mobile'), may: { edit: true, manage: false } }, makeStore()));
  expect(screen.queryByRole('textbox', { name: /auth.mobile/ })).toBeNull();
  save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).not.toHaveProperty('mobile');
});

it('what the server did not take stands by its field, what it means no field by is said; what was typed stays', async () => {
  refusal = { code: 'INVALID_INPUT', errors: [{ path: 'address.pincode', message: 'Six digits.' }] };
  render(form(undefined, makeStore()));
  fill();
  save();
  await waitFor(() => expect(field('add.pincode')).toHaveAccessibleDescription('Six digits.'));
  refusal = { code: 'STATE_CONFLICT' };
  save();
  await waitFor(() => expect(toast.current()?.text).toBe('No.'));
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
  expect(screen.getByText('/edit')).toBeInTheDocument();
});

it.each([
  ['added', undefined, ['user', 'getRetailerProfile']],
  ['changed', shop('Komal Mobile'), ['user', 'getRetailerProfile', 'get-details', 'user_access']],
] as const)('after a shop was %s the list and the page of it are of now', async (_what, of, old) => {
  const reads: string[] = [];
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request !== 'string' && request.method === 'GET')
      reads.push(new URL(request.url).pathname.split('/').at(-1)!);
    return known(request as Request);
  });
  function Beside() {
    useRead('listUsers', { query: {} });
    useRead('getRetailerProfile', { query: { user_id: 'm1' } });
    useRead('getUserDetails', { query: { user_id: 'm1' } });
    useRead('getUserAccess', {});
    return null;
  }
  render(form(of, makeStore(), { children: <Beside /> }));
  await waitFor(() => expect(reads).toEqual(expect.arrayContaining(['user', 'get-details', 'user_access'])));
  fill();
  reads.length = 0;
  save();
  await waitFor(() => expect(reads).toEqual(expect.arrayContaining([...old])));
});

it('a new form begins empty once the shop that was typed into it is added', async () => {
  const first = render(form(undefined, makeStore()));
  fill();
  save();
  await screen.findByText('/retailers/m1');
  first.unmount();
  render(form(undefined, makeStore()));
  expect(field('retailers.shop_name')).toHaveValue('');
});
