// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { PLACE_LISTS, PlaceChoices } from './place-choices.tsx';

let asked: string[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    const data = pathname.endsWith('/states')
      ? [
          { code: 'GA', name: 'Goa' },
          { code: 'MH', name: 'Maharashtra' },
        ]
      : [{ name: 'Pune', state: 'MH', pincodes: ['411001'] }];
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const offered = (id: string) => [...document.querySelectorAll(`#${id} option`)].map((one) => one.getAttribute('value'));

it('offers the states, and the cities of the state that is typed, in whatever letters', async () => {
  const store = makeStore();
  const shown = (state: string) => (
    <Provider store={store}>
      <PlaceChoices state={state} />
    </Provider>
  );
  const { rerender } = render(shown('Maha'));
  await vi.waitFor(() => expect(offered(PLACE_LISTS.state)).toEqual(['Goa', 'Maharashtra']));
  expect(offered(PLACE_LISTS.city)).toEqual([]);
  rerender(shown(' maharashtra'));
  await vi.waitFor(() => expect(offered(PLACE_LISTS.city)).toEqual(['Pune']));
  expect(asked).toEqual(['/api/csc/states', '/api/csc/cities?state=MH']);
  rerender(shown('Maharash'));
  expect(offered(PLACE_LISTS.city)).toEqual([]);
});
