import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  AGENT_PATHS,
  REQUEST_COMPONENTS,
  agentDisputeSchema,
  enrolRequestSchema,
  parseSignatureInput,
  type ProvisioningQr,
  type SetupRequest,
  setupRequestSchema,
} from '@kist/contract/agent';
import { ERRORS, KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AgentPlane, AgentRequest, ProvenPhone } from '#server/commands/adapter.ts';
import { refusalBody } from '#server/http/agent-refusal.ts';
import { type Suspect, createAttempts } from '#server/http/attempts.ts';
import { asKistError } from '#server/http/errors.ts';
import { hearCheckin } from '#server/http/hear-checkin.ts';
import { parseInput, withoutUnstorable } from '#server/http/input.ts';
import type { RequestLimits } from '#server/http/request-limits.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Log } from '#server/platform/log.ts';
import type { z } from 'zod';

/** As received: the digest is over bytes. */
const bodyOf = (request: FastifyRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
const paramsOf = ({ headers }: FastifyRequest) => {
  const header = headers['signature-input'];
  return typeof header === 'string' ? parseSignatureInput(header, REQUEST_COMPONENTS) : undefined;
};
const nonceOf = (request: FastifyRequest): string => paramsOf(request)?.nonce ?? '';

/** What is said, in characters that can be kept. @throws KistError INVALID_JSON */
function said(request: FastifyRequest): unknown {
  const text = bodyOf(request).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    // Only an escape brings in what cannot be kept: the bytes themselves were decoded to whole characters, and JSON takes no bare NUL.
    return text.includes('\\u') ? withoutUnstorable(value) : value;
  } catch {
    throw new KistError('INVALID_JSON');
  }
}

/** @throws KistError INVALID_JSON, or INVALID_INPUT with the fields that do not fit (unknown ones too) */
const decode = <S extends z.ZodType>(request: FastifyRequest, schema: S): z.output<S> =>
  parseInput(schema, said(request));

function agentRequest(request: FastifyRequest): AgentRequest {
  if (request.url.includes('?')) throw new KistError('INVALID_INPUT', { internal: 'a query is not signed' });
  return { method: request.method, path: request.url, body: bodyOf(request), headers: request.headers };
}

export interface AgentDeps {
  limits: Pick<RequestLimits, 'failures' | 'phone' | 'serverKey'>;
  log: Pick<Log, 'error'>;
}

/** What the camera would have read, of a code that was typed. @throws KistError AGENT_UNKNOWN */
export type Redeem = (asked: SetupRequest) => Promise<ProvisioningQr>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of `/agent`: the phone has proved who it is. */
    isProven: boolean;
  }
}

type Attempt = <T>(request: FastifyRequest, prove: (suspect?: Suspect) => Promise<T>) => Promise<T>;
type Answer = (request: FastifyRequest, reply: FastifyReply, data: unknown) => Promise<FastifyReply>;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * `/agent/v1`, the phones' side: raw bodies, signed questions, signed answers (refusals too, so nobody between can forge one).
 * Never 401: a phone might take it as the end of its management.
 */
export function agentRoutes(fastify: FastifyInstance, plane: AgentPlane, deps?: AgentDeps, redeem?: Redeem): void {
  const attempts = deps && createAttempts(deps.limits.failures);
  const attempt: Attempt = (request, prove) =>
    attempts ? attempts(request.ip, paramsOf(request)?.keyid ?? '', prove) : prove();
  const answer: Answer = async (request, reply, data) => {
    // A text leaves with its headers in one piece; bytes are a piece of their own.
    const body = JSON.stringify(data);
    const headers = await plane.sign(200, body, nonceOf(request));
    return reply.code(200).headers(headers).type(JSON_TYPE).send(body);
  };
  void fastify.register(async (scope) => {
    scope.decorateRequest('isProven', false);
    scope.addHook('preClose', async () => plane.endPolls());
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.agentBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler(refusing(plane, deps));
    scope.get(AGENT_PATHS.key, async (request, reply) => {
      await deps?.limits.serverKey(request.ip);
      return answer(request, reply, { server_key_id: plane.key.keyId, server_key_spki: plane.key.spki });
    });
    if (redeem) setupRoute(scope, redeem, attempt, answer);
    scope.post(AGENT_PATHS.enrol, async (request, reply) => {
      const enrolled = await attempt(request, async (suspect) => {
        const asked = agentRequest(request);
        const body = decode(request, enrolRequestSchema);
        return suspect ? suspect.inTurn(() => plane.enrol(asked, body)) : plane.enrol(asked, body);
      });
      return answer(request, reply, enrolled);
    });
    provenRoutes(scope, plane, answer, asking(plane, attempt, deps));
  });
}

/** A phone on which the code was typed; it has no key yet. */
function setupRoute(scope: FastifyInstance, redeem: Redeem, attempt: Attempt, answer: Answer): void {
  scope.post(AGENT_PATHS.setup, async (request, reply) => {
    const qr = await attempt(request, async (suspect) => {
      const asked = decode(request, setupRequestSchema);
      return suspect ? suspect.inTurn(() => redeem(asked)) : redeem(asked);
    });
    return answer(request, reply, qr);
  });
}

type ProvenKind = 'checkin' | 'poll' | 'dispute';
/** Proves who asks and does what is asked for. What a phone is refused after it proved itself is no failed attempt. */
type Asking = <T>(request: FastifyRequest, kind: ProvenKind, act: (caller: ProvenPhone) => Promise<T>) => Promise<T>;

/** Keys that were found to be a phone's of late: what such a one is refused before it was looked for is signed. */
const GOOD_KEPT = 50_000;

function asking(plane: AgentPlane, attempt: Attempt, deps?: AgentDeps): Asking {
  const good = new BoundedMap<string, true>(GOOD_KEPT);
  return async (request, kind, act) => {
    const done = await attempt(request, async (suspect) => {
      const { caller, isKnown, budget } = await plane.identify(agentRequest(request), suspect !== undefined);
      request.isProven = isKnown || good.get(budget) === true;
      const counted = deps?.limits.phone(kind, budget);
      if (counted) await counted;
      try {
        const value = await act(caller);
        request.isProven = true;
        good.set(budget, true);
        return { value };
      } catch (error) {
        // A key of one's own proves nothing until a phone was found by it.
        if (!isKnown) throw error;
        return { error };
      }
    });
    if ('error' in done) throw done.error;
    return done.value;
  };
}

/** What a phone may ask once it has proved who it is. */
function provenRoutes(scope: FastifyInstance, plane: AgentPlane, answer: Answer, ask: Asking): void {
  scope.post(AGENT_PATHS.checkin, async (request, reply) =>
    answer(
      request,
      reply,
      await ask(request, 'checkin', async (caller) => plane.checkin(caller, hearCheckin(said(request)))),
    ),
  );
  scope.route({
    method: ['GET', 'POST'],
    url: AGENT_PATHS.poll,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return answer(request, reply, { wake: await ask(request, 'poll', (caller) => plane.poll(caller, gone.signal)) });
    },
  });
  scope.post(AGENT_PATHS.dispute, async (request, reply) => {
    await ask(request, 'dispute', async (caller) => plane.dispute(caller, decode(request, agentDisputeSchema).text));
    return answer(request, reply, {});
  });
}

const refusing =
  (plane: AgentPlane, deps?: AgentDeps) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = asKistError(thrown, LIMITS.agentBodyBytes);
    const { status } = ERRORS[error.code];
    if (status >= 500)
      deps?.log.error(
        { err: thrown, requestId: request.id, route: request.routeOptions.url, status, code: error.code },
        'request of a phone failed',
      );
    if (error.options.retryAfterS !== undefined) reply.header('retry-after', String(error.options.retryAfterS));
    const body = refusalBody(error);
    reply.type(JSON_TYPE).code(status);
    // A signature is the dearest part of an answer: whoever proved nothing and asks too often gets none.
    if (error.code === 'RATE_LIMITED' && !request.isProven) return reply.send(body);
    // Time stands in the signature and comes from the database: while that is away a refusal goes unsigned, and says no more than try again.
    const headers = await plane.sign(status, body, nonceOf(request)).catch(() => ({}));
    return reply.headers(headers).send(body);
  };
