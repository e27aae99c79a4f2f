import { api } from '#web/api/api.ts';
import type { CallArgs } from '#web/api/calls.ts';
import { appStore } from '#web/state/store.ts';

/** After what the first screen itself asks for. */
const AFTER_MS = 3000;
/** What a sale without a network begins with. */
const NEEDED: readonly CallArgs[] = [
  { name: 'listPlans', input: {} },
  { name: 'financerList', input: { body: {} } },
];

/**
 * Reads what a new sale needs while there is a network, so that a shop which never opened the form can begin one without.
 * @returns what to call when the shop is left before
 */
export function stockUp(): () => void {
  const timer = setTimeout(() => {
    for (const call of NEEDED) void appStore.dispatch(api.endpoints.read.initiate(call, { subscribe: false }));
  }, AFTER_MS);
  return () => clearTimeout(timer);
}
