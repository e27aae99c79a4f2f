import { isAnyOf } from '@reduxjs/toolkit';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { startListening } from './store.ts';

/**
 * Hears that something made the answers of a call old: a write that names it, the server that is back, a clock that leapt. For lists that hold their pages
 * themselves; what reads through the query client is read anew by it. @returns a function that hears no more
 */
export function onMadeOld(name: CallName, tell: () => void): () => void {
  return startListening({
    matcher: isAnyOf(api.endpoints.write.matchFulfilled, api.util.invalidateTags.match),
    effect: (action) => {
      const names = api.util.invalidateTags.match(action) ? action.payload : action.meta.arg.originalArgs.invalidates;
      if (names?.some((one) => one === name)) tell();
    },
  });
}
