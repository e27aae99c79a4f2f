// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { api } from './api.ts';
import type { CallArgs } from './calls.ts';
import { keyOf, takeEarly } from './early-answers.ts';
import { FIRST_OF_ALL, FIRST_READS, plainCall } from './first-reads.ts';

const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: 'Saved.', data });
const EMIS = FIRST_READS.viewEmiDetails?.('c-1')[0] as CallArgs;

let sent: string[] = [];
const asked = (call: CallArgs, answer: Promise<Response | undefined>, more: { token?: string; atMs?: number } = {}) => {
  const [method, url, body = ''] = plainCall(call);
  const answers = new Map([[keyOf(method, window.location.origin + url, body), answer]]);
  window.early = { token: 'T0KEN', atMs: Date.now(), answers, ...more };
};
const read = async ({ name, input }: CallArgs) =>
  (await makeStore().dispatch(api.endpoints.read.initiate({ name, input }))).data;

beforeEach(() => {
  sent = [];
  localStorage.setItem('token', 'T0KEN');
  localStorage.setItem('server', '{"baseUrl":"","requestTimeoutMs":30000}');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    sent.push(new URL(typeof request === 'string' ? request : request.url, window.location.origin).pathname);
    return ok('asked now');
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete window.early;
});

const calls = () => sent.filter((path) => path !== '/kist-config.json');

describe('what the page asked before its code had come', () => {
  it('is the answer of whoever asks the same, and is not asked again', async () => {
    asked(FIRST_OF_ALL, Promise.resolve(ok('asked early')));
    expect(await read(FIRST_OF_ALL)).toBe('asked early');
    expect(calls()).toEqual([]);
  });
  it('answers once: the next question goes to the server', async () => {
    asked(FIRST_OF_ALL, Promise.resolve(ok('asked early')));
    await read(FIRST_OF_ALL);
    expect(await read(FIRST_OF_ALL)).toBe('asked now');
  });
  it('is told apart by what a question says in its body', async () => {
    asked(EMIS, Promise.resolve(ok('asked early')));
    expect(await read(FIRST_READS.viewEmiDetails?.('c-2')[0] as CallArgs)).toBe('asked now');
    expect(await read(EMIS)).toBe('asked early');
  });
  it.each([
    ['of another session', { token: 'OTHER' }],
    ['of long ago', { atMs: Date.now() - 31_000 }],
  ])('%s answers nobody', async (_why, more) => {
    asked(FIRST_OF_ALL, Promise.resolve(ok('asked early')), more);
    expect(await read(FIRST_OF_ALL)).toBe('asked now');
    expect(window.early).toBeUndefined();
  });
  it.each([
    ['nobody answered', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['was not asked after all', () => Promise.resolve(undefined)],
  ])('is asked anew where it %s', async (_why, answer) => {
    asked(FIRST_OF_ALL, answer());
    expect(await read(FIRST_OF_ALL)).toBe('asked now');
  });
  it('does not hold up a question longer than any other: its time ends it', async () => {
    asked(FIRST_OF_ALL, new Promise(() => undefined));
    const [method, url] = plainCall(FIRST_OF_ALL);
    const time = new AbortController();
    const answer = takeEarly(new Request(window.location.origin + url, { method, signal: time.signal }));
    time.abort(new DOMException('too long', 'TimeoutError'));
    await expect(answer).rejects.toThrow('too long');
  });
});
