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

/** @returns an ApiError from a body of ours, or from whatever a proxy sent. */
export function toApiError(status: ApiError['status'], body: unknown, retryAfter?: string | null): ApiError {
  const failure: Failure = isRecord(body) ? body : {};
  const seconds = Number(retryAfter);
  const code =
    typeof failure.code === 'string'
      ? failure.code
      : typeof status === 'string' && status !== 'CUSTOM_ERROR'
        ? status
        : 'UNKNOWN';
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
  error.code === 'FETCH_ERROR' ||
  error.code === 'TIMEOUT_ERROR' ||
  error.code === 'PARSING_ERROR' ||
  error.status === 502 ||
  error.status === 503 ||
  error.status === 504;

/** Our server said no to this very request: it stands beside the button it came from, and trying again changes nothing. */
export const isRefusal = (error: ApiError): boolean =>
  error.code === 'FEATURE_NOT_OFFERED' ||
  error.code === 'FEATURE_NOT_ALLOWED' ||
  error.code === 'UNSUPPORTED_ON_DEVICE';

export const isApiError = (value: unknown): value is ApiError =>
  isRecord(value) && 'code' in value && 'fields' in value;
