import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ERRORS, KistError, type ErrorCode, type KistErrorOptions } from '@kist/contract/errors';
import { sha256 } from '#server/platform/crypto.ts';
import { withIdempotency, type Reply } from '#server/platform/idempotency.ts';
import type { App } from './app-types.ts';
import { repeatDigest } from './freshness.ts';
import { CommittedRefusal } from './committed-refusal.ts';

type KeptError = Pick<KistErrorOptions, 'params' | 'details' | 'fields' | 'retryAfterS'> & { code: ErrorCode };

const keySchema = z.uuid();

/**
 * Runs a handler once for each Idempotency-Key of a user: the effect and the kept reply commit in one transaction. A thrown error
 * keeps nothing, so the key stays free for the corrected request; a `CommittedRefusal` is kept like a reply.
 * @throws KistError IDEMPOTENCY_KEY_REQUIRED (no UUID), IDEMPOTENCY_CONFLICT when the key came with another call or body before,
 * REPLAYED_REQUEST when a freshness value came again and no reply to it was kept
 */
export async function runIdempotent(
  app: App,
  request: FastifyRequest,
  call: Record<string, unknown>,
  handle: (call: Record<string, unknown>) => Promise<unknown>,
): Promise<unknown> {
  const { actor, method, url, body } = request;
  const key = keyOf(request);
  if (!key || !actor) throw new KistError('IDEMPOTENCY_KEY_REQUIRED');
  const claim = { actor: actor.userId, key, requestHash: sha256(`${method} ${url}\n${JSON.stringify(body ?? null)}`) };
  const reply = await app.deps.db.transaction(actor.orgId, (tx) =>
    withIdempotency(tx, claim, async () => {
      if (request.isRepeat) throw new KistError('REPLAYED_REQUEST');
      return keptForm(await handle({ ...call, tx }));
    }),
  );
  return outcomeOf(reply);
}

/** @returns whether a request has no key of its own, so that its freshness value stands in: no two requests have the same. */
export const hasNoKey = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['idempotency-key'] === undefined;

/** A client written from the specification alone knows no such header. @returns undefined for one that is not a UUID */
function keyOf(request: FastifyRequest): string | undefined {
  if (hasNoKey(request)) return standInKey(String(request.headers['x-emm-auth-session']));
  return keySchema.safeParse(request.headers['idempotency-key']).data?.toLowerCase();
}

/** The value's digest as a UUID of version 8 (RFC 9562: the maker's own bits). */
function standInKey(freshness: string): string {
  const hex = repeatDigest(freshness).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function keptForm(outcome: unknown): Reply<unknown> {
  if (!(outcome instanceof CommittedRefusal)) return { status: 200, body: outcome ?? null };
  const { code, options } = outcome.error;
  const { params, details, fields, retryAfterS } = options;
  return { status: ERRORS[code].status, body: { code, params, details, fields, retryAfterS } satisfies KeptError };
}

function outcomeOf({ status, body }: Reply<unknown>): unknown {
  if (status === 200) return body;
  const { code, ...options } = body as KeptError;
  return new CommittedRefusal(new KistError(code, options));
}
