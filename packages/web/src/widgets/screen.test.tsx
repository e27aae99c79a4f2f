// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

let measured: (() => void)[] = [];
let heightPx = 0;
beforeEach(() => {
  measured = [];
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measure: () => void) {
        measured.push(measure);
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(() => heightPx);
  window.innerHeight = 640;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('the button at the lower end sticks until it would cover what is typed into, and then stands at the end of the page', () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen title="A sale" footer={<button type="button">Continue</button>}>
          <input aria-label="Down payment" />
        </Screen>
      </MemoryRouter>
    </Provider>,
  );
  const footer = screen.getByRole('button', { name: 'Continue' }).parentElement!.parentElement!;
  const grownTo = (px: number) => {
    heightPx = px;
    act(() => measured.forEach((measure) => measure()));
  };
  grownTo(88);
  expect(footer).toHaveClass('sticky');
  expect(footer, 'fields keep away from it').toHaveAttribute('data-footer');
  grownTo(272);
  expect(footer).not.toHaveClass('sticky');
  expect(footer).not.toHaveAttribute('data-footer');
});
