// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useTall } from './use-tall.ts';

let measure: () => void = () => undefined;
let heightPx = 0;
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measured: () => void) {
        measure = measured;
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

function Finder({ topPx = 0 }: { topPx?: number }) {
  const { part, isTall } = useTall();
  return (
    <div ref={part} style={{ top: topPx }}>
      {isTall ? 'goes with the page' : 'sticks'}
    </div>
  );
}
const grownTo = (px: number) => {
  heightPx = px;
  act(() => measure());
};

it('what sticks at the top goes with the page once it would take more than two fifths of the screen, and sticks again when it does not', () => {
  render(<Finder />);
  grownTo(256);
  expect(screen.getByText('sticks')).toBeInTheDocument();
  grownTo(257);
  expect(screen.getByText('goes with the page')).toBeInTheDocument();
  grownTo(120);
  expect(screen.getByText('sticks')).toBeInTheDocument();
});

it('what it sticks below counts too', () => {
  render(<Finder topPx={128} />);
  grownTo(120);
  expect(screen.getByText('sticks')).toBeInTheDocument();
  grownTo(140);
  expect(screen.getByText('goes with the page')).toBeInTheDocument();
});
