// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type Pad from 'signature_pad';
import type { PointGroup } from 'signature_pad';
import { Drawing } from './drawing.ts';

afterEach(() => vi.unstubAllGlobals());

/** A box that is turned, and what is shown in it. */
function paper() {
  let turned = () => undefined as void;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(heard: () => void) {
        turned = heard;
      }
      observe() {}
      disconnect() {}
    },
  );
  const canvas = document.createElement('canvas');
  vi.spyOn(canvas, 'getContext').mockReturnValue(null);
  let shown: PointGroup[] = [];
  let ended = () => undefined as void;
  const pad = {
    addEventListener: (_: string, heard: () => void) => {
      ended = heard;
    },
    toData: () => shown,
    fromData: (strokes: PointGroup[]) => {
      shown = strokes;
    },
    clear: () => {
      shown = [];
    },
    isEmpty: () => shown.length === 0,
    off: () => undefined,
  } as unknown as Pad;
  const turn = (width: number, height: number) => {
    Object.defineProperties(canvas, {
      offsetWidth: { value: width, configurable: true },
      offsetHeight: { value: height, configurable: true },
    });
    turned();
  };
  const draw = (...xs: number[]) => {
    const points = xs.map((x) => ({ x, y: x / 2, time: x, pressure: 0.5 }));
    shown = [...shown, { points } as unknown as PointGroup];
    ended();
  };
  return { canvas, pad, turn, draw, shownXs: () => shown.flatMap(({ points }) => points.map(({ x }) => x)) };
}

it('a signature is as large as it was drawn whenever the phone is held as then, however often it was turned meanwhile', () => {
  const { canvas, pad, turn, draw, shownXs } = paper();
  new Drawing().attach(canvas, pad, () => undefined);
  turn(320, 160);
  draw(20, 300);
  for (let n = 0; n < 4; n += 1) {
    turn(600, 120);
    expect(shownXs()).toEqual([15, 225]);
    turn(320, 160);
    expect(shownXs()).toEqual([20, 300]);
  }
  turn(160, 80);
  draw(100);
  expect(shownXs()).toEqual([10, 150, 100]);
  turn(320, 160);
  expect(shownXs()).toEqual([20, 300, 200]);
});

it('what was laid aside is shown again by another that takes it up, as large as it was drawn', () => {
  const { canvas, pad, turn, draw } = paper();
  const before = new Drawing();
  expect(before.drawn).toBeUndefined();
  before.attach(canvas, pad, () => undefined);
  turn(320, 160);
  draw(20, 300);
  const kept = structuredClone(before.drawn);
  const page = paper();
  const again = new Drawing(kept);
  expect(again.isEmpty).toBe(false);
  expect(again.mark).toBe(before.mark);
  again.attach(page.canvas, page.pad, () => undefined);
  page.turn(600, 120);
  expect(page.shownXs()).toEqual([15, 225]);
  page.turn(320, 160);
  expect(page.shownXs()).toEqual([20, 300]);
});
