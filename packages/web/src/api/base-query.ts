import {
  fetchBaseQuery,
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
} from '@reduxjs/toolkit/query/react';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { KEPT } from '#web/offline/kept-names.ts';
import { tagOf } from '#web/i18n/languages.ts';
import { loseSession } from '#web/state/session.ts';
import { forgetOrganisationAsked, organisationAsked } from '#web/state/organisation.ts';
import { stored } from '#web/state/storage.ts';
import { authSession, learnServerTime } from './auth-session.ts';
import { callHeaders } from './browser-facts.ts';
import { type CallArgs, callRequest } from './calls.ts';
import { takeEarly } from './early-answers.ts';
import { SESSION_OVER, isFailure, isNetworkError, isSessionLoss, toApiError, type ApiError } from './errors.ts';
import { noteKept } from './kept-at.ts';
import { serverConfig } from './server-config.ts';

/** What every request carries beside its freshness: who asks, from what, in which language. */
export function setHeaders(headers: Headers): Headers {
  const token = stored('token');
  for (const [name, value] of Object.entries(callHeaders(tagOf(currentLanguage()), token))) headers.set(name, value);
  // A session answers for its own organisation.
  const slug = organisationAsked();
  if (!token && slug) headers.set('x-org', slug);
  return headers;
}

const raw = fetchBaseQuery({
  // A body that says it failed is an error also under HTTP 200.
  validateStatus: (response, body: unknown) => response.ok && !isFailure(body),
  prepareHeaders: setHeaders,
  fetchFn: async (input, init) => {
    const request = new Request(input, init);
    const early = await takeEarly(request);
    if (early) return early;
    const { pathname, search } = new URL(request.url);
    request.headers.set('x-emm-auth-session', await authSession(pathname + search));
    return fetch(request);
  },
});

/** Success as only our server says it; a captive portal may answer 200 with JSON of its own. */
const isEnvelope = (body: unknown): body is { data: unknown; message: string } =>
  typeof body === 'object' && body !== null && (body as { response?: unknown }).response === 'success';

/** A page where JSON was expected is judged by its HTTP status: a gateway's 503 is not a captive portal's 200. */
const statusOf = (error: FetchBaseQueryError): ApiError['status'] =>
  error.status === 'PARSING_ERROR' && error.originalStatus >= 400 ? error.originalStatus : error.status;

/**
 * Whether another has taken the place of who asked: what comes then is neither shown to the next one nor does it lead them anywhere. What nobody who is signed in
 * reads is true for everybody; what they do is a sign-in, and a late one would take the place of who came in meanwhile.
 */
const hasLeft = (owner: string, { type }: BaseQueryApi): boolean =>
  (owner !== '' || type === 'mutation') && !['', owner].includes(stored('user_id'));

/**
 * One call, and where the server cannot be reached the last answer that this phone has kept.
 *
 * One call: headers, freshness, envelope, errors. `data` is the envelope's `data`; `meta.message` keeps its message.
 * A stale clock is corrected from `x-server-time` and the call sent once more.
 */
export const baseQuery: BaseQueryFn<CallArgs, unknown, ApiError, object, Meta> = async (args, api, extra) => {
  const owner = stored('user_id');
  const answer = await ask(args, api, extra);
  // A page of a list is sent as a write is: its name says what it is.
  const kept = KEPT.has(args.name) ? await import('#web/offline/kept-reads.ts') : undefined;
  const isAway = answer.error && isNetworkError(answer.error);
  const isOver = hasLeft(owner, api);
  // The outbox keeps its owner's work apart, and must know what became of it. That nobody answered is true for everybody.
  if (isOver && !isAway && !args.isQueued) return { error: SESSION_OVER };
  if (!kept || isOver) return answer;
  if (!answer.error) {
    noteKept(args, undefined);
    void kept.keepRead(owner, args.name, args.input, answer.data);
    return answer;
  }
  if (!isAway) return answer;
  const instead = await kept.keptRead(args.name, args.input);
  if (!instead) return answer;
  noteKept(args, instead);
  return { data: instead.data, meta: { ...(answer.meta as FetchBaseQueryMeta), instead: answer.error } };
};

/** @param meta.instead the answer was kept on this phone; of the server only this came */
type Meta = FetchBaseQueryMeta & { message?: string; instead?: ApiError };
type Ask = BaseQueryFn<CallArgs, unknown, ApiError, object, Meta>;

/** Asks the server. */
const ask: Ask = async ({ name, input }, api, extra) => {
  const owner = stored('user_id');
  const { baseUrl, requestTimeoutMs } = await serverConfig();
  const call = callRequest(name, input);
  const url = (baseUrl || window.location.origin) + call.url;
  const send = () => raw({ ...call, url, timeout: requestTimeoutMs }, api, extra);
  // Nothing goes out in the name of the next one.
  if (hasLeft(owner, api)) return { error: SESSION_OVER };
  const token = stored('token');
  let result = await send();
  const header = (key: string) => result.meta?.response?.headers.get(key);
  if (
    result.error &&
    isFailure(result.error.data) &&
    result.error.data.code === 'STALE_REQUEST' &&
    !hasLeft(owner, api) &&
    learnServerTime(header('x-server-time'))
  )
    result = await send();
  if (result.error) {
    const error = toApiError(statusOf(result.error), result.error.data, header('retry-after'));
    if (isSessionLoss(error)) loseSession(token, error.details['why']);
    if (error.code === 'ORGANISATION_UNKNOWN') forgetOrganisationAsked();
    return { error, meta: result.meta };
  }
  if (!isEnvelope(result.data)) return { error: toApiError('PARSING_ERROR', null), meta: result.meta };
  const { data, message } = result.data;
  return { data, meta: { ...(result.meta as FetchBaseQueryMeta), message } };
};
