// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatDateTime } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { CheckStatus } from './check-status.tsx';

const BEFORE = '2026-03-01T05:30:00.000Z';
const AFTER = '2026-03-04T05:30:00.000Z';
let isEnrolled = true;
let answersAt = 3;
let looks = 0;
let asked = 0;
beforeEach(() => {
  [isEnrolled, answersAt, looks, asked] = [true, 3, 0, 0];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const answer = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
    if (request.url.includes('check_status')) {
      asked += 1;
      return answer({
        status: 1,
        is_enrolled: isEnrolled,
        enrolled_at: null,
        last_seen_at: BEFORE,
        is_asked: isEnrolled,
      });
    }
    looks += 1;
    const last_seen_at = looks < answersAt ? BEFORE : AFTER;
    return answer({ device: { last_seen_at }, lock: { lock_status: 0 } });
  });
});
afterEach(() => vi.unstubAllGlobals());

function press(): void {
  render(
    <Provider store={makeStore()}>
      <CheckStatus customerId="c" patience={{ waitMs: 100, lookMs: 10 }} />
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'qr.check' }));
}

it('a check ends in what the phone says now, also where nothing has changed, with the moment of that word', async () => {
  press();
  expect(screen.getByRole('button')).toHaveAttribute('aria-busy', 'true');
  expect(await screen.findByText('lock.unlocked · customer.reported')).toBeVisible();
  expect(screen.getByRole('button')).not.toHaveAttribute('aria-busy');
  expect([asked, looks]).toEqual([1, 3]);
});

it('a phone that does not answer in time is said to have not, with its last word', async () => {
  answersAt = Infinity;
  press();
  const words = `device.asked_offline device.last_seen: ${formatDateTime(BEFORE)}`;
  expect(await screen.findByText(words)).toBeVisible();
  expect(looks).toBe(10);
});

it('a phone that was never set up is not waited for', async () => {
  isEnrolled = false;
  press();
  expect(await screen.findByText('qr.not_yet')).toBeVisible();
  expect(looks).toBe(0);
});
