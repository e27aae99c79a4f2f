import { describe, expect, it } from 'vitest';
import { paths } from '#web/paths.ts';
import { SERVER_NAVIGATIONS, SERVER_PATHS } from './server-paths.ts';

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
