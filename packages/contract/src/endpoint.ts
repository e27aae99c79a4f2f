import { z } from 'zod';
import type { Access } from './access.ts';
import type { ErrorCode } from './errors.ts';
import type { UserType } from './codes.ts';

/**
 * One HTTP call. Server routes, the OpenAPI document and the app's client are all made from these.
 * `auth`: 'public' before sign-in, 'session' any signed-in user, or the user types that may call it.
 * `idempotent`: the call needs an `Idempotency-Key` (it moves money or a phone).
 */
export interface Endpoint<
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  auth: 'public' | 'session' | readonly UserType[];
  /** Which of the nine access words a shop user needs: enforced by http for the call and by the services for what they do. */
  access: Access;
  idempotent?: boolean;
  /** Path parameters, always strings or coerced. */
  params?: z.ZodType;
  query?: Q;
  body?: B;
  /** Largest body in bytes, where it differs from LIMITS.bodyBytes. */
  bodyBytes?: number;
  /** multipart/form-data; `body` then describes the text fields, `file` is the one file field. */
  multipart?: boolean;
  /** `data` of the success envelope. */
  reply: R;
  /** For how long whoever asked may take the same answer for the same again, without asking; none unless said. */
  cacheS?: number;
  /** Codes beyond the common ones (INVALID_INPUT, STALE_REQUEST, REPLAYED_REQUEST, RATE_LIMITED, SESSION_REQUIRED, INTERNAL). */
  errors?: readonly ErrorCode[];
}

/** Keeps the literal types of an endpoint. */
export const endpoint = <const E extends Endpoint>(value: E): E => value;

/** Input of a call as the caller writes it. */
export type BodyOf<E> = E extends { body: infer B extends z.ZodType } ? z.input<B> : undefined;
export type QueryOf<E> = E extends { query: infer Q extends z.ZodType } ? z.input<Q> : undefined;
/** `data` of the reply. */
export type ReplyOf<E> = E extends { reply: infer R extends z.ZodType } ? z.output<R> : never;
