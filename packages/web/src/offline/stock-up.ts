import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { appStore } from '#web/state/store.ts';

/** After what the first screen itself asks for. */
const AFTER_MS = 3000;
/** What a sale without a network begins with. */
const NEEDED: readonly CallName[] = ['listPlans'];

/**
 * Reads what a new sale needs while there is a network, so that a shop which never opened the form can begin one without.
 * @returns what to call when the shop is left before
 */
export function stockUp(): () => void {
  const timer = setTimeout(() => {
    for (const name of NEEDED)
      void appStore.dispatch(api.endpoints.read.initiate({ name, input: {} }, { subscribe: false }));
  }, AFTER_MS);
  return () => clearTimeout(timer);
}
