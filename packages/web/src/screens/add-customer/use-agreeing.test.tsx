// @vitest-environment jsdom
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { agreedOf } from './body.ts';
import type { Signed } from './draft.ts';
import { EMPTY, type Values } from './fields.ts';
import { useAgreeing } from './use-agreeing.ts';
import type { Form } from './use-form.ts';

let asked: string[] = [];
/** What is said to whoever wants a code while one that went there is too young; undefined: it is sent. */
let tooSoon: { is_same?: boolean } | undefined;
beforeEach(() => {
  [asked, tooSoon] = [[], undefined];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = new URL(request.url).pathname.split('/').at(-1)!;
    asked.push(call);
    if (call === 'send_consent_code' && tooSoon) {
      const details = { retry_after_s: 25, ...tooSoon };
      const body = { status: 429, response: 'failure', code: 'OTP_TOO_SOON', message: '', details };
      return Response.json(body, { status: 429, headers: { 'retry-after': '25' } });
    }
    const data =
      call === 'collect_consent'
        ? { missing: ['signature', 'code'], login: null }
        : { resend_after_s: 30, expires_in_s: 300, masked_mobile: '98xxxxxx10' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const SOLD: Values = {
  ...EMPTY,
  plan_id: '1',
  'customer.mobile': '9812345678',
  'device.imei1': '490154203237518',
  'device.brand': 'Redmi',
  'device.model': '13C',
  'emi.cash_price': '1200000',
  'emi.tenure': '10',
};
const store = makeStore();
const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;

const STROKE = { points: [{ x: 1, y: 1, time: 1, pressure: 0.5 }] };
const signatureFor = (values: Values) =>
  ({ deal: agreedOf(values), strokes: [STROKE], width: 320, height: 160 }) as unknown as Signed;

/** @param before the signature that the form was opened with */
function signed(before?: Signed) {
  let values = SOLD;
  const kept: (Signed | undefined)[] = [];
  const form = {
    signed: before,
    sign: (now: Signed | undefined) => kept.push(now),
    get values() {
      return values;
    },
    set: (change: Partial<Values>) => {
      values = { ...values, ...change };
    },
    saveNow: async () => 'c1',
  } as unknown as Form;
  const hook = renderHook(() => useAgreeing(form, 'consent'), { wrapper });
  const change = (next: Partial<Values>) => {
    form.set(next);
    hook.rerender();
  };
  return { hook, change, valuesNow: () => values, kept };
}

it.each([
  ['the price', { 'emi.cash_price': '9800000' }],
  ['the number of EMIs', { 'emi.tenure': '36' }],
  ['the phone', { 'device.imei1': '356938035643809' }],
] as const)(
  'whoever changes %s after the customer agreed has tick, signature and code to get again',
  async (_, change) => {
    const { hook, change: type, valuesNow } = signed();
    await waitFor(() => expect(hook.result.current.agreeing.clause).not.toBeNull());
    const clear = vi.spyOn(hook.result.current.signing.drawing, 'clear');
    act(() => hook.result.current.agreeing.accept(true));
    act(() => hook.result.current.signing.onDrawn(false));
    hook.rerender();
    await waitFor(() => expect(hook.result.current.agreeing.code.stage).toBe('sent'));
    expect(hook.result.current.signing.isEmpty).toBe(false);
    act(() => type(change));
    hook.rerender();
    expect(clear).toHaveBeenCalledOnce();
    expect(valuesNow()['consent.accepted']).toBe('');
    expect(hook.result.current.signing.isEmpty).toBe(true);
    expect(hook.result.current.agreeing.code.stage).toBe('open');
  },
);

it('a code that is on its way for other terms is not taken for this one’s: it says so, and another is sent after its wait', async () => {
  const { hook, change } = signed();
  await waitFor(() => expect(hook.result.current.agreeing.clause).not.toBeNull());
  act(() => hook.result.current.agreeing.accept(true));
  await waitFor(() => expect(hook.result.current.agreeing.code.stage).toBe('sent'));
  act(() => change({ 'emi.down_payment': '100000' }));
  tooSoon = { is_same: false };
  act(() => hook.result.current.agreeing.accept(true));
  await waitFor(() => expect(hook.result.current.agreeing.code.isOther).toBe(true));
  expect(hook.result.current.agreeing.code).toMatchObject({ stage: 'open', error: undefined });
  expect(hook.result.current.agreeing.code.resendAtMs).toBeGreaterThan(Date.now());
  tooSoon = undefined;
  await act(() => hook.result.current.agreeing.code.ask());
  expect(hook.result.current.agreeing.code).toMatchObject({ stage: 'sent', isOther: false });
});

it.each([{ is_same: true }, {}])('a code that is on its way for these very terms is asked for: %j', async (said) => {
  const { hook } = signed();
  await waitFor(() => expect(hook.result.current.agreeing.clause).not.toBeNull());
  tooSoon = said;
  act(() => hook.result.current.agreeing.accept(true));
  await waitFor(() => expect(hook.result.current.agreeing.code.stage).toBe('sent'));
});

it('tick and signature do not go without a word, which is said once', async () => {
  const said = vi.spyOn(toast, 'info');
  const { hook, change } = signed(signatureFor(SOLD));
  act(() => change({ 'emi.tenure': '11' }));
  act(() => change({ 'emi.tenure': '12' }));
  hook.rerender();
  expect(said.mock.calls).toEqual([['add.agree_again']]);
  said.mockRestore();
});

it('what is no part of the deal takes nothing back', async () => {
  const { hook, change: type, valuesNow } = signed();
  await waitFor(() => expect(hook.result.current.agreeing.clause).not.toBeNull());
  act(() => hook.result.current.agreeing.accept(true));
  await waitFor(() => expect(hook.result.current.agreeing.code.stage).toBe('sent'));
  act(() => type({ 'customer.alternate_mobile': '9812345679' }));
  expect(valuesNow()['consent.accepted']).toBe('1');
  expect(hook.result.current.agreeing.code.stage).toBe('sent');
});

it('a page that was loaded anew has the signature again, for the same phone and terms alone; other terms take it off the phone', () => {
  expect(signed(signatureFor({ ...SOLD, 'emi.tenure': '12' })).hook.result.current.signing.isEmpty).toBe(true);
  const { hook, change, kept } = signed(signatureFor(SOLD));
  expect(hook.result.current.signing.isEmpty).toBe(false);
  act(() => change({ 'emi.tenure': '36' }));
  expect(hook.result.current.signing.isEmpty).toBe(true);
  expect(kept).toEqual([undefined]);
});

it.each([
  ['first name', { 'customer.first_name': 'Ravi' }],
  ['number', { 'customer.mobile': '9812345670' }],
  ['lender', { 'loan.financer_id': '7' }],
])('a signature and a tick are of no other %s', (_what, other) => {
  const { hook, change, valuesNow } = signed(signatureFor(SOLD));
  act(() => change({ 'consent.accepted': '1' }));
  expect(hook.result.current.signing.isEmpty).toBe(false);
  act(() => change(other));
  expect([hook.result.current.signing.isEmpty, valuesNow()['consent.accepted']]).toEqual([true, '']);
  expect(signed(signatureFor({ ...SOLD, ...other })).hook.result.current.signing.isEmpty).toBe(true);
});

it('what is drawn is kept for what stood above it', () => {
  const { hook, kept } = signed(signatureFor(SOLD));
  act(() => hook.result.current.signing.onDrawn(false));
  expect(kept).toEqual([signatureFor(SOLD)]);
});
