import { useCallback, useRef, useState } from 'react';
import { freshS } from '@kist/contract/cache-times';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#web/state/ids.ts';
import { AHEAD_S, isAhead } from './ahead.ts';
import { api } from './api.ts';
import { isIdempotent, type CallInput, type CallReply, type LooseInput } from './calls.ts';
import { errorOf, isRefusal, type ApiError } from './errors.ts';
import { keptAtMs } from './kept-at.ts';
import type { WriteResult } from './use-send.ts';

export interface ReadOptions {
  /** Do not ask yet. */
  skip?: boolean;
  /** Ask again every so many milliseconds while the screen is seen. */
  pollMs?: number;
}
export interface ReadResult<Data> {
  /** The answer for these arguments; while others load, undefined. */
  data: Data | undefined;
  /** The last answer, also of other arguments: keeps a list on the screen while a filter loads. */
  latest: Data | undefined;
  error: ApiError | undefined;
  /** First load: show skeletons. */
  isLoading: boolean;
  /** Any load. */
  isFetching: boolean;
  /** The answer is not the server's of now but was kept on this phone then, ms of its clock. */
  keptAtMs: number | undefined;
  refetch: () => void;
}

/**
 * Reads by a call of the contract; cached and shared between screens for as long as the contract's table says (cache-times.ts).
 * @example const { data, error, isLoading } = useRead('getCustomerProfile', { query: { customer_id } });
 */
export function useRead<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: ReadOptions = {},
): ReadResult<CallReply<Name>> {
  const args = { name, input: input as LooseInput };
  const result = api.useReadQuery(args, {
    skip: options.skip ?? false,
    pollingInterval: options.pollMs ?? 0,
    skipPollingIfUnfocused: true,
    // The query client takes 0 for never.
    refetchOnMountOrArgChange: freshS(name) || (isAhead(args) ? AHEAD_S : true),
  });
  return {
    data: result.currentData as CallReply<Name> | undefined,
    latest: result.data as CallReply<Name> | undefined,
    error: result.error as ApiError | undefined,
    isLoading: result.isLoading || (result.isFetching && result.currentData === undefined),
    isFetching: result.isFetching,
    keptAtMs: keptAtMs(args),
    refetch: () => void result.refetch(),
  };
}

/**
 * Writes by a call of the contract.
 * @param invalidates the reads that a success makes old.
 * @returns a function that answers `{data}` or `{error}` and never throws, and whether it is under way. For calls that move money or a phone
 * the idempotency key is made here and kept until the server gave a definite answer, so that pressing again after a time-out sends the same
 * request and not a second one.
 * @example const [pay, { isBusy }] = useWrite('updateEmiStatus', ['getEmiDetails', 'getDashboard']);
 */
export function useWrite<Name extends CallName>(name: Name, invalidates: readonly CallName[] = []) {
  const [trigger] = api.useWriteMutation();
  const [isBusy, setBusy] = useState(false);
  const open = useRef<{ text: string; key: string } | null>(null);
  const reads = invalidates.join();
  const write = useCallback(
    async (input: CallInput<Name>): Promise<WriteResult<CallReply<Name>>> => {
      const text = JSON.stringify([input.params, input.query, input.body]);
      if (open.current?.text !== text) open.current = { text, key: newId() };
      const idempotencyKey = isIdempotent(name) ? open.current.key : undefined;
      setBusy(true);
      const answer = await trigger({
        name,
        input: { ...(input as LooseInput), idempotencyKey },
        invalidates: reads ? (reads.split(',') as CallName[]) : [],
      });
      setBusy(false);
      const error = 'error' in answer ? errorOf(answer.error) : undefined;
      if (!error || isRefusal(error)) open.current = null;
      return error ? { error } : { data: answer.data as CallReply<Name> };
    },
    [name, reads, trigger],
  );
  return [write, { isBusy }] as const;
}
