import type { FastifyReply, FastifyRequest } from 'fastify';
import { needsOf } from '@kist/contract/access';
import type { Endpoint } from '@kist/contract/endpoint';
import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { App } from './app-types.ts';
import { callerOf, languageOf } from './caller.ts';
import { checkFreshness, repeatDigest } from './freshness.ts';
import { hasNoKey } from './idempotency.ts';

/**
 * Everything a request must pass before its body is read: limits of sign-in, freshness, organisation, session, user type, access (where it does not
 * hang on what is asked: route.ts), limits of its account. The session and the replay check go to the database at the same time.
 */
export function admission(app: App, endpoint: Endpoint) {
  const { db, limits, settings } = app.deps;

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = callerOf(request, settings.defaultOrgId);
    request.caller = caller;
    // Awaited only where there is something to wait for.
    const counted = limits.signIn(caller, endpoint.path);
    if (counted) await counted;
    const token = bearerToken(request);
    const tokenOrg = token === undefined ? undefined : identity.orgOfToken(token);
    // A session answers for its own organisation; a call that asks for none must not write for one that does not exist.
    caller.orgId =
      tokenOrg !== undefined && endpoint.auth !== 'public'
        ? tokenOrg
        : await organisations.ofRequest(db, {
            tokenOrg,
            host: request.hostname,
            slug: headerText(request, 'x-org'),
            defaultOrgId: settings.defaultOrgId,
          });
    const freshness = freshValue(request, reply);
    if (endpoint.auth === 'public') {
      if (isChanging(request)) await refuseReplay(request, freshness);
      return;
    }
    if (token === undefined) throw new KistError('SESSION_REQUIRED');
    const asking = identity.authenticate(db, { token, ip: caller.ip, isChanging: isChanging(request) });
    const actor = isChanging(request)
      ? (await Promise.all([asking, refuseReplay(request, freshness)]))[0]
      : await asking;
    if (!actor) throw await identity.sessionRequired(db, token);
    request.actor = actor;
    caller.language = languageOf(request, actor.language);
    actor.language = caller.language;
    assertMayCall(endpoint, actor);
    const allowed = limits.account(actor);
    if (allowed) await allowed;
    request.admittedMs = performance.now();
  };

  /** Where the value stands in for an idempotency key, a repeat is answered with the first reply, if there was one. */
  async function refuseReplay(request: FastifyRequest, freshness: string): Promise<void> {
    if (await limits.firstUse(repeatDigest(freshness))) return;
    if (!endpoint.idempotent || !hasNoKey(request)) throw new KistError('REPLAYED_REQUEST');
    request.isRepeat = true;
  }
}

/** A body that came with its headers, or right behind them, is as new as what was found out about who asks: asking twice would slow down every request. */
const FRESH_MS = 250;

/**
 * Whoever was admitted by the headers may have signed out, or lost an account or a word of access, before the body was there, which may take half a minute.
 * So who asks is settled once more for a body that took its time; a read has none.
 * @throws KistError SESSION_REQUIRED, FORBIDDEN
 */
export async function settleAgain(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const { actor: before, caller } = request;
  if (!before || !caller || !isChanging(request) || performance.now() - request.admittedMs < FRESH_MS) return;
  const token = bearerToken(request) ?? '';
  const askedMs = performance.now();
  const actor = await identity.authenticate(app.deps.db, { token, ip: caller.ip, isChanging: true });
  if (!actor) throw await identity.sessionRequired(app.deps.db, token);
  actor.language = before.language;
  request.actor = actor;
  request.admittedMs = askedMs;
  assertMayCall(endpoint, actor);
}

/** What can be said of who asks before the fields are known. @throws KistError FORBIDDEN */
function assertMayCall(endpoint: Endpoint, actor: Actor): void {
  if (!mayCall(endpoint, actor)) throw new KistError('FORBIDDEN');
  if (!('by' in endpoint.access)) identity.requires(actor, needsOf(endpoint.access));
}

/**
 * Only these are refused a second time: a repeated read changes nothing, and a phone on a bad line repeats reads. And only for these the session is asked
 * anew: what a session that just ended may not read it could have read a moment before, what it may not change it must not.
 */
export const isChanging = (request: FastifyRequest): boolean => request.method === 'POST';

function freshValue(request: FastifyRequest, reply: FastifyReply): string {
  try {
    return checkFreshness(request.headers['x-emm-auth-session'], request.raw.url ?? '', Date.now());
  } catch (error) {
    // A phone whose clock is wrong learns the right time here and tries once more.
    reply.header('x-server-time', String(Date.now()));
    throw error;
  }
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^bearer ([A-Za-z0-9._-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const mayCall = ({ auth }: Endpoint, { userType }: Actor): boolean =>
  auth === 'session' || (typeof auth !== 'string' && userType !== 'system' && auth.includes(userType));
