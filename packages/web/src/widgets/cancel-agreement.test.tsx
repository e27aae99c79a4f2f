// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { shopToday } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { CancelAgreement } from './cancel-agreement.tsx';

const ACCESS = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1' };
const SAID = { agreement_no: 'A-7', given_up_paise: 5_000_00, refund_paise: 0, refunds: 0, key: 'SPENT' };
let refused: string | null;
beforeEach(() => {
  refused = null;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const isAccess = new URL(request.url).pathname === '/api/user/user_access';
    const data = isAccess ? ACCESS : { ...SAID, refused };
    return Response.json({ status: 200, response: 'success', message: '', data });
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
async function open(more: object = {}): Promise<void> {
  render(
    <Provider store={makeStore()}>
      <CancelAgreement profile={{ ...QUIET, ...more } as unknown as CustomerProfile} />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'cancel.title' }));
}
const lines = async () => (await screen.findAllByRole('listitem')).map((line) => line.textContent);

it('says nothing of complaints and grace periods where there are none', async () => {
  await open();
  expect(await lines()).toEqual(['cancel.owed', 'cancel.nothing', 'cancel.phone_set', 'cancel.key_SPENT']);
});

it.each([
  ['a complaint waits', { disputes: [{ state: 'open' }] }],
  ['a grace period stands', { lock_timeline: { holds: [{ hold_id: 'h', until_on: shopToday() }] } }],
])('says what becomes of them when %s', async (_what, more) => {
  await open(more);
  expect(await lines()).toContain('cancel.rest');
});

it.each([null, 'HELD_FOR_OWNER'])('release is promised only of a phone that can be let go (%s)', async (why) => {
  refused = why;
  await open();
  expect(await screen.findByText(why ? 'exchange.held' : 'cancel.phone_set')).toBeInTheDocument();
  expect(screen.queryByText(why ? 'cancel.phone_set' : 'exchange.held')).toBeNull();
  const button = screen.getAllByRole('button', { name: 'cancel.title' }).at(-1)!;
  expect(button.hasAttribute('disabled')).toBe(why !== null);
});

it('a reason that says nothing is told apart from none', async () => {
  await open();
  const field = await screen.findByLabelText('cancel.reason');
  const send = () => fireEvent.click(screen.getAllByRole('button', { name: 'cancel.title' }).at(-1)!);
  send();
  expect(await screen.findByText('field.required')).toBeInTheDocument();
  fireEvent.change(field, { target: { value: 'no' } });
  expect(screen.getByText('field.too_short')).toBeInTheDocument();
});
