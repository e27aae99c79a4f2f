// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NEW_SLOT } from '#web/offline/begun-forms.ts';
import { keepOnlyOwnDrafts } from '#web/offline/drafts.ts';
import { ImageError, type ImageErrorKey } from '#web/native/image-error.ts';
import { store } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import type { Drawing } from '#web/widgets/drawing.ts';
import { toast } from '#web/ui/toast.ts';
import type { OpenedForm } from './draft.ts';
import { EMPTY } from './fields.ts';
import { findForm } from './local-forms.ts';
import { useForm } from './use-form.ts';
import { useSubmit } from './use-submit.ts';

const CUSTOMER = '0199aaaa-0000-7000-8000-000000000001';
/** What was asked of the server, in order, and the key of each registration. */
let asked: string[] = [];
let keys: (string | null)[] = [];
/** The code that each registration is refused with; of none left it succeeds. */
let refusals: string[] = [];

beforeEach(async () => {
  [asked, keys, refusals] = [[], [], []];
  store('user_id', '');
  await keepOnlyOwnDrafts();
  store('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = { customer_id: CUSTOMER, agreement_no: 'A-1' };
    const done = Response.json({ status: 200, response: 'success', message: '', data });
    if (request.url.endsWith('/upload/signature')) return (asked.push('signature'), done);
    const body = (await request.json()) as { draft: boolean; customer_id?: string; loan?: object };
    asked.push(`${body.draft ? 'draft' : 'registration'} ${body.customer_id ? 'known' : 'new'}`);
    if (body.draft) return done;
    if (body.loan) asked.push(`${new URL(request.url).pathname} ${JSON.stringify(body.loan)}`);
    keys.push(request.headers.get('idempotency-key'));
    const code = refusals.shift();
    const status = code === 'UNAVAILABLE' ? 503 : 409;
    return code ? Response.json({ status, response: 'failure', message: '', code }, { status }) : done;
  });
});
afterEach(() => vi.unstubAllGlobals());

let paper: () => Promise<Blob> = async () => new Blob(['png']);
const drawing = { mark: 'one stroke', toPng: () => paper() } as unknown as Drawing;
const fresh = { values: { ...EMPTY, plan_id: '1' }, step: 'consent', customerId: undefined } as OpenedForm;
const goTo = vi.fn<(step: string) => void>();
function open() {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={['/add']}>{children}</MemoryRouter>
    </Provider>
  );
  const { result } = renderHook(
    () => {
      const form = useForm(fresh, NEW_SLOT, 'consent', () => undefined);
      const { pathname, search } = useLocation();
      return { form, ...useSubmit(form, goTo), at: pathname + search };
    },
    { wrapper },
  );
  act(() => result.current.form.set({ 'customer.first_name': 'Meena' }));
  return { press: () => act(() => result.current.submit(drawing, 'en')), at: () => result.current.at, result };
}
const begun = async () => (await findForm(undefined)).form;

it('a customer who is signed up leaves nothing under the next "Add"', async () => {
  const { press, at } = open();
  await press();
  expect(asked).toEqual(['draft new', 'draft known', 'signature', 'registration known']);
  expect(at()).toBe(`/emm-qr?customer_id=${CUSTOMER}`);
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)));
  expect(await begun()).toBeUndefined();
});

it('a registration that was refused is pressed again: the same customer, the signature once, the form still here', async () => {
  refusals = ['DUPLICATE_IMEI'];
  const { press, at, result } = open();
  await press();
  expect([at(), goTo.mock.lastCall]).toEqual(['/add', ['device']]);
  expect(result.current.form.sentences).toHaveProperty(['device.imei1']);
  expect(await begun()).toMatchObject({ customerId: CUSTOMER, values: { 'customer.first_name': 'Meena' } });
  await press();
  expect(asked.slice(4)).toEqual(['draft known', 'registration known']);
  expect([at(), new Set(keys).size]).toEqual([`/emm-qr?customer_id=${CUSTOMER}`, 2]);
});

it('a registration without an answer goes out again under its key', async () => {
  refusals = ['UNAVAILABLE'];
  const { press } = open();
  await press();
  await press();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it('a customer who was signed up meanwhile is led to the steps that remain, and the draft is not saved over it', async () => {
  refusals = ['STATE_CONFLICT'];
  const { press, at } = open();
  await press();
  expect(at()).toBe(`/customer-navigate?customer_id=${CUSTOMER}`);
  expect(asked).toEqual(['draft new', 'draft known', 'signature', 'registration known']);
});

it('the same signature for another phone goes up again: the server keeps it for what the form said', async () => {
  refusals = ['DUPLICATE_IMEI', 'DUPLICATE_IMEI'];
  const { press, result } = open();
  await press();
  act(() => result.current.form.set({ 'device.imei1': '356938035643809' }));
  await press();
  await press();
  expect(asked.filter((what) => what === 'signature')).toHaveLength(2);
});

const LOAN = {
  'loan.financer_id': '3',
  'loan.loan_account_no': 'GF-1',
  'loan.sanctioned_amount': '1200000',
  'loan.sanctioned_on': '2026-01-05',
};
it('a sale whose loan a financer made goes by the call for those, and its refusal lands beside the number', async () => {
  refusals = ['LOAN_NUMBER_USED'];
  const { press, at, result } = open();
  act(() => result.current.form.set(LOAN));
  await press();
  expect(asked.at(-1)).toBe(
    '/api/customer/create-customer-hdb {"financer_id":3,"loan_account_no":"GF-1","sanctioned_amount":1200000,"sanctioned_on":"2026-01-05"}',
  );
  expect([at(), goTo.mock.lastCall]).toEqual(['/add', ['emi']]);
  expect(result.current.form.sentences).toHaveProperty(['loan.loan_account_no']);
  await press();
  expect(at()).toBe(`/emm-qr?customer_id=${CUSTOMER}`);
});

it.each<ImageErrorKey>(['errors.image_canvas', 'errors.image_blob', 'errors.image_load', 'errors.image_read'])(
  'a signature that this browser makes no picture of (%s) is said, and nobody is registered without',
  async (key) => {
    paper = () => Promise.reject(new ImageError(key));
    const { press, at } = open();
    await press();
    paper = async () => new Blob(['png']);
    expect(toast.current()?.text).toBe(key);
    expect([asked, at()]).toEqual([['draft new', 'draft known'], '/add']);
  },
);
