/** What a person presses, fills in or reads out, or a camera reads: a message should not lie on it. */
const NEEDED = 'a[href], button, input, select, textarea, summary, [data-needed]';
const FIELD = 'input, select, textarea';
const GAP = 8;
/** The screen's name is worth more than a row of a list, and less than a field. */
const NAME_WEIGHT = 2;

interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** How much it is missed: a row of a list has others around it, what chooses among them has none, and nobody types into a field that is out of sight. */
function weightOf(element: Element): number {
  if (element.matches(FIELD)) return element === document.activeElement ? 8 : 4;
  if (element.matches('[data-needed]')) return 4;
  return element.matches('[aria-pressed]') ? 2 : 1;
}

/** @returns what of the page somebody may need and stands above or below these edges. */
function neededBetween({ left, right }: Box, own: Element): (Box & { weight: number })[] {
  return [...document.querySelectorAll(NEEDED)].flatMap((element) => {
    if (own.contains(element) || element.closest('dialog, [inert]')) return [];
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || box.left >= right || box.right <= left) return [];
    return { top: box.top, bottom: box.bottom, left: box.left, right: box.right, weight: weightOf(element) };
  });
}

/**
 * Where a message covers less of what is needed: the nearest such place between header and lower end. What fills the page (a list's rows) is under it anywhere; where
 * fields do, it rather lies on the header.
 * @param message where it stands now: at the lower end of the page.
 * @returns how far from the top of the window it should stand instead; undefined: it stands well.
 */
export function freerTop(message: Element): number | undefined {
  const own = message.getBoundingClientRect();
  const needed = neededBetween(own, message);
  const head = document.getElementById('screen-title')?.closest('header')?.getBoundingClientRect().bottom ?? 0;
  const first = Math.max(0, head) + GAP;
  const weightAt = (top: number) =>
    needed
      .filter((box) => top < box.bottom && top + own.height > box.top)
      .reduce((sum, { weight }) => sum + weight, top < first ? NAME_WEIGHT : 0);
  const last = window.innerHeight - own.height - GAP;
  const beside = needed
    .flatMap(({ top, bottom }) => [top - GAP - own.height, bottom + GAP])
    .filter((top) => top > first && top <= last);
  const places = [...beside, first, GAP].toSorted((a, b) => Math.abs(a - own.top) - Math.abs(b - own.top));
  let best: { top: number | undefined; weight: number } = { top: undefined, weight: weightAt(own.top) };
  for (const top of places) {
    const weight = weightAt(top);
    if (weight < best.weight) best = { top, weight };
  }
  return best.top;
}
