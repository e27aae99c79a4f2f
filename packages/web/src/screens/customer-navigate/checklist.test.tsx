// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { Checklist } from './checklist.tsx';

afterEach(() => vi.unstubAllGlobals());

function open(activeDeactive: '0' | '1', isDraft: boolean, more: object = {}) {
  const me = {
    user_type: 'retailer',
    feature_access: '1',
    lock_unlock: '1',
    unistall: '1',
    active_deactive: activeDeactive,
    bulk_retailer: '0',
  };
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: me }),
  );
  const profile = {
    customer: { customer_id: 'c-1', first_name: 'Meena', is_draft: isDraft },
    steps: [{ step: 'plan', is_done: true }],
    consent_missing: [],
    ...more,
  } as unknown as CustomerProfile;
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Checklist profile={profile} />
      </MemoryRouter>
    </Provider>,
  );
}

it.each([true, false])('who may not go on with a sale is told so, and not to go on (draft: %s)', async (isDraft) => {
  open('0', isDraft);
  expect(await screen.findByText(/^navigate\.not_yours states\./)).toBeInTheDocument();
  expect(screen.queryByText(/navigate\.intro/)).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

it('who may is told where to go on', async () => {
  open('1', true);
  expect(await screen.findByText('navigate.intro_draft')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'navigate.go_on' })).toBeInTheDocument();
});

it('a phone that was let go is not set up any more: that is said, and no way there is shown', async () => {
  const steps = [
    { step: 'device', is_done: true },
    { step: 'consent', is_done: true },
    { step: 'qr', is_done: false },
  ];
  open('1', false, { steps, device: { released_at: '2026-05-10T05:30:00Z', enrolled_at: null } });
  // Drawn anew when the rest of it comes: what was found before that is not it.
  await waitFor(() => expect(screen.getByText('unclaim.over')).toBeInTheDocument());
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['customer.documents']);
  // Nor is one there, or still to come.
  expect(screen.getByText('navigate.step_consent')).toBeInTheDocument();
  for (const step of ['device', 'qr']) expect(screen.queryByText(`navigate.step_${step}`)).toBeNull();
});
