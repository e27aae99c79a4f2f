// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { CancelAgreement } from './cancel-agreement.tsx';

const ACCESS = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1' };
const SAID = { agreement_no: 'A-7', given_up_paise: 5_000_00, refund_paise: 0, refunds: 0, key: 'SPENT' };
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const isAccess = new URL(request.url).pathname === '/api/user/user_access';
    return Response.json({ status: 200, response: 'success', message: '', data: isAccess ? ACCESS : SAID });
  });
});
afterEach(() => vi.unstubAllGlobals());

const QUIET = {
  customer: { customer_id: 'c' },
  agreement: { state: 'active' },
  device: { released_at: null, enrolled_at: '2026-04-10T05:30:00Z' },
  disputes: [{ state: 'answered' }],
  lock_timeline: { holds: [] },
};
async function linesOf(more: object): Promise<string[]> {
  const profile = { ...QUIET, ...more } as unknown as CustomerProfile;
  render(
    <Provider store={makeStore()}>
      <CancelAgreement profile={profile} />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'cancel.title' }));
  return (await screen.findAllByRole('listitem')).map((line) => line.textContent);
}

it('says nothing of complaints and grace periods where there are none', async () => {
  expect(await linesOf({})).toEqual(['cancel.owed', 'cancel.nothing', 'cancel.phone_set', 'cancel.key_SPENT']);
});

it.each([
  ['a complaint waits', { disputes: [{ state: 'open' }] }],
  ['a grace period stands', { lock_timeline: { holds: [{ hold_id: 'h' }] } }],
])('says what becomes of them when %s', async (_what, more) => {
  expect(await linesOf(more)).toContain('cancel.rest');
});
