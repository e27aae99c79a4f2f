import { useCallback, useState } from 'react';
import type { CallName } from '@kist/contract/paths';
import type { CallInput, CallReply, LooseInput } from './calls.ts';
import { toApiError, type ApiError } from './errors.ts';

export type WriteResult<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

/**
 * As `useWrite`, for the screens before sign-in: store and query client (30 KB) load beside the first paint and not before it, so that
 * the number can be typed sooner.
 */
export function useSend<Name extends CallName>(name: Name) {
  const [isBusy, setBusy] = useState(false);
  const send = useCallback(
    async (input: CallInput<Name>): Promise<WriteResult<CallReply<Name>>> => {
      setBusy(true);
      try {
        const { sendCall } = await import('./send-call.ts');
        return (await sendCall(name, input as LooseInput)) as WriteResult<CallReply<Name>>;
      } catch {
        return { error: toApiError('FETCH_ERROR', null) };
      } finally {
        setBusy(false);
      }
    },
    [name],
  );
  return [send, { isBusy }] as const;
}
