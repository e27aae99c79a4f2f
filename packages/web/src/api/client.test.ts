// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '@kist/contract/paths';
import { onSessionEnd } from '#web/state/session.ts';
import { makeStore } from '#web/state/store.ts';
import { api } from './api.ts';
import { learnServerTime } from './auth-session.ts';
import { callUrl, type LooseInput } from './calls.ts';
import { errorText } from './error-text.ts';
import type { ApiError } from './errors.ts';

type Answer = { data?: unknown; error?: ApiError };
type Reply = (request: Request) => Response | Promise<Response>;
let requests: Request[] = [];
const answerWith = (...replies: Reply[]) =>
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.clone());
    const reply = replies[Math.min(requests.length, replies.length) - 1] as Reply;
    return reply(request);
  });
const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: 'Saved.', data });
const failure = (status: number, code: string, init: ResponseInit = {}, more: object = {}) =>
  Response.json({ status, response: 'failure', message: `server: ${code}`, code, ...more }, { status, ...init });

const read = async (name: CallName, input: LooseInput = {}) =>
  (await makeStore().dispatch(api.endpoints.read.initiate({ name, input }))) as Answer;
const write = async (name: CallName, input: LooseInput = {}) =>
  (await makeStore().dispatch(api.endpoints.write.initiate({ name, input }))) as Answer;

/** What the server does with the header: the decimal Unix milliseconds inside. */
async function openAuthSession(header: string, pathAndQuery: string): Promise<number> {
  const [iv, encrypted] = header
    .split(':')
    .map((part) => Uint8Array.from(part.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pathAndQuery));
  const key = await crypto.subtle.importKey('raw', digest, 'AES-CBC', false, ['decrypt']);
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-CBC', iv: iv as BufferSource },
    key,
    encrypted as BufferSource,
  );
  return Number(new TextDecoder().decode(opened));
}

beforeEach(() => {
  requests = [];
  localStorage.setItem('token', 'T0KEN');
  learnServerTime(String(Date.now()));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('every request', () => {
  it('carries the token, the facts of this browser and a fresh X-EMM-Auth-Session of its own path and query', async () => {
    localStorage.setItem('deviceDetails', '{"model":"Redmi 13C","owner":"सुनीता"}');
    answerWith(() => ok({ list: [] }));
    await read('listCustomers', { query: { search: 'a b&c', page: 2, status: undefined } });
    const [request] = requests as [Request];
    const header = (name: string) => request.headers.get(name) ?? '';
    expect(new URL(request.url).pathname + new URL(request.url).search).toBe('/api/customer?page=2&search=a+b%26c');
    expect(header('authorization')).toBe('bearer T0KEN');
    expect(header('x-auth-platform')).toBe('mobile');
    expect(header('x-device-details')).toMatch(/^\{"model":"Redmi 13C","owner":"\?+"\}$/);
    for (const name of ['x-browser-name', 'x-browser-version', 'x-device-type', 'x-device-platform', 'accept-language'])
      expect(header(name)).not.toBe('');
    const sentMs = await openAuthSession(header('x-emm-auth-session'), '/api/customer?page=2&search=a+b%26c');
    expect(Math.abs(sentMs - Date.now())).toBeLessThan(2000);
  });
  it('never sends the same X-EMM-Auth-Session twice', async () => {
    answerWith(() => ok({}));
    await read('mySessions');
    await read('mySessions');
    expect(requests[0]?.headers.get('x-emm-auth-session')).not.toBe(requests[1]?.headers.get('x-emm-auth-session'));
  });
  it('sends no authorization before sign-in, and JSON with its idempotency key on a write', async () => {
    localStorage.clear();
    answerWith(() => ok({}));
    await write('updateEmiStatus', { body: { amount: 100 }, idempotencyKey: '6f9619ff-8b86-4d11-b42d-00cf4fc964ff' });
    const [request] = requests as [Request];
    expect(request.headers.has('authorization')).toBe(false);
    expect(request.headers.get('content-type')).toContain('application/json');
    expect(request.headers.get('idempotency-key')).toBe('6f9619ff-8b86-4d11-b42d-00cf4fc964ff');
    expect(await request.json()).toEqual({ amount: 100 });
  });
  it('before sign-in asks for the organisation whose page was opened, until there is none of that name', async () => {
    document.cookie = 'org=ravi; path=/';
    answerWith(
      () => ok({}),
      () => ok({}),
      () => failure(404, 'ORGANISATION_UNKNOWN'),
      () => ok({}),
    );
    await read('mySessions');
    localStorage.clear();
    await read('getOrgAppConfig');
    await read('getOrgAppConfig');
    await read('getOrgAppConfig');
    expect(requests.map(({ headers }) => headers.get('x-org'))).toEqual([null, 'ravi', 'ravi', null]);
  });
  it('fills path parameters and refuses to send an unfilled one', () => {
    expect(callUrl('getDevice', { params: { device_id: 'a/b' } })).toBe('/api/device/a%2Fb');
    expect(() => callUrl('getDevice', {})).toThrow(/device_id/);
  });
});

describe('answers', () => {
  it('give the data of the envelope', async () => {
    answerWith(() => ok([{ session_id: '1' }]));
    expect((await read('mySessions')).data).toEqual([{ session_id: '1' }]);
  });
  it('that say status 400 or failure are errors under any HTTP status', async () => {
    answerWith(
      () => Response.json({ status: 400, message: 'no' }),
      () => Response.json({ status: 200, response: 'failure', message: 'no' }),
    );
    expect((await read('mySessions')).error?.message).toBe('no');
    expect((await read('getDashboard')).error?.message).toBe('no');
  });
  it('keep code, fields, details and Retry-After', async () => {
    answerWith(() =>
      failure(
        429,
        'OTP_TOO_SOON',
        { headers: { 'retry-after': '17' } },
        { errors: [{ path: 'mobile', message: 'x' }], details: { retry_after_s: 17 } },
      ),
    );
    expect((await write('resendOtp')).error).toEqual({
      status: 429,
      code: 'OTP_TOO_SOON',
      message: 'server: OTP_TOO_SOON',
      fields: [{ path: 'mobile', message: 'x' }],
      details: { retry_after_s: 17 },
      retryAfterS: 17,
    });
  });
  it('that never come are FETCH_ERROR, TIMEOUT_ERROR or PARSING_ERROR', async () => {
    answerWith(() => Promise.reject(new TypeError('network')));
    expect((await read('mySessions')).error?.code).toBe('FETCH_ERROR');
    answerWith(() => new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }));
    expect((await read('getDashboard')).error?.code).toBe('PARSING_ERROR');
    vi.useFakeTimers();
    // The clock moves only once the call is out: sealing its session takes real time that fake timers do not see.
    const slow = await new Promise<{ call: ReturnType<typeof read> }>((sent) => {
      answerWith((request) => {
        sent({ call });
        return new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        );
      });
      const call = read('getUserAccess');
    });
    await vi.advanceTimersByTimeAsync(20_001);
    expect((await slow.call).error?.code).toBe('TIMEOUT_ERROR');
  });
});

describe('a wrong clock', () => {
  it('is corrected from x-server-time and the call is sent once more', async () => {
    const serverMs = Date.now() + 86_400_000;
    const open = (request: Request) =>
      openAuthSession(request.headers.get('x-emm-auth-session') ?? '', '/api/auth/logout');
    answerWith(
      () => failure(400, 'STALE_REQUEST', { headers: { 'x-server-time': new Date(serverMs).toISOString() } }),
      () => ok({}),
    );
    expect((await write('logout')).error).toBeUndefined();
    expect(requests).toHaveLength(2);
    expect(Math.abs((await open(requests[1] as Request)) - serverMs)).toBeLessThan(3000);
  });
  it('is not retried for ever, and not without a server time', async () => {
    answerWith(() => failure(400, 'STALE_REQUEST', { headers: { 'x-server-time': String(Date.now()) } }));
    expect((await write('logout')).error?.code).toBe('STALE_REQUEST');
    expect(requests).toHaveLength(2);
    answerWith(() => failure(400, 'STALE_REQUEST'));
    requests = [];
    await write('logout');
    expect(requests).toHaveLength(1);
  });
});

describe('HTTP 511', () => {
  it('of ours clears all local storage and ends the session', async () => {
    const ends: string[] = [];
    const stop = onSessionEnd((why) => ends.push(why));
    localStorage.setItem('phone', '+919000000001');
    answerWith(() => failure(511, 'SESSION_REQUIRED'));
    await read('getDashboard');
    expect(localStorage).toHaveLength(0);
    expect(ends).toEqual(['lost']);
    stop();
  });
  it.each([
    [{ why: 'logged_out' }, 'logged_out'],
    [{ why: 'expired' }, 'expired'],
    [{ why: 'suspended' }, 'suspended'],
    [undefined, undefined],
  ])('of ours that says %o is told as that', async (details, expected) => {
    const causes: unknown[] = [];
    const stop = onSessionEnd((_why, cause) => causes.push(cause));
    answerWith(() => failure(511, 'SESSION_REQUIRED', {}, { details }));
    await read('getDashboard');
    expect(causes).toEqual([expected]);
    stop();
  });
  it.each([
    [
      'a page',
      () => new Response('<html>Log in to Wi-Fi</html>', { status: 511, headers: { 'content-type': 'text/html' } }),
    ],
    ['JSON that is not ours', () => Response.json({ error: 'login' }, { status: 511 })],
    ['a page under 200', () => new Response('<html>Log in to Wi-Fi</html>')],
    ['JSON of its own under 200', () => Response.json({ login: 'http://wifi.example/' })],
  ])(
    'of a captive portal, or what else it answers (%s), logs nobody out and is told as the Wi-Fi that it is',
    async (_, reply) => {
      answerWith(reply);
      const { error } = await read('getDashboard');
      expect(localStorage.getItem('token')).toBe('T0KEN');
      expect(error?.code).toBe('PARSING_ERROR');
    },
  );
  it.each(['a read in the background', 'an upload', 'a write'])(
    'ends the session also in the answer to %s',
    async (what) => {
      answerWith(() => failure(511, 'SESSION_REQUIRED'));
      const store = makeStore();
      if (what === 'an upload') await write('uploadSignature', { body: { customer_id: 'c' }, file: new Blob(['x']) });
      else if (what === 'a write') await write('updateEmiStatus', { body: {} });
      else {
        answerWith(
          () => ok({ list: [] }),
          () => failure(511, 'SESSION_REQUIRED'),
        );
        const watched = store.dispatch(
          api.endpoints.read.initiate(
            { name: 'getDashboard', input: {} },
            { subscriptionOptions: { pollingInterval: 20 } },
          ),
        );
        await watched;
        await vi.waitFor(() => expect(requests).toHaveLength(2));
      }
      await vi.waitFor(() => expect(localStorage).toHaveLength(0));
      expect(store.getState().api.queries).toEqual({});
    },
  );
  it('to a request without a token, sent while logging out, leaves the verified device alone', async () => {
    localStorage.clear();
    localStorage.setItem('phone', '+919000000001');
    answerWith(() => failure(511, 'SESSION_REQUIRED'));
    await read('getDashboard');
    expect(localStorage.getItem('phone')).toBe('+919000000001');
  });
  it('that comes late for an old session leaves a new one alone', async () => {
    answerWith(() => {
      localStorage.setItem('token', 'NEW');
      return failure(511, 'SESSION_REQUIRED');
    });
    await read('getDashboard');
    expect(localStorage.getItem('token')).toBe('NEW');
  });
});

describe("a gateway's page", () => {
  it.each([408, 429, 502, 503, 504])(
    'under %s says that the server is away, not that the Wi-Fi wants something',
    async (status) => {
      answerWith(() => new Response('<html>nginx</html>', { status, headers: { 'retry-after': '7' } }));
      expect((await read('getDashboard')).error).toMatchObject({ status, code: 'UNAVAILABLE', retryAfterS: 7 });
    },
  );
});

describe('the loading flag', () => {
  it('is true from start to end, also when it fails', async () => {
    const store = makeStore();
    answerWith(
      () => ok({}),
      () => failure(500, 'INTERNAL'),
    );
    for (const name of ['mySessions', 'getDashboard'] as const) {
      const call = store.dispatch(api.endpoints.read.initiate({ name, input: {} }));
      expect(store.getState().main.apiLoading).toBe(true);
      await call;
      expect(store.getState().main.apiLoading).toBe(false);
    }
  });
  it('is not true for what is brought along for later, which nobody waits for', async () => {
    const store = makeStore();
    answerWith(() => ok({}));
    const call = store.dispatch(
      api.endpoints.bring.initiate({ name: 'mySessions', input: {} }, { subscribe: false, forceRefetch: true }),
    );
    expect(store.getState().main.apiLoading).toBe(false);
    await call;
  });
});

describe('what a person reads', () => {
  const t = ((key: string) => (key === 'errors.unknown' ? 'Something went wrong.' : key)) as never;
  const error = (message: string): ApiError => ({ status: 500, code: 'UNKNOWN', message, fields: [], details: {} });
  it("is the server's sentence, and 'Something went wrong.' without one", () => {
    expect(errorText(error('Ask your distributor.'), t)).toBe('Ask your distributor.');
    expect(errorText(error(''), t)).toBe('Something went wrong.');
    expect(errorText(undefined, t)).toBe('Something went wrong.');
  });
});
