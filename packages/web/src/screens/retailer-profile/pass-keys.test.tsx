// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { PassKeys } from './pass-keys.tsx';

const DPC = { plan_type: 0, name: 'DPC', paid: 3, granted: 2, reserved: 1, price_paise: null };
const LINK = { plan_type: 1, name: 'LINKFL', paid: 4, granted: 0, reserved: 0, price_paise: null };
const NONE = { plan_type: 2, name: 'APPLE', paid: 0, granted: 0, reserved: 1, price_paise: null };
let userType = 'retailer';
let keys: (typeof DPC)[] = [];
let refused: string | undefined;
const sent: unknown[] = [];
const reads: string[] = [];
beforeEach(() => {
  userType = 'retailer';
  keys = [DPC, LINK, NONE];
  refused = undefined;
  sent.length = 0;
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) return answer({ user_type: userType, user_id: 'own' });
    if (request.method === 'GET') reads.push(pathname.split('/').at(-1)!);
    if (pathname.endsWith('/getBalanceTypesWithScheme')) return answer(keys);
    if (request.method === 'GET') return answer({});
    const body = (await request.json()) as { keys: number };
    sent.push(body);
    return refused
      ? Response.json({ status: 409, response: 'failure', message: 'Too few.', code: refused }, { status: 409 })
      : answer({ passed: body.keys, left: 0 });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

const shop = { user_id: 'm1', shop_name: 'Komal', is_active: true } as unknown as RetailerProfile;
const door = () => screen.findByRole('button', { name: 'retailers.keys_pass' });
/** Below the one that opens the sheet. */
const confirm = () => screen.getAllByRole('button', { name: 'retailers.keys_pass', hidden: true }).at(-1)!;
function Beside() {
  useRead('getRetailerProfile', { query: { user_id: 'm1' } });
  return null;
}
const show = (of = shop) =>
  render(
    <Provider store={makeStore()}>
      <Beside />
      <PassKeys shop={of} />
    </Provider>,
  );

it('keys of the plan that is chosen pass to the shop, as many as were asked for; what stands of keys is read anew', async () => {
  show();
  await userEvent.click(await door());
  expect(screen.getByText(/retailers.keys_pass_body/)).toBeInTheDocument();
  // A plan without keys to spend is not offered.
  expect(screen.queryByRole('option', { name: 'plan.APPLE', hidden: true })).toBeNull();
  await userEvent.click(confirm());
  expect(sent).toEqual([]);
  await userEvent.selectOptions(screen.getByRole('combobox', { hidden: true }), '1');
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), '4');
  reads.length = 0;
  await userEvent.click(confirm());
  await waitFor(() => expect(toast.current()?.text).toContain('retailers.keys_passed'));
  expect(sent).toEqual([{ to_user_id: 'm1', plan_type: 1, keys: 4 }]);
  await waitFor(() =>
    expect(reads).toEqual(expect.arrayContaining(['getRetailerProfile', 'getBalanceTypesWithScheme'])),
  );
});

it('never more than there are, and not none', async () => {
  keys = [DPC];
  show();
  await userEvent.click(await door());
  const box = screen.getByRole('textbox', { hidden: true });
  for (const typed of ['6', '0']) {
    await userEvent.clear(box);
    await userEvent.type(box, typed);
    await userEvent.click(confirm());
    expect(box).toBeInvalid();
  }
  expect(sent).toEqual([]);
  await userEvent.clear(box);
  await userEvent.type(box, '5');
  await userEvent.click(confirm());
  await waitFor(() => expect(sent).toEqual([{ to_user_id: 'm1', plan_type: 0, keys: 5 }]));
});

it('what the server refuses is said, and the sheet stays', async () => {
  refused = 'STATE_CONFLICT';
  keys = [DPC];
  show();
  await userEvent.click(await door());
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), '2');
  await userEvent.click(confirm());
  await waitFor(() => expect(toast.current()?.text).toBe('Too few.'));
  expect(screen.getByRole('textbox', { hidden: true })).toHaveValue('2');
});

it.each<[string, string, typeof keys, RetailerProfile]>([
  ['the administrator, who has none', 'admin', [DPC], shop],
  ['a retailer without keys to spend', 'retailer', [NONE], shop],
  ['a shop that is suspended', 'retailer', [DPC], { ...shop, is_active: false }],
])('no door for %s', async (_who, type, has, of) => {
  userType = type;
  keys = has;
  reads.length = 0;
  show(of);
  await waitFor(() => expect(reads).toContain('getRetailerProfile'));
  await new Promise((done) => setTimeout(done, 100));
  expect(screen.queryByRole('button')).toBeNull();
});
