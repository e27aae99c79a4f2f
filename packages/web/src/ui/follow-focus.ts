/**
 * Where the focus goes when what had it is gone: the opener of a sheet, or what stands next to it. Left to the browser it is on nothing, and whoever has a keyboard
 * or a screen reader begins at the top of the page again.
 */
interface Place {
  from: HTMLElement;
  /** The sheet that it is in. */
  dialog: HTMLDialogElement | null;
  /** The rows after its own, the nearest first, and then those before it. */
  rows: Element[];
  /** The headings before it, the nearest first. */
  heads: HTMLElement[];
}

const LISTS = '[data-rows], tbody, ul, ol';
const TAKES_FOCUS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary';
/** Of the sheets that are open, or were. */
const openers = new WeakMap<Element, Place>();
let endWatch: (() => void) | undefined;

const isShown = (element: Element): boolean => {
  const dialog = element.closest('dialog');
  return element.isConnected && (dialog === null || dialog.open);
};

function rowsAround(from: Element): Element[] {
  const list = from.parentElement?.closest(LISTS);
  const rows = list ? [...list.children] : [];
  const own = rows.findIndex((row) => row.contains(from));
  return [...rows.slice(own + 1), ...rows.slice(0, Math.max(own, 0)).toReversed()];
}

function placeOf(from: HTMLElement): Place {
  const dialog = from.closest('dialog');
  const isBefore = (head: Element) =>
    (head.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && head.closest('dialog') === dialog;
  const heads = [...document.querySelectorAll<HTMLElement>('h1, h2, h3')].filter(isBefore);
  return { from, dialog, rows: rowsAround(from), heads: heads.toReversed() };
}

/** What takes the focus in the place of what is gone: the row after, the row before, the heading above; of a sheet that is gone itself, what opened it. */
function nextTo({ from, dialog, rows, heads }: Place): HTMLElement | undefined {
  if (isShown(from)) return from;
  for (const row of rows.filter(isShown)) {
    const target = row.matches(TAKES_FOCUS) ? row : row.querySelector(TAKES_FOCUS);
    if (target) return target as HTMLElement;
  }
  const head = heads.find(isShown);
  if (head) {
    if (!head.hasAttribute('tabindex')) head.tabIndex = -1;
    return head;
  }
  const opener = dialog && openers.get(dialog);
  return opener ? nextTo(opener) : undefined;
}

/** Gives the focus back to where it was, and follows until somebody moves it: a row goes when the server's next answer comes, not when its sheet does. */
function goBack(place: Place): void {
  // A test's page may be gone by now.
  if (typeof document === 'undefined') return;
  endWatch?.();
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  if (isLost()) nextTo(place)?.focus({ preventScroll: true });
  const watch = new MutationObserver(() => {
    if (document.activeElement === place.from) return;
    endWatch?.();
    if (isLost() && !isShown(place.from)) nextTo(place)?.focus({ preventScroll: true });
  });
  endWatch = () => watch.disconnect();
  if (document.activeElement === place.from) watch.observe(document.body, { childList: true, subtree: true });
}

/**
 * Notes where the focus is, before a sheet takes it.
 * @returns what to call when the sheet is gone, or about to be
 */
export function followFocus(dialog: HTMLDialogElement): () => void {
  const from = document.activeElement;
  if (!(from instanceof HTMLElement) || from === document.body) return () => undefined;
  const place = placeOf(from);
  openers.set(dialog, place);
  return () => void setTimeout(() => goBack(place));
}

/** What has the focus is about to go without a sheet over it: the button of a card that is answered, the row that was chosen from a list. */
export function followGone(): void {
  const from = document.activeElement;
  if (from instanceof HTMLElement && from !== document.body) goBack(placeOf(from));
}
