// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

const ENROLLED = { is_enrolled: true, enrolled_at: '2026-11-20T10:00:00Z', offers_code: false, status: 1 };

async function connected(read: '0' | '1') {
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string' || new URL(request.url).pathname.includes('access')
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: ENROLLED }),
  );
  const store = makeStore();
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/emm-qr?customer_id=c-1']}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  act(() => void store.dispatch(accessConfig({ lock: '1', unlock: '1', read, uninstall: '1' })));
  await screen.findByText('qr.connected');
}

it('who may not see customers is not led to one', async () => {
  await connected('0');
  expect(screen.queryByRole('link', { name: 'qr.see_customer' })).toBeNull();
  expect(screen.getByRole('link', { name: 'common.back' })).toHaveAttribute('href', '/add-customer');
});

it('who may see customers is', async () => {
  await connected('1');
  expect(screen.getByRole('link', { name: 'qr.see_customer' })).toBeInTheDocument();
});

/** A phone that no code is made for: what stands in its place. */
async function refused(code: string, profile: object) {
  const answers: Record<string, object> = {
    get_customers_qrCode: { is_enrolled: false, enrolled_at: null, offers_code: false, status: 0 },
    getCustomerProfile: profile,
  };
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const data = answers[pathname.split('/').at(-1) ?? ''];
    const refuses = searchParams.get('image') === 'text';
    return refuses
      ? Response.json({ status: 409, response: 'failure', message: '', code }, { status: 409 })
      : Response.json({ status: 200, response: 'success', message: '', data: data ?? {} });
  });
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={['/emm-qr?customer_id=c-1']}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
}

it('where the phone was let go, that is why there is no code', async () => {
  await refused('STATE_CONFLICT', {
    customer: { mobile: '9800000000' },
    device: { released_at: '2026-05-10T05:30:00Z' },
  });
  expect(await screen.findByText('unclaim.over')).toBeInTheDocument();
  expect(screen.queryByText('qr.not_here_body')).toBeNull();
});

it('without a key it says who gives one, and looks again', async () => {
  await refused('INSUFFICIENT_KEYS', { customer: { mobile: '9800000000' } });
  expect(await screen.findByText('states.keys_distributor')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'common.retry' })).toBeInTheDocument();
});
