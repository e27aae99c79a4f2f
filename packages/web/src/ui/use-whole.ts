import { useDeferredValue, useEffect } from 'react';

let isDrawn = false;

/**
 * What lies below the fold of the first screen waits until what is in sight was painted: on a cheap phone drawing all at once would cost that a quarter of a second.
 * A screen that is gone to later is drawn whole, so that the way back finds its place.
 */
export function useWhole(): boolean {
  const isWhole = useDeferredValue(true, isDrawn ? undefined : false);
  useEffect(() => {
    isDrawn = true;
  }, []);
  return isWhole;
}
