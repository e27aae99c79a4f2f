// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import { USER_TYPES } from '@kist/contract/codes';
import { makeStore } from '#web/state/store.ts';
import { useAccess } from './use-access.ts';

afterEach(() => vi.unstubAllGlobals());

it.each(USER_TYPES)('%s is staff unless a customer, once the server said who it is', async (user_type) => {
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: { user_type } }),
  );
  const store = makeStore();
  const { result } = renderHook(useAccess, {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  expect(result.current.isStaff).toBe(false);
  await waitFor(() => expect(result.current.me).toBeDefined());
  expect(result.current.isStaff).toBe(['retailer', 'miniretailer', 'admin'].includes(user_type));
});
