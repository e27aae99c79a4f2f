// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { PersonCard } from './person-card.tsx';

beforeEach(() => {
  const media = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => media);
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: { user_type: 'customer' } }),
  );
});
afterEach(() => vi.unstubAllGlobals());

it('of a phone before this one is said what is known of it, and no number where there is none', () => {
  const past = { brand: 'Vivo', model: 'Y28', at: '2026-03-04T05:30:00Z' };
  const profile = {
    customer: { customer_id: 'c', is_draft: true, address: {}, created_at: '2026-01-02T05:30:00Z' },
    exchanges: [
      { ...past, imei1: '490154203237518' },
      { ...past, model: 'Y19', imei1: null },
    ],
    edit_actions: [],
  } as unknown as CustomerProfile;
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <PersonCard profile={profile} />
      </MemoryRouter>
    </Provider>,
  );
  expect(screen.getByText(/Y28/)).toHaveTextContent(/^Vivo Y28 · 490154203237518 · [^·]+$/);
  expect(screen.getByText(/Y19/)).toHaveTextContent(/^Vivo Y19 · [^·]+$/);
});
