/** A picture of dark and light, one byte a pixel: 1 dark. */
export interface Bitmap {
  width: number;
  height: number;
  dark: Uint8Array;
}
export interface Point {
  x: number;
  y: number;
}
/** Centre of a finder pattern and the width of one module there, in pixels. */
export interface Finder extends Point {
  module: number;
  votes: number;
}

const isDark = ({ width, height, dark }: Bitmap, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height && dark[y * width + x] === 1;

/** Whether five runs are 1 : 1 : 3 : 1 : 1, within half a module. */
function isFinderRun(runs: readonly number[]): boolean {
  const module = runs.reduce((sum, run) => sum + run, 0) / 7;
  if (module < 0.9) return false;
  return runs.every(
    (run, index) => Math.abs(run - module * (index === 2 ? 3 : 1)) <= module * (index === 2 ? 1.2 : 0.6),
  );
}

/** Runs along a line through a dark pixel: how far the centre, the light ring and the dark ring reach, both ways. */
function runsThrough(bitmap: Bitmap, x: number, y: number, dx: number, dy: number): number[] | undefined {
  const reach = (sign: number) => {
    const lengths = [0, 0, 0];
    let [px, py] = [x, y];
    for (const [ring, wanted] of [true, false, true].entries()) {
      while (px >= 0 && py >= 0 && px < bitmap.width && py < bitmap.height && isDark(bitmap, px, py) === wanted) {
        lengths[ring] = lengths[ring]! + 1;
        px += dx * sign;
        py += dy * sign;
      }
    }
    return lengths;
  };
  const [ahead, behind] = [reach(1), reach(-1)];
  const runs = [behind[2]!, behind[1]!, behind[0]! + ahead[0]! - 1, ahead[1]!, ahead[2]!];
  return isFinderRun(runs) ? runs : undefined;
}

/** @returns the middle along a line, from the run lengths around `at`. */
const middle = (bitmap: Bitmap, x: number, y: number, dx: number, dy: number): number => {
  let [back, forth] = [0, 0];
  while (isDark(bitmap, x - dx * (back + 1), y - dy * (back + 1))) back += 1;
  while (isDark(bitmap, x + dx * (forth + 1), y + dy * (forth + 1))) forth += 1;
  return (forth - back) / 2;
};

/** @returns finder patterns, the surest first. */
export function findFinders(bitmap: Bitmap): Finder[] {
  const found: Finder[] = [];
  for (let y = 0; y < bitmap.height; y += 1) {
    let runs: number[] = [];
    let start = 0;
    for (let x = 1; x <= bitmap.width; x += 1) {
      if (x < bitmap.width && isDark(bitmap, x, y) === isDark(bitmap, x - 1, y)) continue;
      runs = [...runs, x - start].slice(-5);
      start = x;
      const isEndOfDark = isDark(bitmap, x - 1, y);
      if (runs.length < 5 || !isEndOfDark || !isFinderRun(runs)) continue;
      const centreX = Math.floor(x - runs[4]! - runs[3]! - runs[2]! / 2);
      const down = runsThrough(bitmap, centreX, y, 0, 1);
      if (!down) continue;
      const centreY = Math.round(y + middle(bitmap, centreX, y, 0, 1));
      const across = runsThrough(bitmap, centreX, centreY, 1, 0);
      if (!across) continue;
      const px = centreX + middle(bitmap, centreX, centreY, 1, 0);
      vote(found, {
        x: px,
        y: y + middle(bitmap, centreX, y, 0, 1),
        module: across.reduce((sum, run) => sum + run, 0) / 7,
        votes: 1,
      });
    }
  }
  return found.sort((a, b) => b.votes - a.votes);
}

function vote(found: Finder[], seen: Finder): void {
  const same = found.find((one) => Math.hypot(one.x - seen.x, one.y - seen.y) < Math.max(one.module, seen.module) * 2);
  if (!same) {
    found.push(seen);
    return;
  }
  const votes = same.votes + 1;
  same.x += (seen.x - same.x) / votes;
  same.y += (seen.y - same.y) / votes;
  same.module += (seen.module - same.module) / votes;
  same.votes = votes;
}

/** @returns three finders as top left, top right, bottom left; the corner is where the right angle is. */
export function inOrder(three: readonly [Finder, Finder, Finder]): [Finder, Finder, Finder] {
  const [a, b, c] = three;
  const length = (p: Point, q: Point) => Math.hypot(p.x - q.x, p.y - q.y);
  const longest = Math.max(length(a, b), length(b, c), length(a, c));
  const [corner, p, q] = length(b, c) === longest ? [a, b, c] : length(a, c) === longest ? [b, a, c] : [c, a, b];
  const turn = (p.x - corner.x) * (q.y - corner.y) - (p.y - corner.y) * (q.x - corner.x);
  return turn > 0 ? [corner, p, q] : [corner, q, p];
}

/** @returns the centre of an alignment pattern near a guess; undefined when none is seen. */
export function findAlignment(bitmap: Bitmap, guess: Point, module: number): Point | undefined {
  const reach = Math.ceil(module * 6);
  let best: { at: Point; score: number } | undefined;
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const at = { x: guess.x + dx, y: guess.y + dy };
      const score = alignmentScore(bitmap, at, module) - Math.hypot(dx, dy) / (reach * 8);
      if (score > 23 && (!best || score > best.score)) best = { at, score };
    }
  }
  return best?.at;
}

/** How many of the 25 modules around a point are as an alignment pattern's. */
function alignmentScore(bitmap: Bitmap, at: Point, module: number): number {
  let score = 0;
  for (let row = -2; row <= 2; row += 1) {
    for (let column = -2; column <= 2; column += 1) {
      const wanted = Math.max(Math.abs(row), Math.abs(column)) !== 1;
      const seen = isDark(bitmap, Math.round(at.x + column * module), Math.round(at.y + row * module));
      if (seen === wanted) score += 1;
    }
  }
  return score;
}
