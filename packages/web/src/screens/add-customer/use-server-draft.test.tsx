// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { EMPTY } from './fields.ts';
import { useServerDraft } from './use-server-draft.ts';

/** The customers that the server knows, and whom each save was about. */
let known: string[] = [];
let saved: (string | undefined)[] = [];
beforeEach(() => {
  [known, saved] = [[], []];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { customer_id: id } = (await request.json()) as { customer_id?: string };
    saved.push(id);
    if (id && !known.includes(id))
      return Response.json({ status: 404, response: 'failure', message: '', code: 'NOT_FOUND' }, { status: 404 });
    if (!id) known.push('begun-anew');
    return Response.json({ status: 200, response: 'success', message: '', data: { customer_id: id ?? 'begun-anew' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a form whose draft was deleted on another phone begins a new one with its next save', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={makeStore()}>{children}</Provider>;
  const on = { id: vi.fn<(id: string) => void>(), refused: vi.fn<() => void>() };
  const { result } = renderHook(() => useServerDraft('deleted', on), { wrapper });
  const save = () => act(() => result.current.save({ ...EMPTY, plan_id: '1' }, 'plan'));
  expect(await save()).toBeUndefined();
  expect(result.current.state).toBe('local');
  expect(await save()).toBe('begun-anew');
  expect(result.current.state).toBe('saved');
  expect(saved).toEqual(['deleted', undefined, 'begun-anew']);
  expect(on.id.mock.calls).toEqual([['begun-anew']]);
  expect(on.refused).not.toHaveBeenCalled();
});
