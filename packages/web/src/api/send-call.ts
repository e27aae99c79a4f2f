import type { CallName } from '@kist/contract/paths';
import { appStore } from '#web/state/store.ts';
import { api } from './api.ts';
import type { LooseInput } from './calls.ts';
import { type ApiError, errorOf } from './errors.ts';

/** Sends one write through the store. */
export async function sendCall(name: CallName, input: LooseInput): Promise<{ data: unknown } | { error: ApiError }> {
  const answer = await appStore.dispatch(api.endpoints.write.initiate({ name, input }));
  return 'error' in answer ? { error: errorOf(answer.error) } : { data: answer.data };
}
