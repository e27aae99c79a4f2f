// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import type { RetailerProfile } from '@kist/contract/people';
import { makeStore } from '#web/state/store.ts';
import { ReceiverField } from './receiver-field.tsx';

afterEach(() => vi.unstubAllGlobals());

it('customers are passed to shops that sell, and never to the shop that they are passed from', async () => {
  const states: (string | null)[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) return answer({ user_type: 'retailer', user_id: 'own' });
    states.push(searchParams.get('state'));
    const list = [
      { user_id: 'm1', shop_name: 'Komal' },
      { user_id: 'm2', shop_name: 'Sagar' },
    ];
    return answer({ list, total: list.length });
  });
  render(
    <Provider store={makeStore()}>
      <ReceiverField
        shop={{ user_id: 'm1' } as RetailerProfile}
        value=""
        error={undefined}
        disabled={false}
        onValue={() => undefined}
      />
    </Provider>,
  );
  await screen.findByRole('option', { name: 'Sagar' });
  expect(screen.queryByRole('option', { name: 'Komal' })).toBeNull();
  expect(await screen.findByRole('option', { name: 'retailers.own_shop' })).toBeInTheDocument();
  expect(new Set(states)).toEqual(new Set(['active']));
});
