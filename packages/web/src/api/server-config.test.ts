// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let files: (() => Response | Promise<Response>)[] = [];
let asked = 0;
/** A page that was just opened: the module is read anew. */
async function openPage() {
  vi.resetModules();
  return (await import('./server-config.ts')).serverConfig;
}
const file = (content: object | string) => () =>
  new Response(typeof content === 'string' ? content : JSON.stringify(content));
beforeEach(() => {
  asked = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url !== '/kist-config.json') throw new Error(`nobody should ask for ${url}`);
    return (files[Math.min(asked++, files.length - 1)] as () => Response)();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const PLAIN = { baseUrl: '', requestTimeoutMs: 20_000 };
const OTHER = { baseUrl: 'https://api.example.in', requestTimeoutMs: 45_000 };

it('is read once, before the first request', async () => {
  files = [file(OTHER)];
  const config = await openPage();
  expect(await Promise.all([config(), config()])).toEqual([OTHER, OTHER]);
  expect(await config()).toEqual(OTHER);
  expect(asked).toBe(1);
});
it('does not hold up a later visit, which looks for a newer one beside', async () => {
  files = [file(OTHER)];
  await (
    await openPage()
  )();
  let answer: ((response: Response) => void) | undefined;
  files = [() => new Promise<Response>((resolve) => (answer = resolve))];
  asked = 0;
  const config = await openPage();
  expect(await config()).toEqual(OTHER);
  answer?.(Response.json({ ...OTHER, requestTimeoutMs: 5000 }));
  await vi.waitFor(async () => expect((await config()).requestTimeoutMs).toBe(5000));
  expect(asked).toBe(1);
});
it.each([
  ['no network', () => Promise.reject(new TypeError('offline'))],
  ["a captive portal's page", file('<html>')],
  ["a gateway's page", () => new Response('', { status: 503 })],
])('is asked for again after %s, and the last copy holds meanwhile', async (_name, broken) => {
  vi.spyOn(console, 'warn').mockReturnValue();
  files = [file(OTHER)];
  await (
    await openPage()
  )();
  files = [broken, file({ baseUrl: '' })];
  asked = 0;
  const config = await openPage();
  expect(await config()).toEqual(OTHER);
  await vi.waitFor(async () => expect(await config()).toEqual(PLAIN));
  expect(asked).toBe(2);
});
it.each([
  ['a path', { baseUrl: 'https://api.example.in/kist' }],
  ['a credential', { baseUrl: 'https://u:p@api.example.in' }],
  ['another scheme', { baseUrl: 'javascript:alert(1)' }],
  ['no address', { baseUrl: 'api.example.in' }],
  ['a number', { baseUrl: 7 }],
  ['a time-out of no time', { requestTimeoutMs: 0 }],
  ['a time-out of an hour', { requestTimeoutMs: 3_600_000 }],
  ['a time-out in words', { requestTimeoutMs: 'long' }],
  ['null', null as unknown as object],
])('with %s is left aside, and says so to the operator', async (_name, wrong) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  files = [file(wrong)];
  expect(await (await openPage())()).toEqual(PLAIN);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('kist-config.json'));
});
it('is not needed: without the file the page asks its own server', async () => {
  files = [() => new Response('', { status: 404 })];
  expect(await (await openPage())()).toEqual(PLAIN);
});
