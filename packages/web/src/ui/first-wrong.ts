import { useCallback, useEffect, useState } from 'react';
import { openDialogs } from './open-dialogs.ts';

/** In the middle it is clear of what sticks at the top and at the bottom, with its label and its sentence. */
function leadToFirst(): void {
  const around = openDialogs.top() ?? document;
  const field = around.querySelector<HTMLElement>('[aria-invalid=true], [data-wrong]');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

/**
 * A form that was sent and not taken leads to its first wrong field, whoever found the fault.
 * @param place changes when other fields stand there, as in the next step.
 * @returns what to call with the sentences that are put beside fields
 */
export function useFirstWrong(place?: string): () => void {
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) leadToFirst();
  }, [refusals, place]);
  return useCallback(() => setRefusals((count) => count + 1), []);
}
