import { describe, expect, it } from 'vitest';
import { paths } from '#web/paths.ts';
import { SERVER_NAVIGATIONS, SERVER_PATHS, serverProxy } from './server-paths.ts';

/** As Workbox's NavigationRoute asks. */
const isLeft = (address: string) => {
  const { pathname, search } = new URL(address, 'http://shop');
  return SERVER_NAVIGATIONS.some((pattern) => pattern.test(pathname + search));
};

describe('what the service worker leaves to the server', () => {
  it.each(SERVER_PATHS)('/%s: the address itself, what is below it and what is asked of it', (name) => {
    expect([`/${name}`, `/${name}/x`, `/${name}?view=messages`, `/${name}/?a=b`].filter((url) => !isLeft(url))).toEqual(
      [],
    );
    expect([`/${name}-x`, `/${name}x?a=b`, `/x/${name}`, `/customer-list?back=/${name}`].filter(isLeft)).toEqual([]);
  });
  it('is where the demo’s messages are read, and no screen of the app', () => {
    expect([paths.lab(), paths.lab('messages')].map(isLeft)).toEqual([true, true]);
    expect(['/', paths.customerList({ due: 'month' }), '/login?next=/lab', '/hn/login'].filter(isLeft)).toEqual([]);
  });
});

/** As Vite asks: an expression where the key begins as one, else the beginning of an address. */
const isProxied = (address: string) =>
  Object.keys(serverProxy('http://localhost:3000')).some(
    (key) => (key.startsWith('^') && new RegExp(key).test(address)) || address.startsWith(key),
  );

describe('what the development server asks the server for', () => {
  it.each(SERVER_PATHS)('/%s: whole parts of an address, and no more', (name) => {
    const own = [`/${name}`, `/${name}/x`, `/${name}?view=messages`, `/${name}/?a=b`];
    expect(own.filter((url) => !isProxied(url))).toEqual([]);
    expect([`/${name}-x`, `/${name}x/${name}.ts`, `/src/${name}/x.ts`].filter(isProxied)).toEqual([]);
  });
  it('no file of the app, and no screen', () => {
    const app = ['/node_modules/.vite/deps/react.js', '/src/main.tsx', '/@vite/client', '/notices', '/labels.json'];
    expect([...app, paths.customerList({ due: 'month' }), '/hn/login'].filter(isProxied)).toEqual([]);
  });
});
