// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Purchases, usePurchase } from './purchases.tsx';

const PHONES: Record<string, string> = { c1: 'Redmi 13C', c2: 'Vivo Y28' };
let ids = ['c2', 'c1'];
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    const id = url.searchParams.get('customer_id');
    const [brand = '', model = ''] = (PHONES[id ?? ''] ?? '').split(' ');
    const data = id
      ? { device: { brand, model }, agreement: { agreement_no: `A-${id}` } }
      : { user_type: 'customer', customer_id: ids[0], customer_ids: ids };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

function Looked() {
  const { id, ids: all } = usePurchase();
  return (
    <>
      <Purchases id={id} ids={all} />
      <p>{`looked at ${id}`}</p>
    </>
  );
}
const show = (at: string) =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[at]}>
        <Looked />
      </MemoryRouter>
    </Provider>,
  );

it('the last thing that was sold is looked at first, and another by its button', async () => {
  show('/my-emi');
  expect(await screen.findByText('looked at c2')).toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: 'Redmi 13C · A-c1' }));
  expect(await screen.findByText('looked at c1')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Redmi 13C · A-c1' })).toHaveAttribute('aria-pressed', 'true');
});

it('what the address names is looked at where it is the customer’s own, and nothing else', async () => {
  show('/my-emi?customer_id=c1');
  expect(await screen.findByText('looked at c1')).toBeInTheDocument();
  show('/my-emi?customer_id=somebody-elses');
  expect(await screen.findByText('looked at c2')).toBeInTheDocument();
});

it('who bought one thing chooses nothing', async () => {
  ids = ['c1'];
  show('/my-emi');
  expect(await screen.findByText('looked at c1')).toBeInTheDocument();
  expect(screen.queryByRole('button')).toBeNull();
});
