// @vitest-environment jsdom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { useTyped } from '#web/state/typed.ts';
import { Asked } from './erase-asked.tsx';

afterEach(() => vi.unstubAllGlobals());

it('with somebody who is erased from here goes what was typed about them on this phone', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const said = { erased_at: null, refused: null, books_until: '2034-03-31', evidence_until: '2029-03-04' };
    return Response.json({ status: 200, response: 'success', message: '', data: said });
  });
  const sheet = () => renderHook(() => useTyped<{ text: string }>('dispute/c')).result;
  const { current } = sheet();
  act(() => current[1]({ text: 'Paid in May' }));
  const onDone = vi.fn<() => void>();
  render(
    <Provider store={makeStore()}>
      <Asked customerId="c" title="Erase" onDone={onDone} />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Erase' }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(sheet().current[0]).toEqual({});
});
