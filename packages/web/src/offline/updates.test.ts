// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeNewest } from './updates.ts';

const reload = vi.fn<() => void>();
beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('location', { reload });
});
afterEach(() => vi.unstubAllGlobals());

/** A worker that goes where it is told. */
function worker() {
  const events = new EventTarget();
  const told: unknown[] = [];
  const made = Object.assign(events, { state: 'installing', postMessage: (message: unknown) => told.push(message) });
  const become = (state: string) => {
    made.state = state;
    made.dispatchEvent(new Event('statechange'));
  };
  return { made, told, become };
}
const has = (registration: object | undefined) =>
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
const update = async () => undefined;

it('a build that waits takes over, and then the page is loaded anew', async () => {
  const { made, told, become } = worker();
  has({ update, waiting: made, installing: null });
  await takeNewest();
  expect([told, reload.mock.calls.length]).toEqual([[{ type: 'SKIP_WAITING' }], 0]);
  // Loaded sooner, it would be the old build once more.
  become('activating');
  expect(reload).not.toHaveBeenCalled();
  become('activated');
  expect(reload).toHaveBeenCalledOnce();
});

it('one that only comes now is waited for', async () => {
  const { made, told, become } = worker();
  has({ update, waiting: null, installing: made });
  await takeNewest();
  expect(told).toEqual([]);
  become('installed');
  expect(told).toEqual([{ type: 'SKIP_WAITING' }]);
  become('activated');
  expect(reload).toHaveBeenCalledOnce();
});

it.each([
  ['no newer build, or another tab has taken it', { update, waiting: null, installing: null }],
  ['no network', { update: () => Promise.reject(new TypeError('network')), waiting: null, installing: null }],
  ['no worker', undefined],
])('%s: the page is loaded anew', async (_, registration) => {
  has(registration);
  await takeNewest();
  expect(reload).toHaveBeenCalledOnce();
});
