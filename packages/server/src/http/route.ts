import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { needsOf } from '@kist/contract/access';
import { ENDPOINTS, type Endpoints } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { admission, isChanging, settleAgain } from './admission.ts';
import type { App, Caller } from './app-types.ts';
import { leaveUnused } from './foreign-names.ts';
import { runIdempotent } from './idempotency.ts';
import { parseAddress, parseInput } from './input.ts';
import { readMultipart, type UploadedFile } from './multipart.ts';
import { CommittedRefusal } from './committed-refusal.ts';

type Parsed<E, K extends 'body' | 'query' | 'params'> =
  E extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;

/** What a handler gets. `tx` only on idempotent calls: their effect and stored reply commit together. */
export type Call<E> = {
  caller: Caller;
  body: Parsed<E, 'body'>;
  query: Parsed<E, 'query'>;
  params: Parsed<E, 'params'>;
  db: Database;
  request: FastifyRequest;
} & (E extends { auth: 'public' } ? unknown : { actor: Actor }) &
  (E extends { idempotent: true } ? { tx: Tx } : unknown) &
  (E extends { multipart: true } ? { file: UploadedFile } : unknown);

type Data<E> = E extends { reply: infer S extends z.ZodType } ? z.input<S> : never;

/** @returns `data` of the envelope, or a `CommittedRefusal`: an error that commits what the transaction wrote. */
type Handler<N extends CallName, Kept> = (call: Call<Endpoints[N]>) => Promise<Kept | CommittedRefusal>;
/** What a handler gave, which is kept for a repeat, → `data`: of a reply that holds a secret only what the secret is made of is kept. */
type Show<N extends CallName, Kept> = (kept: Kept, actor: Actor) => Data<Endpoints[N]>;

/**
 * Gives one call of the contract its handler. Around it, in this order: limits, freshness, organisation, session, user type
 * and access (admission.ts; once more where the body took its time), decoding of every part of the request, access that hangs on it, idempotency, the
 * envelope. A handler throws `KistError`.
 */
export function route<N extends CallName, Kept = Data<Endpoints[N]>>(
  app: App,
  name: N,
  handler: Handler<N, Kept>,
  show?: Show<N, Kept>,
): void {
  const endpoint: Endpoint = ENDPOINTS[name];
  if (app.registered.has(name)) throw new Error(`${name} has a handler already`);
  app.registered.add(name);
  const handle = handler as unknown as (call: Record<string, unknown>) => Promise<unknown>;
  const messageKey = `messages.${name}`;
  const leave = { unusedQuery: leaveUnused(endpoint.query, true), unusedBody: leaveUnused(endpoint.body, false) };
  const change = async (request: FastifyRequest, call: Record<string, unknown>): Promise<unknown> => {
    try {
      return await (endpoint.idempotent ? runIdempotent(app, request, call, handle) : handle(call));
    } finally {
      identity.changed(app.deps.db, (call['caller'] as Caller).orgId);
    }
  };
  app.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyBytes ?? (endpoint.multipart ? LIMITS.uploadBytes + LIMITS.bodyBytes : LIMITS.bodyBytes),
    onRequest: admission(app, endpoint),
    handler: async (request, reply) => {
      await settleAgain(app, endpoint, request);
      const call = decode(app, endpoint, request, leave);
      if ('by' in endpoint.access) identity.requires(request.actor!, needsOf(endpoint.access, fieldsOf(call)));
      if (endpoint.multipart) {
        await decodeUpload(endpoint, request, call, leave);
        // Of a form only the head is there until it is read.
        await settleAgain(app, endpoint, request);
        call['actor'] = request.actor ?? undefined;
      }
      const outcome = await (isChanging(request) ? change(request, call) : handle(call));
      if (outcome instanceof CommittedRefusal) throw outcome.error;
      const data = show ? show(outcome as Kept, request.actor!) : outcome;
      return send(app, messageKey, endpoint, request, reply, data);
    },
  });
}

/** Takes out what the specification names and the call has no use for. */
type Leave = Record<'unusedQuery' | 'unusedBody', (given: unknown) => unknown>;

function decode(app: App, endpoint: Endpoint, request: FastifyRequest, leave: Leave): Record<string, unknown> {
  const call: Record<string, unknown> = {
    caller: request.caller,
    actor: request.actor ?? undefined,
    db: app.deps.db,
    request,
  };
  if (endpoint.params) call['params'] = parseAddress(endpoint.params, request.params);
  const query = leave.unusedQuery(request.query) as Record<string, unknown>;
  if (endpoint.query) call['query'] = parseInput(endpoint.query, query);
  else refuseFields(query);
  // Without a body a call has no fields; what it misses is for its schema to say.
  const body = request.body === undefined ? {} : request.body;
  if (endpoint.body && !endpoint.multipart) call['body'] = parseInput(endpoint.body, leave.unusedBody(body));
  return call;
}

/** Path and body as one: the field that a call's access hangs on stands in either. */
const fieldsOf = ({ params, body }: Record<string, unknown>): Record<string, unknown> => ({
  ...(params as object),
  ...(body as object),
});

async function decodeUpload(
  endpoint: Endpoint,
  request: FastifyRequest,
  call: Record<string, unknown>,
  leave: Leave,
): Promise<void> {
  const { fields, file } = await readMultipart(request);
  call['body'] = endpoint.body ? parseInput(endpoint.body, leave.unusedBody(fields)) : undefined;
  call['file'] = file;
}

function refuseFields(given: Record<string, unknown>): void {
  const names = Object.keys(given);
  if (names.length > 0)
    throw new KistError('INVALID_INPUT', {
      fields: names.slice(0, 50).map((name) => ({ path: name.toWellFormed().slice(0, 200), key: 'field.unknown' })),
    });
}

function send(
  app: App,
  messageKey: string,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: unknown,
): FastifyReply {
  const language = request.caller?.language ?? 'en';
  const message =
    app.translations.text(language, messageKey) ?? app.translations.text(language, 'messages.success') ?? 'Success';
  // Parsing drops every field the contract does not name, so a row read with too many columns can not leak them.
  const data: unknown = endpoint.reply.parse(outcome);
  if (endpoint.cacheS) reply.header('cache-control', `private, max-age=${endpoint.cacheS}`);
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ status: 200, response: 'success', message, data }));
}
