import type { FastifyInstance } from 'fastify';

/** What the app sends beside what every page may. */
const HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'x-auth-platform',
  'x-browser-name',
  'x-browser-version',
  'x-device-details',
  'x-device-platform',
  'x-device-type',
  'x-emm-auth-session',
  'x-org',
];
/** What the app reads beside the body. */
const EXPOSED = ['retry-after', 'x-request-id', 'x-server-time'];
const remembersForS = 600;

/**
 * Lets pages of the app that are served from elsewhere call this server: their browsers ask first. No cookie is ever involved, a session is a header
 * that the app sends itself. Without such pages nothing is said, and browsers keep every other origin out.
 * @param origins exactly, 'https://shop.example.in'
 */
export function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED.join(', '));
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
    await reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', HEADERS.join(', '))
      .header('access-control-max-age', String(remembersForS))
      .send();
  });
}
