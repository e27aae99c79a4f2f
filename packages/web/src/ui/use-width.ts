import { useSyncExternalStore } from 'react';

/** Where Tailwind's `md` and `lg` begin: a tablet held upright, a screen on a desk. */
const AT_LEAST = { tablet: '(min-width: 48rem)', desk: '(min-width: 64rem)' } as const;
type Width = keyof typeof AT_LEAST;

const asked: Partial<Record<Width, MediaQueryList>> = {};
/** undefined where nothing is laid out (tests without a browser): that is a phone. */
const query = (width: Width): MediaQueryList | undefined =>
  (asked[width] ??= window.matchMedia?.(AT_LEAST[width]) ?? undefined);

const subscribers = {
  tablet: (hear: () => void) => follow('tablet', hear),
  desk: (hear: () => void) => follow('desk', hear),
};
function follow(width: Width, hear: () => void): () => void {
  query(width)?.addEventListener('change', hear);
  return () => query(width)?.removeEventListener('change', hear);
}

/** Whether the window is that wide. For what differs by more than its looks: a table in place of cards, a detail beside its list. All else is a class. */
export const useAtLeast = (width: Width): boolean =>
  useSyncExternalStore(subscribers[width], () => query(width)?.matches ?? false);
