// @vitest-environment jsdom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import i18next from 'i18next';
import { I18nextProvider } from 'react-i18next';
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

it('somebody who was erased after midnight was erased on that day, which in UTC is still the one before', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const said = { erased_at: '2026-02-28T19:30:00.000Z', refused: null, books_until: '', evidence_until: '' };
    return Response.json({ status: 200, response: 'success', message: '', data: said });
  });
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'en', resources: { en: { translation: { erase: { on: 'Erased on {{date}}' } } } } });
  render(
    <I18nextProvider i18n={i18n}>
      <Provider store={makeStore()}>
        <Asked customerId="c" title="Erase" onDone={() => undefined} />
      </Provider>
    </I18nextProvider>,
  );
  expect(await screen.findByText('Erased on 01-03-2026')).toBeInTheDocument();
});
