import { WHOLE, type Part } from '#web/native/images.ts';

/** Moving parts of a picture about; all in shares of it, 0…1. */

/** What is done to a picture before it is sent. */
export interface Edit {
  crop: Part;
  boxes: readonly Part[];
}

/** Smaller could not be taken hold of again. */
export const LEAST = 0.04;
/** Of one press of an arrow key, and of one with Shift. */
export const STEP = 0.01;
export const LEAP = 0.05;

const within = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), Math.max(from, to));

/** The corners of a part, by where they stand. */
export const CORNERS = ['nw', 'ne', 'sw', 'se'] as const;
export type Corner = (typeof CORNERS)[number];

/** @returns the part with one corner moved so far; the one across stays, and it neither leaves the picture nor turns over. */
export function moveCorner(part: Part, corner: Corner, dx: number, dy: number): Part {
  const [right, bottom] = [part.x + part.width, part.y + part.height];
  const isLeft = corner.endsWith('w');
  const isTop = corner.startsWith('n');
  const x = isLeft ? within(part.x + dx, 0, right - LEAST) : part.x;
  const y = isTop ? within(part.y + dy, 0, bottom - LEAST) : part.y;
  const end = isLeft ? right : within(right + dx, part.x + LEAST, 1);
  const foot = isTop ? bottom : within(bottom + dy, part.y + LEAST, 1);
  return { x, y, width: end - x, height: foot - y };
}

/** @returns the part moved so far, whole inside the picture */
export const movePart = (part: Part, dx: number, dy: number): Part => ({
  ...part,
  x: within(part.x + dx, 0, 1 - part.width),
  y: within(part.y + dy, 0, 1 - part.height),
});

/** @returns what lies between two points, cut at the edges of the picture; undefined for a press that is no drag */
export function between(one: { x: number; y: number }, other: { x: number; y: number }): Part | undefined {
  const [left, right] = [one.x, other.x].map((x) => within(x, 0, 1)).toSorted((a, b) => a - b) as [number, number];
  const [top, foot] = [one.y, other.y].map((y) => within(y, 0, 1)).toSorted((a, b) => a - b) as [number, number];
  const part = { x: left, y: top, width: right - left, height: foot - top };
  return part.width < 0.01 || part.height < 0.005 ? undefined : part;
}

/** A box where an Aadhaar has its number: to be put right by who adds it. */
export const NEW_BOX: Part = { x: 0.25, y: 0.6, width: 0.4, height: 0.1 };
export { WHOLE };

/** @returns how far an arrow key moves; undefined for another key */
export function arrowOf({ key, shiftKey }: { key: string; shiftKey: boolean }): { dx: number; dy: number } | undefined {
  const far = shiftKey ? LEAP : STEP;
  if (key === 'ArrowLeft') return { dx: -far, dy: 0 };
  if (key === 'ArrowRight') return { dx: far, dy: 0 };
  if (key === 'ArrowUp') return { dx: 0, dy: -far };
  return key === 'ArrowDown' ? { dx: 0, dy: far } : undefined;
}
