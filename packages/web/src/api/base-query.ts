import { fetchBaseQuery, type BaseQueryFn, type FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';
import type { CallName } from '@kist/contract/paths';
import { LIMITS } from '@kist/contract/limits';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { tagOf } from '#web/i18n/languages.ts';
import { loseSession } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import { authSession, learnServerTime } from './auth-session.ts';
import { browserHeaders } from './browser-facts.ts';
import { callRequest, type LooseInput } from './calls.ts';
import { isFailure, toApiError, type ApiError } from './errors.ts';

export interface CallArgs {
  name: CallName;
  input: LooseInput;
}

const raw = fetchBaseQuery({
  baseUrl: window.location.origin,
  timeout: LIMITS.requestTimeoutMs,
  // A body that says it failed is an error also under HTTP 200.
  validateStatus: (response, body: unknown) => response.ok && !isFailure(body),
  prepareHeaders: (headers) => {
    for (const [name, value] of Object.entries(browserHeaders())) headers.set(name, value);
    headers.set('accept-language', tagOf(currentLanguage()));
    const token = stored('token');
    if (token) headers.set('authorization', `bearer ${token}`);
    return headers;
  },
  fetchFn: async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    request.headers.set('x-emm-auth-session', await authSession(pathname + search));
    return fetch(request);
  },
});

/** Our server answers JSON with a code; a captive portal answers 511 with a page of its own, which must not log anyone out. */
const isOurSessionLoss = (error: ApiError) => error.status === 511 && error.code === 'SESSION_REQUIRED';

/**
 * One call: headers, freshness, envelope, errors. `data` is the envelope's `data`; `meta.message` keeps its message.
 * A stale clock is corrected from `x-server-time` and the call sent once more.
 */
export const baseQuery: BaseQueryFn<
  CallArgs,
  unknown,
  ApiError,
  object,
  FetchBaseQueryMeta & { message?: string }
> = async ({ name, input }, api, extra) => {
  const send = () => raw(callRequest(name, input), api, extra);
  const token = stored('token');
  let result = await send();
  const header = (key: string) => result.meta?.response?.headers.get(key);
  if (
    result.error &&
    isFailure(result.error.data) &&
    result.error.data.code === 'STALE_REQUEST' &&
    learnServerTime(header('x-server-time'))
  )
    result = await send();
  if (result.error) {
    const error = toApiError(result.error.status, result.error.data, header('retry-after'));
    if (isOurSessionLoss(error)) loseSession(token);
    return { error, meta: result.meta };
  }
  const envelope = result.data as { data: unknown; message: string };
  return { data: envelope.data, meta: { ...(result.meta as FetchBaseQueryMeta), message: envelope.message } };
};
