import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '#web/native/images.ts';
import { arrowOf, between, CORNERS, LEAST, moveCorner, movePart, WHOLE } from './parts.ts';

const share = fc.double({ min: 0, max: 1 - LEAST, noNaN: true });
const move = fc.double({ min: -2, max: 2, noNaN: true });
const part: fc.Arbitrary<Part> = fc.tuple(share, share, share, share).map(([x, y, w, h]) => ({
  x,
  y,
  width: LEAST + w * (1 - LEAST - x),
  height: LEAST + h * (1 - LEAST - y),
}));
const isInside = ({ x, y, width, height }: Part) =>
  x >= 0 &&
  y >= 0 &&
  x + width <= 1 + 1e-9 &&
  y + height <= 1 + 1e-9 &&
  width >= LEAST - 1e-9 &&
  height >= LEAST - 1e-9;

describe('a part of a picture', () => {
  it('stays inside it and large enough to be taken hold of, wherever a corner or the whole of it is dragged', () => {
    fc.assert(
      fc.property(part, fc.constantFrom(...CORNERS), move, move, (start, corner, dx, dy) => {
        expect(isInside(moveCorner(start, corner, dx, dy))).toBe(true);
        const moved = movePart(start, dx, dy);
        expect(isInside(moved)).toBe(true);
        expect([moved.width, moved.height]).toEqual([start.width, start.height]);
      }),
    );
  });
  it('keeps the corner across where it was', () => {
    expect(moveCorner(WHOLE, 'nw', 0.2, 0.1)).toEqual({ x: 0.2, y: 0.1, width: 0.8, height: 0.9 });
    expect(moveCorner(WHOLE, 'se', -0.5, -0.25)).toEqual({ x: 0, y: 0, width: 0.5, height: 0.75 });
  });
  it('comes of a drag in any direction and is cut at the edges; a press makes none', () => {
    expect(between({ x: 0.5, y: 0.5 }, { x: 0.25, y: 1.5 })).toEqual({ x: 0.25, y: 0.5, width: 0.25, height: 0.5 });
    expect(between({ x: 0.5, y: 0.5 }, { x: 0.502, y: 0.5 })).toBeUndefined();
  });
  it('moves by a small step with an arrow, by a large one with Shift, by no other key', () => {
    expect(arrowOf({ key: 'ArrowLeft', shiftKey: false })).toEqual({ dx: -0.01, dy: 0 });
    expect(arrowOf({ key: 'ArrowDown', shiftKey: true })).toEqual({ dx: 0, dy: 0.05 });
    expect(arrowOf({ key: 'Enter', shiftKey: false })).toBeUndefined();
  });
});
