import multipart from '@fastify/multipart';
import { fastify as createFastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LIMITS } from '@kist/contract/limits';
import * as organisations from '#server/organisations/organisations.ts';
import type { App, AppDeps } from './app-types.ts';
import { ARRIVAL, endBrokenSocket } from './broken-socket.ts';
import { callerOf } from './caller.ts';
import { isCounted } from './counted.ts';
import { allowOrigins } from './cross-origin.ts';
import { asKistError, failureReply } from './errors.ts';
import { createFallback, type KnownRoute } from './fallback.ts';
import { FORM_LIMITS } from './multipart.ts';
import { limitPipelines } from './pipelines.ts';
import { refuseOtherForms } from './plain-requests.ts';
import { requestIdOf } from './request-id.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { type Looks, loadStaticFiles } from './static-files.ts';
import { loadTranslations, type Translations } from '#server/platform/translations.ts';

/**
 * The HTTP application without its calls: limits of size and time, headers, errors, files of the app. Register calls with
 * `route(app, name, handler)` and machine routes on `app.fastify` before `listen`.
 */
export async function createApp(deps: AppDeps): Promise<App> {
  const { settings } = deps;
  const arrival = settings.arrival ?? ARRIVAL;
  const translations = loadTranslations(settings.localesDir);
  const refuse = createRefuse(deps, translations);
  const fastify = createFastify({
    logger: false,
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: 200 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // What trickles in holds a socket, no longer than this. Node looks only so often whether a time has passed: every 30 s unless told otherwise.
    requestTimeout: arrival.wholeMs,
    http: { headersTimeout: arrival.headersMs, connectionsCheckingInterval: arrival.headersMs / 30 },
    keepAliveTimeout: 72_000,
    connectionTimeout: arrival.stillMs,
    clientErrorHandler: endBrokenSocket,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  });
  fastify
    .decorateRequest('caller', null)
    .decorateRequest('actor', null)
    .decorateRequest('isRepeat', false)
    .decorateRequest('admittedMs', 0);
  fastify.removeContentTypeParser('text/plain');
  takeEmptyBodies(fastify);
  const known: KnownRoute[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) known.push({ method: name, url });
  });
  const files =
    settings.webDir === undefined ? undefined : loadStaticFiles(settings.webDir, settings.mode, looksOf(deps));
  addSecurityHeaders(fastify);
  limitPipelines(fastify);
  refuseOtherForms(fastify);
  limitAddresses(fastify, deps);
  allowOrigins(fastify, settings.webOrigins ?? []);
  await fastify.register(multipart, {
    limits: FORM_LIMITS,
  });
  fastify.setErrorHandler(refuse);
  fastify.setNotFoundHandler(createFallback(files, known));
  measure(fastify, deps);
  return { fastify, deps, translations, registered: new Set() };
}

/** Clients that send JSON everywhere say so of a call without fields too: an empty body is an absent one, for its schema to judge. */
function takeEmptyBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else void parse(request, text, done);
  });
}

/** Counted before anything is asked of the database for a stranger; a request waits only where the other processes have to be asked. */
function limitAddresses(fastify: FastifyInstance, { limits }: AppDeps): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isCounted(request.raw)) {
      done();
      return;
    }
    try {
      const counted = limits.address(request.ip, request.raw.url ?? '');
      if (counted) counted.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Every error of every route ends here: a coded body in the caller's language, the cause in the log only. */
function createRefuse(deps: AppDeps, translations: Translations) {
  return function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = asKistError(thrown, request.routeOptions?.bodyLimit);
    const caller = request.caller ?? callerOf(request, deps.settings.defaultOrgId);
    const { status, headers, body } = failureReply(error, caller.language, translations);
    const fields = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions?.url,
      status,
      code: error.code,
      orgId: caller.orgId,
    };
    if (status >= 500 && status !== 511)
      // Words of ours say what is to be mended; what stands behind them comes along as their cause.
      deps.log.error(
        { ...fields, err: error.options.internal === undefined ? (error.options.cause ?? error) : error },
        'request failed',
      );
    else
      deps.log.debug({ ...fields, err: error.options.internal === undefined ? undefined : error }, 'request refused');
    return reply
      .code(status)
      .headers(headers)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

/** As which organisation the app is shown: the one of the host, else of the slug in `x-org`, `?org=` or what a page kept of it, else the installation's own. */
const looksOf = (deps: AppDeps): Looks => ({
  of: (request) => lookOf(deps, request),
  logo: ({ brand }, edge) => organisations.readLogo(deps.db, brand.orgId, edge),
});

async function lookOf({ settings, db, log }: AppDeps, request: FastifyRequest): ReturnType<Looks['of']> {
  const header = request.headers['x-org'];
  const slug =
    typeof header === 'string'
      ? header
      : (new URLSearchParams(request.url.split('?', 2)[1]).get('org') ??
        /(?:^|;\s*)org=([a-z0-9-]+)/.exec(request.headers.cookie ?? '')?.[1]);
  try {
    const asked = { host: request.hostname, slug, defaultOrgId: settings.defaultOrgId };
    const brand = await organisations.brandOf(db, asked);
    return brand && { brand, isBySlug: header === undefined && brand.slug === slug, isDemo: settings.mode === 'demo' };
  } catch (error) {
    // The page comes without a name while the database is away, and says itself that the server is.
    log.warn({ err: error }, 'the look of an organisation could not be read');
    return undefined;
  }
}

function measure(fastify: FastifyInstance, { metrics, log }: AppDeps): void {
  const durations = metrics.histogram('kist_http_request_duration_seconds', 'Duration of requests.', [
    'method',
    'route',
    'status',
  ]);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe(reply.elapsedTime / 1000, [request.method, route, String(reply.statusCode)]);
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
      },
      'request answered',
    );
    done();
  });
}
