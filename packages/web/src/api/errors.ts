import type { ErrorCode, FieldError } from '@kist/contract/errors';

/** What went wrong, in one shape for every cause. Programs branch on `code`, people read `errorText()`. */
export interface ApiError {
  /** HTTP status, or the query client's own word. */
  status: number | 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR' | 'CUSTOM_ERROR';
  code: ErrorCode | 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR' | 'UNKNOWN';
  /** The server's sentence in the caller's language; '' when there was none. */
  message: string;
  fields: FieldError[];
  details: Record<string, unknown>;
  retryAfterS?: number;
}

interface Failure {
  status?: unknown;
  response?: unknown;
  message?: unknown;
  code?: unknown;
  errors?: unknown;
  details?: unknown;
}
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A body is an error when it says status 400 or more, or response 'failure', whatever the HTTP status (specification, section 5). */
export const isFailure = (body: unknown): body is Failure =>
  isRecord(body) && (body['response'] === 'failure' || (typeof body['status'] === 'number' && body['status'] >= 400));

/** What only our server says: a failure with its code. */
const isOurs = (body: unknown): body is Failure & { code: string } =>
  isRecord(body) && body['response'] === 'failure' && typeof body['code'] === 'string';

/**
 * Who answered in our server's place when the body is not ours: a gateway that finds it busy or away (408, 429, 5xx), else a captive portal (511,
 * or a page where an answer should be).
 */
const codeOfStranger = (status: ApiError['status']): ApiError['code'] | undefined => {
  if (status === 511) return 'PARSING_ERROR';
  if (typeof status === 'number') return status >= 500 || status === 408 || status === 429 ? 'UNAVAILABLE' : undefined;
  return status === 'CUSTOM_ERROR' ? undefined : status;
};

/**
 * @param status of HTTP, or the query client's own word; of an answer that could not be read, its HTTP status.
 * @returns an ApiError from a body of ours, or from whatever somebody else sent.
 */
export function toApiError(status: ApiError['status'], body: unknown, retryAfter?: string | null): ApiError {
  const failure: Failure = isRecord(body) ? body : {};
  const seconds = Number(retryAfter);
  const code = isOurs(body) ? body.code : (codeOfStranger(status) ?? 'UNKNOWN');
  return {
    status,
    code: code as ApiError['code'],
    message: typeof failure.message === 'string' ? failure.message : '',
    fields: Array.isArray(failure.errors) ? (failure.errors as FieldError[]) : [],
    details: isRecord(failure.details) ? failure.details : {},
    ...(retryAfter && Number.isFinite(seconds) && { retryAfterS: seconds }),
  };
}

/** No answer came from our server: worth another try later, nothing was refused. */
export const isNetworkError = (error: ApiError): boolean =>
  !isAnswer(error) || error.status === 502 || error.status === 503 || error.status === 504;

/** Somebody gave a reason: our server, or a gateway for it. Not a line that is cut, nor a captive portal. */
export const isAnswer = ({ code }: ApiError): boolean =>
  code !== 'FETCH_ERROR' && code !== 'TIMEOUT_ERROR' && code !== 'PARSING_ERROR';

/** Why no answer came: the phone has no network, something else answers in the server's place, or the network is there and the server is not. */
export type Away = 'network' | 'portal' | 'server';
export function awayBy(error: ApiError): Away {
  if (!navigator.onLine) return 'network';
  return error.code === 'PARSING_ERROR' ? 'portal' : 'server';
}

/** Refusals of how a request was made, not of what it asks for: the next try is made anew. */
const MADE_AGAIN: readonly string[] = ['SESSION_REQUIRED', 'STALE_REQUEST', 'REPLAYED_REQUEST', 'RATE_LIMITED'];

/**
 * Whether our server decided against the call itself. Everything else decided nothing: no network, no answer in time, a gateway or a portal that
 * answered in the server's place, a server that is busy or away (408, 429, 5xx). Then the same request may go again, with the same key.
 */
export const isRefusal = ({ status, code }: ApiError): boolean =>
  typeof status === 'number' &&
  status < 500 &&
  status !== 408 &&
  status !== 429 &&
  code !== 'UNKNOWN' &&
  !MADE_AGAIN.includes(code);

/** The answer came when who had asked was no longer signed in. Nobody is told of it, and nobody's session ends. */
export const SESSION_OVER = toApiError(511, { response: 'failure', code: 'SESSION_REQUIRED' });

/** @param error as the query client says it: what was on its way when the session ended, it cut off. */
export const errorOf = (error: unknown): ApiError =>
  (error as Error).name === 'AbortError' ? SESSION_OVER : (error as ApiError);

/** A 511 of our server, not of a captive portal: nobody is signed in any more. */
export const isSessionLoss = ({ status, code }: ApiError): boolean => status === 511 && code !== 'PARSING_ERROR';

/** Said no to because of what this user may do or this phone can: it stands beside the button it came from, and trying again changes nothing. */
export const isNotOffered = (error: ApiError): boolean =>
  error.code === 'FEATURE_NOT_OFFERED' ||
  error.code === 'FEATURE_NOT_ALLOWED' ||
  error.code === 'UNSUPPORTED_ON_DEVICE';

export const isApiError = (value: unknown): value is ApiError =>
  isRecord(value) && 'code' in value && 'fields' in value;
