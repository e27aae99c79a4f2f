import { createApi } from '@reduxjs/toolkit/query/react';
import { LIMITS } from '@kist/contract/limits';
import { PATHS, type CallName } from '@kist/contract/paths';
import { baseQuery } from './base-query.ts';
import type { CallArgs } from './calls.ts';

/**
 * One query and one mutation serve every call of the contract: `use-call.ts` gives them their types. Each cached answer is tagged with its
 * call's name, so that a write names the reads it makes old.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: Object.keys(PATHS) as CallName[],
  refetchOnMountOrArgChange: LIMITS.cacheS,
  keepUnusedDataFor: LIMITS.unusedDataS,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    read: build.query<unknown, CallArgs>({
      query: (args) => args,
      providesTags: (_result, _error, { name }) => [name],
    }),
    /** A read that is brought along for later: nobody waits for it, and only this phone's disk holds what came. */
    bring: build.query<unknown, CallArgs>({ query: (args) => args, keepUnusedDataFor: 0 }),
    write: build.mutation<unknown, CallArgs & { invalidates?: readonly CallName[] }>({
      query: (args) => args,
      invalidatesTags: (_result, error, { invalidates }) => (error ? [] : (invalidates ?? [])),
    }),
  }),
});
