// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RetailerProfile } from '@kist/contract/people';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Transfer } from './transfer.tsx';

const SLOW = { timeout: 4000 };
const sent: Record<string, unknown>[] = [];
beforeEach(() => {
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
    if (pathname.endsWith('/user_access')) return answer({ user_type: 'retailer', user_id: 'own' });
    if (pathname.endsWith('/api/user') || pathname.endsWith('/getUsers'))
      return answer({
        list: [
          { user_id: 'm1', shop_name: 'Gone' },
          { user_id: 'm2', shop_name: 'Komal' },
        ],
        total: 2,
      });
    const body = (await request.json()) as Record<string, unknown>;
    sent.push(body);
    if (body['dry_run'] === true) return answer({ moved: 7, agreements: 5, left: 0 });
    const left = sent.length === 2 ? 3 : 0;
    return answer({ moved: left === 3 ? 4 : 3, agreements: 2, left });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

/** The customers of one shop are counted for another, up to the press that is answered. */
async function askHowMany(): Promise<void> {
  render(
    <Provider store={makeStore()}>
      <Transfer shop={{ user_id: 'm1', figures: { customers: 7 } } as unknown as RetailerProfile} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_on' }));
  await userEvent.selectOptions(await findSelect('Komal'), 'm2');
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), 'it closes');
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_count', hidden: true }));
}

it('tells how many go before anything goes, and then moves part by part until nobody is left', async () => {
  const shop = { user_id: 'm1', figures: { customers: 7 } } as unknown as RetailerProfile;
  render(
    <Provider store={makeStore()}>
      <Transfer shop={shop} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_on' }));
  await userEvent.click(await screen.findByRole('button', { name: 'retailers.pass_count', hidden: true }));
  expect(sent).toEqual([]);
  await screen.findByRole('option', { name: 'Komal', hidden: true });
  // Nobody moves to where they are.
  expect(screen.queryByRole('option', { name: 'Gone', hidden: true })).toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { hidden: true }), 'm2');
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), 'it closes');
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_count', hidden: true }));
  expect(await screen.findByText(/dashboard.customers/)).toBeInTheDocument();
  const told = { from_user_id: 'm1', to_user_id: 'm2', reason: 'it closes' };
  expect(sent).toEqual([{ ...told, dry_run: true }]);
  await userEvent.click(await screen.findByRole('button', { name: 'retailers.pass_now', hidden: true }));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent.slice(1)).toEqual([told, told]);
});

it('a part that did not go through can be sent again', async () => {
  let isAway = true;
  const moves: unknown[] = [];
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const body = request.url.includes('transfer') ? ((await request.clone().json()) as Record<string, unknown>) : {};
    if (body['reason'] === undefined || body['dry_run'] === true) return known(request);
    moves.push(body);
    return isAway
      ? Response.json({ status: 409, response: 'failure', message: '', code: 'STATE_CONFLICT' }, { status: 409 })
      : Response.json({ status: 200, response: 'success', message: '', data: { moved: 7, agreements: 5, left: 0 } });
  });
  await askHowMany();
  const go = await screen.findByRole('button', { name: 'retailers.pass_now', hidden: true });
  await userEvent.click(go);
  await waitFor(() => expect(moves).toHaveLength(1));
  await waitFor(() => expect(go).not.toHaveAttribute('aria-busy'));
  isAway = false;
  await userEvent.click(go);
  await waitFor(() => expect(moves).toHaveLength(2));
});

it('of more shops than one scrolls through the other one is found by its name, and stays chosen while another is looked for', async () => {
  const many = Array.from({ length: 130 }, (_, at) => ({ user_id: `s${at}`, shop_name: `Shop ${at}` }));
  const searches: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) return answer({ user_type: 'admin', user_id: 'own' });
    const search = searchParams.get('search');
    searches.push(search ?? '');
    const found = many.filter(({ shop_name }) => shop_name.toLowerCase().includes(search ?? ''));
    return answer({ list: found.slice(0, Number(searchParams.get('page_size'))), total: found.length });
  });
  const shop = { user_id: 's0', figures: { customers: 7 } } as unknown as RetailerProfile;
  render(
    <Provider store={makeStore()}>
      <Transfer shop={shop} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_on' }));
  await screen.findByRole('option', { name: 'Shop 99', hidden: true });
  expect(screen.queryByRole('option', { name: 'Shop 129', hidden: true })).toBeNull();
  const box = await screen.findByRole('searchbox', { hidden: true });
  // At once: between letters that come slowly the list is asked for already.
  const put = async (text: string) => {
    await userEvent.tripleClick(box);
    await userEvent.paste(text);
  };
  await put('shop 129');
  await userEvent.selectOptions(await findSelect('Shop 129'), 's129');
  await put('nobody');
  expect(await screen.findByText('states.no_result_title', {}, SLOW)).toBeInTheDocument();
  expect(screen.getByRole('combobox', { hidden: true })).toHaveValue('s129');
  expect([...new Set(searches)]).toEqual(['', 'shop 129', 'nobody']);
});

/** The list of shops, as soon as this one is in it. */
async function findSelect(name: string): Promise<HTMLElement> {
  await screen.findByRole('option', { name, hidden: true }, SLOW);
  return screen.getByRole('combobox', { hidden: true });
}

it('a shop without customers has nothing to pass on', () => {
  const shop = { user_id: 'm1', figures: { customers: 0 } } as unknown as RetailerProfile;
  render(
    <Provider store={makeStore()}>
      <Transfer shop={shop} />
    </Provider>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

/** Chosen, with a reason, and counted. */
async function count(to: string) {
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_on' }));
  await userEvent.selectOptions(await findSelect('Komal'), to);
  await userEvent.type(screen.getByRole('textbox', { hidden: true }), 'it closes');
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_count', hidden: true }));
  await screen.findByRole('button', { name: 'retailers.pass_now', hidden: true });
}

it('what was counted for one receiver is not confirmed for another: for that one it is counted first', async () => {
  render(
    <Provider store={makeStore()}>
      <Transfer shop={{ user_id: 'm1', figures: { customers: 7 } } as unknown as RetailerProfile} />
    </Provider>,
  );
  await count('m2');
  await screen.findByRole('option', { name: 'retailers.own_shop', hidden: true });
  await userEvent.selectOptions(screen.getByRole('combobox', { hidden: true }), 'own');
  expect(screen.queryByText(/dashboard.customers/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'retailers.pass_now', hidden: true })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_count', hidden: true }));
  await screen.findByRole('button', { name: 'retailers.pass_now', hidden: true });
  expect(sent.map(({ to_user_id, dry_run }) => [to_user_id, dry_run])).toEqual([
    ['m2', true],
    ['own', true],
  ]);
});

it('customers that passed on are with the new shop wherever one looks next: profile, shops, customers, Home', async () => {
  const reads: string[] = [];
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') reads.push(new URL(request.url).pathname);
    return known(request);
  });
  function Beside() {
    useRead('getRetailerProfile', { query: { user_id: 'm1' } });
    useRead('listUsers', { query: {} });
    useRead('listCustomers', { query: {} });
    useRead('getDashboard', {});
    return null;
  }
  render(
    <Provider store={makeStore()}>
      <Beside />
      <Transfer shop={{ user_id: 'm1', figures: { customers: 7 } } as unknown as RetailerProfile} />
    </Provider>,
  );
  await count('m2');
  reads.length = 0;
  await userEvent.click(screen.getByRole('button', { name: 'retailers.pass_now', hidden: true }));
  const old = ['getRetailerProfile', 'user', 'customer', 'get_keygen_dashboardV1'];
  await waitFor(() => expect(reads.map((path) => path.split('/').at(-1))).toEqual(expect.arrayContaining(old)));
});

it('what could not be counted is said, and nothing is there to be confirmed', async () => {
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) =>
    request.url.includes('transfer')
      ? Response.json(
          { status: 409, response: 'failure', message: 'It closes.', code: 'STATE_CONFLICT' },
          { status: 409 },
        )
      : known(request),
  );
  await askHowMany();
  await waitFor(() => expect(toast.current()?.text).toBe('It closes.'));
  expect(screen.queryByRole('button', { name: 'retailers.pass_now', hidden: true })).toBeNull();
});
