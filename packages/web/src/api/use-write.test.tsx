// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSession } from '#web/state/session.ts';
import { makeStore } from '#web/state/store.ts';
import { useWrite } from './use-call.ts';

let keys: (string | null)[] = [];
let answers: (() => Response)[] = [];
const reply = (status: number, code?: string) => () =>
  Response.json({ status, response: code ? 'failure' : 'success', message: '', data: {}, code }, { status });
const done = reply(200);
const away = reply(503, 'UNAVAILABLE');
const refused = reply(409, 'ALREADY_REVERSED');
const cut = (): Response => {
  throw new TypeError('Failed to fetch');
};
beforeEach(() => {
  keys = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    keys.push(request.headers.get('idempotency-key'));
    return answers.shift()!();
  });
});
afterEach(() => vi.unstubAllGlobals());

const body = { payment_id: '01890a5d-ac96-774b-bcce-b302099a8057', reason: 'Entered twice' };
function press() {
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={makeStore()}>{children}</Provider>;
  const { result } = renderHook(() => useWrite('reversePayment'), { wrapper });
  return (reason = body.reason) => result.current[0]({ body: { ...body, reason } });
}
/** How many different keys went out. */
const different = () => new Set(keys).size;

it.each([
  ['cut off', cut],
  ['given up by the server', away],
])('pressed again after an answer that was %s, the same thing is asked under the same key', async (_how, lost) => {
  answers = [lost, lost, done];
  const write = press();
  for (let tries = 0; tries < 3; tries += 1) await write();
  expect([keys.length, different(), keys[0]]).toEqual([3, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

it('after a definite answer, a yes or a no, it is a new thing; so is one with other words', async () => {
  answers = [done, refused, cut, cut];
  const write = press();
  await write();
  await write();
  await write();
  await write('Another reason');
  expect([keys.length, different()]).toEqual([4, 4]);
});

it('what the end of the session cuts off is not told as a fault', async () => {
  answers = [() => new Promise<Response>(() => undefined) as unknown as Response];
  const written = press()();
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  endSession();
  expect(await written).toMatchObject({ error: { code: 'SESSION_REQUIRED' } });
});
