/** What a person presses or a camera reads: a message should not lie on it. */
const NEEDED = 'a[href], button, input, select, textarea, summary, [data-needed]';
const GAP = 8;

interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** @returns how much of the page that somebody may need lies under a box. What fills the page (a list's rows) is under it anywhere. */
function coveredBy(box: Box, own: Element): number {
  let count = 0;
  for (const element of document.querySelectorAll(NEEDED)) {
    if (own.contains(element) || element.closest('dialog, [inert]')) continue;
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    if (top < box.bottom && bottom > box.top && left < box.right && right > box.left)
      count += element.hasAttribute('data-needed') ? 3 : 1;
  }
  return count;
}

/**
 * Where a message covers less of what is needed.
 * @param message where it stands now: at the lower end of the page.
 * @returns how far from the top of the window it should stand instead, under the screen's header; undefined: it stands well.
 */
export function freerTop(message: Element): number | undefined {
  const { top, bottom, left, right } = message.getBoundingClientRect();
  const here = coveredBy({ top, bottom, left, right }, message);
  if (here === 0) return undefined;
  const head = document.getElementById('screen-title')?.closest('header')?.getBoundingClientRect().bottom ?? 0;
  const at = Math.max(0, head) + GAP;
  const there = coveredBy({ top: at, bottom: at + bottom - top, left, right }, message);
  return there < here ? at : undefined;
}
