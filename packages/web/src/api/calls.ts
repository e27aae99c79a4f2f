import type { BodyOf, QueryOf, ReplyOf } from '@kist/contract/endpoint';
import type { Endpoints } from '@kist/contract/endpoints';
import { PATHS, type CallName, type CallPath } from '@kist/contract/paths';
import type { z } from 'zod';

/** Path parameters of a call, as strings. */
type ParamsOf<E> = E extends { params: infer P extends z.ZodType } ? z.input<P> : undefined;
/** What a caller passes: only the parts that the contract names. */
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };
type Multipart<E> = E extends { multipart: true }
  ? { file: Blob; fileName?: string }
  : { file?: undefined; fileName?: undefined };

export type CallInput<Name extends CallName> = Part<'params', ParamsOf<Endpoints[Name]>> &
  Part<'query', QueryOf<Endpoints[Name]>> &
  Part<'body', BodyOf<Endpoints[Name]>> &
  Multipart<Endpoints[Name]>;
export type CallReply<Name extends CallName> = ReplyOf<Endpoints[Name]>;

/** The same without types, as it is stored, cached and replayed. */
export interface LooseInput {
  params?: Record<string, string> | undefined;
  query?: Record<string, string | number | boolean | null | undefined> | undefined;
  body?: unknown;
  file?: Blob | undefined;
  fileName?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** One call and what it carries. */
export interface CallArgs {
  name: CallName;
  input: LooseInput;
  /** It waited in the outbox, which hears of its end whoever is signed in by then. */
  isQueued?: true;
}

/** One question, whatever asks it: the same text for the same call with the same input. */
export const questionOf = ({ name, input }: CallArgs): string => JSON.stringify([name, input]);

export interface CallRequest {
  url: string;
  method: 'GET' | 'POST';
  body?: unknown;
  headers: Record<string, string>;
}

/** @returns whether a call needs an Idempotency-Key (it moves money or a phone). */
export const isIdempotent = (name: CallName): boolean => 'idempotent' in PATHS[name];

/** @returns path and query as sent: parameters filled in, empty query values left out, the rest in a fixed order. */
export function callUrl(name: CallName, input: LooseInput): string {
  const path = PATHS[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value = input.params?.[key];
    if (!value) throw new Error(`${name}: path parameter ${key} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value));
  query.sort();
  return query.size > 0 ? `${path}?${query}` : path;
}

/** @returns what goes to fetch. A multipart call sends its body's fields as text and `file` as the one file. */
export function callRequest(name: CallName, input: LooseInput): CallRequest {
  const call: CallPath = PATHS[name];
  const headers: Record<string, string> = input.idempotencyKey ? { 'idempotency-key': input.idempotencyKey } : {};
  const request: CallRequest = { url: callUrl(name, input), method: call.method, headers };
  if (call.method === 'GET') return request;
  if (!call.multipart) return { ...request, body: input.body ?? {} };
  const form = new FormData();
  for (const [key, value] of Object.entries(
    (input.body ?? {}) as Record<string, string | number | boolean | undefined>,
  ))
    if (value !== undefined) form.set(key, String(value));
  if (input.file) form.set('file', input.file, input.fileName ?? 'file');
  return { ...request, body: form };
}
