// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Transfer } from './transfer.tsx';

const SLOW = { timeout: 4000 };
const people = Array.from({ length: LIMITS.pageSize + 5 }, (_, at) => ({
  customer_id: `c${at}`,
  first_name: `Asha${at}`,
  last_name: 'Pawar',
  mobile: `+9190000001${String(at).padStart(2, '0')}`,
  device: 'Redmi 13C',
}));
let userType = 'retailer';
let isAway = false;
const asked: URLSearchParams[] = [];
const sent: Record<string, unknown>[] = [];
beforeEach(() => {
  userType = 'retailer';
  isAway = false;
  asked.length = 0;
  sent.length = 0;
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) return answer({ user_type: userType, user_id: 'own' });
    if (pathname.endsWith('/api/customer')) {
      if (isAway) return Response.json({ status: 400, response: 'failure', message: 'Away.' }, { status: 400 });
      asked.push(searchParams);
      const found = people.filter(({ first_name }) => first_name.includes(searchParams.get('search') ?? ''));
      const from = (Number(searchParams.get('page')) - 1) * LIMITS.pageSize;
      return answer({ list: found.slice(from, from + LIMITS.pageSize), total: found.length });
    }
    if (pathname.endsWith('/api/user')) return answer({ list: [{ user_id: 'm2', shop_name: 'Komal' }], total: 1 });
    const body = (await request.json()) as Record<string, unknown>;
    sent.push(body);
    return answer({ moved: (body['customer_ids'] as string[]).length, agreements: 1, left: 0 });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

const shop = { user_id: 'm1', figures: { customers: people.length } } as unknown as RetailerProfile;
const button = (name: string) => screen.findByRole('button', { name, hidden: true });
const tick = (name: RegExp) => screen.findByRole('checkbox', { name, hidden: true }, SLOW);
async function open() {
  render(
    <Provider store={makeStore()}>
      <Transfer shop={shop} />
    </Provider>,
  );
  await userEvent.click(await button('retailers.pass_some'));
}

it('those that are chosen, one on the first page, one below and one searched for, pass to the other shop, and it is said how many did', async () => {
  await open();
  await userEvent.click(await tick(/Asha1 Pawar/));
  await userEvent.click(await button('customers.more'));
  await userEvent.click(await tick(/Asha21 Pawar/));
  await userEvent.click(await screen.findByRole('searchbox', { hidden: true }));
  await userEvent.paste('Asha7');
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /Asha1 Pawar/, hidden: true })).toBeNull(), SLOW);
  await userEvent.click(await tick(/Asha7 Pawar/));
  expect([...new Set(asked.map((query) => query.get('retailer_id')))]).toEqual(['m1']);
  await userEvent.click(await button('common.continue'));
  expect(await screen.findByText('retailers.pass_some_body')).toBeInTheDocument();
  expect(screen.queryByText('retailers.pass_on_body')).toBeNull();
  await screen.findByRole('option', { name: 'Komal', hidden: true }, SLOW);
  await userEvent.selectOptions(screen.getByRole('combobox', { hidden: true }), 'm2');
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), 'nearer');
  await userEvent.click(await button('retailers.pass_count'));
  const told = { from_user_id: 'm1', to_user_id: 'm2', reason: 'nearer', customer_ids: ['c1', 'c21', 'c7'] };
  await userEvent.click(await button('retailers.pass_these'));
  await waitFor(() => expect(toast.current()?.text).toContain('retailers.passed_on'));
  expect(sent).toEqual([{ ...told, dry_run: true }, told]);
  expect(screen.queryByRole('combobox', { hidden: true })).toBeNull();
});

it('nobody is passed on while nobody is chosen, and one that is unticked stays', async () => {
  await open();
  expect(await button('common.continue')).toBeDisabled();
  await userEvent.click(await tick(/Asha1 Pawar/));
  expect(await button('common.continue')).toBeEnabled();
  await userEvent.click(await tick(/Asha1 Pawar/));
  expect(await button('common.continue')).toBeDisabled();
  expect(sent).toEqual([]);
});

it('a list that could not be read is asked for again', async () => {
  isAway = true;
  await open();
  const again = await button('common.retry');
  isAway = false;
  await userEvent.click(again);
  expect(await tick(/Asha1 Pawar/)).toBeInTheDocument();
});

it('who runs an organisation has no list of customers: all of a shop are passed on, none are chosen', async () => {
  userType = 'admin';
  render(
    <Provider store={makeStore()}>
      <Transfer shop={shop} />
    </Provider>,
  );
  await waitFor(() => expect(screen.getByRole('button', { name: 'retailers.pass_on' })).toBeVisible());
  expect(screen.queryByRole('button', { name: 'retailers.pass_some' })).toBeNull();
});
