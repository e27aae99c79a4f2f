import type { CallName } from '@kist/contract/paths';
import { appStore } from '#web/state/store.ts';
import { api } from './api.ts';
import type { LooseInput } from './calls.ts';

/** Sends one write through the store. */
export const sendCall = (name: CallName, input: LooseInput) =>
  appStore.dispatch(api.endpoints.write.initiate({ name, input }));
