// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { startState } from './start.ts';
import { appStore } from './store.ts';

afterEach(() => vi.unstubAllGlobals());

it('how old an app may be is asked for those too who are not signed in', async () => {
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    paths.push(new URL(request.url).pathname);
    const data = { min_app_version: '9.9.9', theme: { accent: '#0a7a5a', logo: null }, languages: [] };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  startState();
  await vi.waitFor(() => expect(appStore.getState().main.app_config?.min_app_version).toBe('9.9.9'));
  expect(paths).not.toContain('/api/user_access');
});
