import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ERRORS, KistError, type ErrorCode, type KistErrorOptions } from '@kist/contract/errors';
import { sha256 } from '#server/platform/crypto.ts';
import { withIdempotency, type Reply } from '#server/platform/idempotency.ts';
import type { App } from './app-types.ts';
import { Refusal } from './refusal.ts';

type KeptError = Pick<KistErrorOptions, 'params' | 'details' | 'fields' | 'retryAfterS'> & { code: ErrorCode };

const keySchema = z.uuid();

/**
 * Runs a handler once for each Idempotency-Key of a user: the effect and the kept reply commit in one transaction. A thrown error
 * keeps nothing, so the key stays free for the corrected request; a `Refusal` is kept like a reply.
 * @throws KistError IDEMPOTENCY_KEY_REQUIRED, IDEMPOTENCY_CONFLICT when the key came with another call or body before
 */
export async function runIdempotent(
  app: App,
  request: FastifyRequest,
  call: Record<string, unknown>,
  handle: (call: Record<string, unknown>) => Promise<unknown>,
): Promise<unknown> {
  const { actor, method, url, body } = request;
  const key = keySchema.safeParse(request.headers['idempotency-key']);
  if (!key.success || !actor) throw new KistError('IDEMPOTENCY_KEY_REQUIRED');
  const claim = {
    actor: actor.userId,
    key: key.data.toLowerCase(),
    requestHash: sha256(`${method} ${url}\n${JSON.stringify(body ?? null)}`),
  };
  const reply = await app.deps.db.transaction(actor.orgId, (tx) =>
    withIdempotency(tx, claim, async () => keptForm(await handle({ ...call, tx }))),
  );
  return outcomeOf(reply);
}

function keptForm(outcome: unknown): Reply<unknown> {
  if (!(outcome instanceof Refusal)) return { status: 200, body: outcome ?? null };
  const { code, options } = outcome.error;
  const { params, details, fields, retryAfterS } = options;
  return { status: ERRORS[code].status, body: { code, params, details, fields, retryAfterS } satisfies KeptError };
}

function outcomeOf({ status, body }: Reply<unknown>): unknown {
  if (status === 200) return body;
  const { code, ...options } = body as KeptError;
  return new Refusal(new KistError(code, options));
}
