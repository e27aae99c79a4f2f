// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type Pad from 'signature_pad';
import type { PointGroup } from 'signature_pad';
import { Drawing, turnedBack } from './drawing.ts';

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
  const hears: Record<string, (event: Event) => void> = {};
  const pad = {
    addEventListener: (kind: string, heard: (event: Event) => void) => {
      hears[kind] = heard;
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
    hears['endStroke']!(new Event('endStroke'));
  };
  /** A finger at that point of the screen. @returns where the pad takes it to be */
  const touch = (x: number, y: number) => {
    const detail = { x, y };
    hears['beforeUpdateStroke']!(new CustomEvent('beforeUpdateStroke', { detail }));
    return detail;
  };
  return { canvas, pad, turn, draw, touch, shownXs: () => shown.flatMap(({ points }) => points.map(({ x }) => x)) };
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

/** A paper of 600 × 300 that lies a quarter of a turn to the right: on the screen its box is 300 wide and 600 high, from (20, 12) on. */
const TURNED_BOX = { left: 20, top: 12, right: 320 };

it.each([
  ['the upper left corner is the upper right one of the box', [320, 12], [0, 0]],
  ['the upper right corner is the lower right one', [320, 612], [600, 0]],
  ['the lower left corner is the upper left one', [20, 12], [0, 300]],
  ['the lower right corner is the lower left one', [20, 612], [600, 300]],
  ['the middle is the middle', [170, 312], [300, 150]],
  ['a finger that goes down goes to the right', [170, 412], [400, 150]],
] as const)('of a turned paper, %s', (_, [x, y], [toRight, down]) => {
  const { left, top } = TURNED_BOX;
  expect(turnedBack(TURNED_BOX, { x, y })).toEqual({ x: left + toRight, y: top + down });
});

it('a finger on a paper that lies straight is where it is; on a turned one where it is on the paper, as soon as it turns', () => {
  const { canvas, pad, touch } = paper();
  canvas.getBoundingClientRect = () => TURNED_BOX as DOMRect;
  let isTurned = false;
  new Drawing().attach(
    canvas,
    pad,
    () => undefined,
    () => isTurned,
  );
  expect(touch(170, 412)).toEqual({ x: 170, y: 412 });
  isTurned = true;
  expect(touch(170, 412)).toEqual({ x: 420, y: 162 });
});
