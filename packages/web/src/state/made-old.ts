import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { startListening } from './store.ts';

/**
 * Hears that something made the answers of a call old: a write that names it, the server that is back, a clock that leapt. For lists that hold their pages
 * themselves; what reads through the query client is read anew by it. @returns a function that hears no more
 */
export function onMadeOld(name: CallName, tell: () => void): () => void {
  const { write } = api.endpoints;
  const { invalidateTags } = api.util;
  const stops = [
    startListening({
      matcher: write.matchFulfilled,
      effect: ({ meta }) => {
        if (meta.arg.originalArgs.invalidates?.includes(name)) tell();
      },
    }),
    startListening({
      matcher: invalidateTags.match,
      effect: ({ payload }) => {
        if (payload.some((one) => one === name)) tell();
      },
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
