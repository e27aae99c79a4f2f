import { useCallback, useState } from 'react';

/** What stands over the page leaves the larger part of it to read. */
const MOST_OF_HEIGHT = 0.4;

/**
 * For what sticks at the top or the end of a page: with large letters or on a low screen it may take most of it, and then it goes with the page. Measured when it changes
 * itself, not when a keyboard opens: what is typed into must not go away for that.
 * @returns the ref of the part, and whether it reaches too far down to stick
 */
export function useTall(): { part: (element: HTMLElement | null) => (() => void) | undefined; isTall: boolean } {
  const [isTall, setTall] = useState(false);
  const part = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const watch = new ResizeObserver(() => {
      const topPx = Number.parseFloat(getComputedStyle(element).top) || 0;
      setTall(topPx + element.offsetHeight > window.innerHeight * MOST_OF_HEIGHT);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return { part, isTall };
}
