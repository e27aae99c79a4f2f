import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import { fastify as createFastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LIMITS } from '@kist/contract/limits';
import { newId } from '#server/platform/ids.ts';
import type { App, AppDeps } from './app-types.ts';
import { callerOf } from './caller.ts';
import { allowOrigins } from './cross-origin.ts';
import { asKistError, failureReply } from './errors.ts';
import { createFallback, type KnownRoute } from './fallback.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { loadStaticFiles } from './static-files.ts';
import { loadTranslations, type Translations } from './translations.ts';

/**
 * The HTTP application without its calls: limits of size and time, headers, errors, files of the app. Register calls with
 * `route(app, name, handler)` and machine routes on `app.fastify` before `listen`.
 */
export async function createApp(deps: AppDeps): Promise<App> {
  const { settings } = deps;
  const translations = loadTranslations(settings.localesDir);
  const refuse = createRefuse(deps, translations);
  const fastify = createFastify({
    logger: false,
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: ({ headers }) =>
      typeof headers['x-request-id'] === 'string' && /^[\w-]{8,64}$/.test(headers['x-request-id'])
        ? headers['x-request-id']
        : newId(),
    routerOptions: { maxParamLength: 200 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    // A body that trickles in holds a socket, no longer than this.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    clientErrorHandler: endBrokenSocket,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  });
  fastify.decorateRequest('caller', null).decorateRequest('actor', null);
  fastify.removeContentTypeParser('text/plain');
  const known: KnownRoute[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) known.push({ method: name, url });
  });
  const files = settings.webDir === undefined ? undefined : loadStaticFiles(settings.webDir, settings.mode);
  addSecurityHeaders(fastify);
  allowOrigins(fastify, settings.webOrigins ?? []);
  await fastify.register(multipart, {
    limits: { fileSize: LIMITS.uploadBytes, files: 1, fields: 20, fieldSize: 16 * 1024, parts: 21, headerPairs: 50 },
  });
  fastify.setErrorHandler(refuse);
  fastify.setNotFoundHandler(createFallback(files, known));
  measure(fastify, deps);
  return { fastify, deps, translations, registered: new Set() };
}

/** Every error of every route ends here: a coded body in the caller's language, the cause in the log only. */
function createRefuse(deps: AppDeps, translations: Translations) {
  return function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = asKistError(thrown);
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
      deps.log.error({ ...fields, err: error.options.cause ?? error }, 'request failed');
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

/** Not even HTTP: nothing routed it, so the envelope is written by hand, in English. */
function endBrokenSocket(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'TOO_LARGE']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'INVALID_INPUT']
        : [400, 'INVALID_INPUT'];
  const body = JSON.stringify({ status, response: 'failure', message: 'The request could not be read.', code });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
