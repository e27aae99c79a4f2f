/**
 * Back closes what lies over the page before it leaves the page: while a sheet is open the history has one entry more, marked with how many are open.
 * The router never hears of these entries: they have its page's address and state.
 */
interface Over {
  close: () => void;
  href: string;
}
let open: readonly Over[] = [];
/** Where the page goes back to by itself, after a sheet that was closed otherwise. */
let settlingTo: string | undefined;
let isListening = false;
let isLeaving = false;

/** A sheet that closes for another, or for a page that it leads to, has done so by then. */
const SETTLE_MS = 50;
const MARK = 'sheets';

const depthNow = (): number => {
  const state = window.history.state as Record<string, unknown> | null;
  return typeof state?.[MARK] === 'number' ? state[MARK] : 0;
};
const push = (depth: number): void =>
  window.history.pushState({ ...(window.history.state as object | null), [MARK]: depth }, '');

/** As many entries as there are sheets. One that a new page lies on stays, and is passed over on the way back. */
function settle(): void {
  // A test's page may be gone by now. Who is on the way back already looks again on arriving: two ways back would end a page too far.
  if (typeof window === 'undefined' || isLeaving || settlingTo !== undefined) return;
  const depth = depthNow();
  for (let missing = depth; missing < open.length; missing += 1) push(missing + 1);
  if (depth <= open.length) return;
  settlingTo = window.location.href;
  window.history.go(open.length - depth);
}

/** The router is on its way to another page: a step back in between would undo it. */
function leaving(is: boolean): void {
  const hasArrived = isLeaving && !is;
  isLeaving = is;
  if (hasArrived) settle();
}

if (typeof window !== 'undefined') window.addEventListener('app-leaving', ({ detail }) => leaving(detail));

function onPop(event: PopStateEvent): void {
  const { href } = window.location;
  const own = settlingTo === href;
  settlingTo = undefined;
  if (own) {
    event.stopImmediatePropagation();
    // A sheet may have opened meanwhile.
    return settle();
  }
  const depth = depthNow();
  if (depth > open.length) {
    event.stopImmediatePropagation();
    window.history.go(open.length - depth);
    return;
  }
  const closing = open.slice(depth).toReversed();
  if (closing.length === 0) return;
  if (closing[0]!.href === href) event.stopImmediatePropagation();
  for (const { close } of closing) close();
  setTimeout(settle, SETTLE_MS);
}

/** Something opened over the page. @returns what to call when it is gone, however it went. */
export function closesOnBack(close: () => void): () => void {
  // Before the router's own, which was there first: listeners that capture come before those that do not.
  if (!isListening) window.addEventListener('popstate', onPop, { capture: true });
  isListening = true;
  const over = { close, href: window.location.href };
  open = [...open, over];
  if (depthNow() < open.length) push(open.length);
  return () => {
    open = open.filter((one) => one !== over);
    setTimeout(settle, SETTLE_MS);
  };
}
