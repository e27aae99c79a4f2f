// @vitest-environment jsdom
import { act, fireEvent, render } from '@testing-library/react';
import { MemoryRouter, useNavigate, type NavigateFunction } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { appStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { useNoStaleToasts } from './stale-toasts.ts';

let isAway = false;
let go: NavigateFunction;
function Screen({ onGo }: { onGo: (go: NavigateFunction) => void }) {
  useNoStaleToasts();
  onGo(useNavigate());
  return null;
}
beforeEach(() => {
  isAway = false;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    return isAway
      ? Response.json({ status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' }, { status: 409 })
      : Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  render(
    <MemoryRouter initialEntries={['/customers']}>
      <Screen onGo={(way) => (go = way)} />
    </MemoryRouter>,
  );
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});
const shown = () => toast.current()?.text;
const move = (path: string) => act(async () => go(path));
const press = () => fireEvent.pointerDown(document.body);
/** A call that is answered so, and what is said of it where it is not taken. */
async function send(name: 'setHold' | 'liftHold', isTaken: boolean, body = {}): Promise<void> {
  isAway = !isTaken;
  await appStore.dispatch(api.endpoints.write.initiate({ name, input: { body } }));
  if (!isTaken) toast.error(`${name} was refused`);
}

it('what went wrong on a screen is not said on the next one, nor on the way back', async () => {
  toast.error('No internet');
  press();
  await move('/dashboard');
  expect(shown()).toBeUndefined();
});

it('a filter that the address takes up is no other screen', async () => {
  toast.error('No internet');
  press();
  await move('/customers?status=1');
  expect(shown()).toBe('No internet');
});

it('what leads to another screen by itself is told there, and what went well everywhere', async () => {
  press();
  toast.error('Signed up already');
  await move('/dashboard');
  expect(shown()).toBe('Signed up already');
  toast.ok('Saved');
  press();
  await move('/customers');
  expect(shown()).toBe('Saved');
});

it('what has gone well since is not said to have gone wrong; another call says nothing of it', async () => {
  await send('setHold', false);
  await send('liftHold', true);
  expect(shown()).toBe('setHold was refused');
  await send('setHold', true);
  expect(shown()).toBeUndefined();
});

it('what went well for one customer says nothing of what went wrong for another; put right for the same one it does', async () => {
  await send('setHold', false, { customer_id: 'asha', reason: 'ill' });
  await send('setHold', true, { customer_id: 'irfan', reason: 'ill' });
  expect(shown()).toBe('setHold was refused');
  await send('setHold', true, { customer_id: 'asha', reason: 'In hospital' });
  expect(shown()).toBeUndefined();
});

it('a message about something else stands, whatever went wrong before it', async () => {
  await send('setHold', false);
  toast.error('It could not be copied');
  await send('setHold', true);
  expect(shown()).toBe('It could not be copied');
});
