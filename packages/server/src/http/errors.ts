import type { Language } from '@kist/contract/codes';
import type { Failure } from '@kist/contract/envelope';
import { ERRORS, KistError, type ErrorCode } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { tooLarge } from '@kist/contract/too-large';
import { waitOf } from '@kist/contract/wait';
import { isTransient } from '#server/platform/database-errors.ts';
import { bucketRefusal, isBucketAway } from '#server/platform/s3-blobs.ts';
import { MOST_FIELDS } from './multipart.ts';
import type { Translations } from '#server/platform/translations.ts';

export interface FailureReply {
  status: number;
  headers: Record<string, string>;
  body: Failure;
}

/** Fastify's own refusals, by its codes: what reaches us before a handler ran. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  // Longer than any id: it names nothing.
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
};

const FIELDS = { path: '', key: 'field.form_fields', params: { max: MOST_FIELDS } };
/** A second file, and more fields than any form of ours has: by the place that is too much. */
const TOO_MUCH: Record<string, { path: string; key: string; params?: { max: number } }> = {
  FST_FILES_LIMIT: { path: 'file', key: 'field.too_much' },
  FST_PARTS_LIMIT: FIELDS,
  FST_FIELDS_LIMIT: FIELDS,
};

/** What is more than there may be, by Fastify's codes; undefined: it is something else. */
function beyondBounds(code: unknown, bodyBytes: number, cause: unknown): KistError | undefined {
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(LIMITS.uploadBytes, 'file');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyBytes);
  const field = typeof code === 'string' ? TOO_MUCH[code] : undefined;
  if (field === undefined) return undefined;
  return new KistError('INVALID_INPUT', { fields: [field], cause });
}

/**
 * Any thrown value as the one error of the house. What we did not foresee is INTERNAL and tells the caller nothing.
 * @param bodyBytes what a body may have there
 */
export function asKistError(error: unknown, bodyBytes: number = LIMITS.bodyBytes): KistError {
  if (error instanceof KistError) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const beyond = beyondBounds(code, bodyBytes, error);
  if (beyond) return beyond;
  const known = typeof code === 'string' ? FASTIFY_CODES[code] : undefined;
  if (known) return new KistError(known, { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new KistError('INVALID_INPUT', { cause: error });
  if (error instanceof SyntaxError && statusCode === 400) return new KistError('INVALID_JSON', { cause: error });
  // The database is away, starting, full of connections or gave up after retries.
  if (isTransient(error)) return new KistError('UNAVAILABLE', { retryAfterS: 1, cause: error });
  if (isBucketAway(error)) return new KistError('UNAVAILABLE', { retryAfterS: 5, cause: error });
  const refusal = bucketRefusal(error);
  if (refusal !== undefined) return new KistError('PICTURES_UNAVAILABLE', { internal: refusal, cause: error });
  return new KistError('INTERNAL', { cause: error });
}

/** Code → status, headers and sentence: the only place where the three meet. */
export function failureReply(
  { code, options }: KistError,
  language: Language,
  translations: Translations,
): FailureReply {
  const { status } = ERRORS[code];
  const say = (key: string, params = options.params) => translations.text(language, key, params);
  const words = Object.entries(options.words ?? {}).map(([name, key]) => [name, say(key) ?? ''] as const);
  const body: Failure = {
    status,
    response: 'failure',
    message:
      say(`errors.${code}`, {
        ...options.params,
        ...Object.fromEntries(words),
        wait: waitText(options.retryAfterS, language, translations) ?? '',
        ...(options.retryAfterS === undefined ? {} : { retry_after_s: options.retryAfterS }),
      }) ??
      say('errors.INTERNAL') ??
      code,
    code,
  };
  if (options.fields?.length)
    body.errors = options.fields.map(({ path, key, params }) => ({
      path,
      message: say(key, params) ?? say('field.invalid') ?? key,
      code: key,
    }));
  const retry = options.retryAfterS === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfterS));
  const details = { ...options.details, ...(retry === undefined ? {} : { retry_after_s: retry }) };
  if (Object.keys(details).length > 0) body.details = details;
  return { status, headers: retry === undefined ? {} : { 'retry-after': String(retry) }, body };
}

/** 'in 3 hours', for sentences that say when to come back. */
function waitText(seconds: number | undefined, language: Language, translations: Translations): string | undefined {
  if (seconds === undefined) return translations.text(language, 'wait.soon');
  const { key, count } = waitOf(seconds);
  return translations.counted(language, key, count);
}
