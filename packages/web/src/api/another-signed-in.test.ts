// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '@kist/contract/paths';
import { endSession, keepSession, onSessionEnd } from '#web/state/session.ts';
import { listenToAnswers } from '#web/state/start.ts';
import { stored } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { api } from './api.ts';
import { sendCall } from './send-call.ts';
import type { ApiError } from './errors.ts';

/** Questions that are on their way; the test says what is answered, and when. */
let asked: { request: Request; answer: (how: Response | Error) => void }[] = [];
const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
const failure = (status: number, code: string, headers: HeadersInit = {}) =>
  Response.json({ status, response: 'failure', message: `of Sunita: ${code}`, code }, { status, headers });

const signIn = (user_id: string) =>
  keepSession(
    {
      token: `token of ${user_id}`,
      account_id: 'a',
      user_id,
      user_type: 'retailer',
      org_id: 20,
      first_name: user_id,
      shop_name: 'Sunita Mobile',
      mpin_set: true,
      seal_key: 'A'.repeat(43),
    },
    '+919000000001',
  );
/** As in another tab of this browser, of which this page has not heard yet: where a session ends in this one, what is on its way ends with it. */
const asha = () => signIn('asha');

const ends: string[] = [];
let stop: () => void;
beforeEach(() => {
  listenToAnswers();
  asked = [];
  vi.stubGlobal('fetch', (request: Request | string) =>
    typeof request === 'string'
      ? Promise.resolve(new Response('', { status: 404 }))
      : new Promise((resolve, reject) => {
          asked.push({ request, answer: (how) => (how instanceof Error ? reject(how) : resolve(how)) });
        }),
  );
  signIn('sunita');
  ends.length = 0;
  stop = onSessionEnd((why) => ends.push(why));
});
afterEach(() => {
  stop();
  endSession();
  vi.unstubAllGlobals();
});

type Answer = { data?: unknown; error?: ApiError };
const read = async (name: CallName) =>
  (await appStore.dispatch(
    api.endpoints.read.initiate({ name, input: {} }, { forceRefetch: true, subscribe: false }),
  )) as Answer;
const write = async (name: CallName, more: { isQueued?: true } = {}) =>
  (await appStore.dispatch(
    api.endpoints.write.initiate({ name, input: { body: {} }, invalidates: ['getDashboard'], ...more }),
  )) as Answer;

/** Sunita asks and leaves; then it is answered, whoever is there by then. */
async function answered(ask: () => Promise<Answer>, how: Response | Error, next = asha): Promise<Answer> {
  const answer = ask();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  next();
  asked[0]!.answer(how);
  return answer;
}
const OVER = { error: { code: 'SESSION_REQUIRED', message: '', details: {}, fields: [] } };

describe('an answer to whoever was not signed in, when somebody is', () => {
  beforeEach(() => endSession());
  it('signs nobody in over them: neither its yes nor its no is told', async () => {
    const late = { purpose: 'LOGIN', token: 'token of sunita' };
    expect(await answered(() => write('verifyOtpAuth'), ok(late))).toMatchObject(OVER);
    endSession();
    asked = [];
    expect(await answered(() => write('loginWithOtp'), failure(429, 'OTP_TOO_SOON'))).toMatchObject(OVER);
  });
  it('is theirs too where it was only read', async () => {
    expect((await answered(() => read('getOrgAppConfig'), failure(404, 'NOT_FOUND'))).error?.code).toBe('NOT_FOUND');
  });
});

describe('an answer that comes when who asked has left', () => {
  const me = { user_type: 'customer', is_birthday: true, now: '2020-01-01T00:00:00Z' };
  it('is not that of who is there then, nor acted on', async () => {
    expect(await answered(() => read('getUserAccess'), ok(me))).toMatchObject(OVER);
    expect([stored('user_type'), appStore.getState().main.birthdayCelebration]).toEqual(['', false]);
    expect(JSON.stringify(appStore.getState().api.queries)).not.toContain('customer');
  });
  it('leads the next one nowhere where something was done: neither its yes nor its no is told', async () => {
    expect(await answered(() => write('reversePayment'), ok({ receipt_no: 'R-1' }))).toMatchObject(OVER);
    asked = [];
    signIn('sunita');
    expect(await answered(() => write('reversePayment'), failure(409, 'STATE_CONFLICT'))).toMatchObject(OVER);
  });
  it('is told to the outbox, which keeps the work of each apart', async () => {
    const done = { receipt_no: 'R-1' };
    expect((await answered(() => write('updateEmiStatus', { isQueued: true }), ok(done))).data).toEqual(done);
  });
  it('ends no session where it says that hers is over', async () => {
    expect(await answered(() => read('getDashboard'), failure(511, 'SESSION_REQUIRED'))).toMatchObject(OVER);
    expect([ends, stored('token')]).toEqual([[], 'token of asha']);
  });
  it('that says nothing of her, only that nobody answered, is true for everybody', async () => {
    const { error } = await answered(() => read('getDashboard'), new TypeError('network'));
    expect(error?.code).toBe('FETCH_ERROR');
  });
  it('is hers where she has come back herself', async () => {
    const back = () => signIn('sunita');
    expect((await answered(() => read('getDashboard'), ok({ due: 1 }), back)).data).toEqual({ due: 1 });
  });
});

it.each(['write', 'queued write'])(
  'what was asked with a wrong clock is not sent again in the name of the next one (%s)',
  async (kind) => {
    const stale = failure(400, 'STALE_REQUEST', { 'x-server-time': new Date().toISOString() });
    const { error } = await answered(() => write('reversePayment', kind === 'write' ? {} : { isQueued: true }), stale);
    expect(error?.code).toBe(kind === 'write' ? 'SESSION_REQUIRED' : 'STALE_REQUEST');
    expect(asked).toHaveLength(1);
  },
);

it('what is on its way when a session ends in this page is told to nobody: neither as done nor as a fault', async () => {
  const answer = sendCall('reversePayment', { body: {} });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  endSession();
  signIn('asha');
  expect(await answer).toMatchObject({ error: { code: 'SESSION_REQUIRED', fields: [] } });
});
