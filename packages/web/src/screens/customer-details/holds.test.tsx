// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LockTimeline } from '@kist/contract/customers';
import { addDays } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { shopToday } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { Holds } from './holds.tsx';

let saved: unknown[] = [];
beforeEach(() => {
  saved = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.url.includes('hold')) saved.push(await request.json());
    const words = { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '0' };
    return Response.json({
      status: 200,
      response: 'success',
      message: '',
      data: { user_type: 'retailer', ...words },
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (holds: LockTimeline['holds'], isRunning = true) =>
  render(
    <Provider store={makeStore()}>
      <Holds customerId="c" timeline={{ holds }} isRunning={isRunning} />
    </Provider>,
  );

it('a shop is offered to end the time that it gave, never the time that the organisation gave', async () => {
  const hold = (hold_id: string, is_organisations: boolean) =>
    ({ hold_id, kind: 'hardship', until_on: shopToday(), is_organisations }) as LockTimeline['holds'][number];
  show([hold('own', false), hold('theirs', true)]);
  expect(await screen.findByRole('button', { name: 'hold.lift' })).toBeInTheDocument();
  expect(screen.getAllByRole('button')).toHaveLength(1);
  expect(screen.getByText('hold.organisations')).toBeInTheDocument();
});

it('time is given to the last day that may be, and not to the day after', async () => {
  show([]);
  fireEvent.click(await screen.findByRole('button', { name: 'hold.start' }));
  fireEvent.change(await screen.findByRole('textbox', { name: /hold\.reason/ }), { target: { value: 'in hospital' } });
  const last = addDays(shopToday(), LIMITS.holdDays);
  const save = (until: string) => {
    fireEvent.change(screen.getByLabelText(/hold\.until_on/), { target: { value: until } });
    fireEvent.click(screen.getByRole('button', { name: 'common.save' }));
  };
  save(addDays(last, 1));
  expect(await screen.findByText('field.hold_until')).toBeInTheDocument();
  expect(saved).toEqual([]);
  save(last);
  await waitFor(() => expect(saved).toMatchObject([{ customer_id: 'c', until_on: last }]));
});

it('time that is over is spoken of no more on a page that was kept, and none is given where no agreement runs', async () => {
  const over = {
    hold_id: 'over',
    kind: 'medical',
    until_on: addDays(shopToday(), -1),
    is_organisations: false,
  } as const;
  const { unmount } = show([over]);
  expect(await screen.findByRole('button', { name: 'hold.start' })).toBeVisible();
  expect(screen.queryByText('hold.until')).toBeNull();
  unmount();
  show([], false);
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByRole('button')).toBeNull();
});
