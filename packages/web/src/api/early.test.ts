// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type { PlainCall } from './first-reads.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Node's own, under the browser that the tests have. */
interface Rejections {
  listeners(event: 'unhandledRejection'): ((reason: unknown) => void)[];
  removeAllListeners(event: 'unhandledRejection'): Rejections;
  on(event: 'unhandledRejection', hear: (reason: unknown) => void): Rejections;
}
const { process } = globalThis as unknown as { process: Rejections };

/** What was rejected and nobody heard of, as a browser writes it into its console. */
async function unheardWhile(run: () => Promise<unknown>): Promise<unknown[]> {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => unheard.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
  await run();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.removeAllListeners('unhandledRejection');
  for (const other of others) process.on('unhandledRejection', other);
  return unheard;
}

const ME: PlainCall = ['GET', '/api/user/user_access'];
it.each([
  ['a screen that asks nothing more', [ME]],
  ['one that asks more', [ME, ['GET', '/api/customer']]],
] as const)(
  'what could not be asked early is asked again by the app, and is no error of the page: %s',
  async (_, reads) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    Object.assign(window, { front: { reads, onRead: () => undefined } });
    expect(await unheardWhile(() => import('./early.ts'))).toEqual([]);
    const { answers } = window.early!;
    expect([...answers.keys()]).toHaveLength(reads.length);
    for (const answer of answers.values()) await expect(answer).rejects.toThrow('Failed to fetch');
  },
);

it('who asks leaves before what is asked for, also when it is sealed later', async () => {
  localStorage.setItem('user_type', 'retailer');
  // Its key is at hand later.
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, 'digest').mockImplementationOnce(async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return digest(...given);
  });
  const fetched: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    fetched.push(url);
    return new Promise(() => undefined);
  });
  Object.assign(window, { front: { reads: [ME, ['GET', '/api/customer']], onRead: () => undefined } });
  await import('./early.ts');
  await vi.waitFor(() => expect(fetched).toHaveLength(2));
  expect(fetched).toEqual([ME[1], '/api/customer']);
  localStorage.clear();
});

it.each([
  ['retailer', [ME[1], '/api/customer']],
  ['customer', [ME[1]]],
  ['admin', [ME[1]]],
  [undefined, [ME[1]]],
])('who was told before to be a %s asks, before anything is answered, %j', async (userType, expected) => {
  if (userType) localStorage.setItem('user_type', userType);
  const fetched: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    fetched.push(url);
    return new Promise(() => undefined);
  });
  Object.assign(window, { front: { reads: [ME, ['GET', '/api/customer']], onRead: () => undefined } });
  await import('./early.ts');
  await vi.waitFor(() => expect(fetched).toEqual(expected));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fetched).toEqual(expected);
  localStorage.clear();
});
