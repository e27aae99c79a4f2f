import type { FastifyInstance } from 'fastify';
import { KistError } from '@kist/contract/errors';

const SLASH = 47;
const BACKSLASH = 92;

/**
 * Whether a request names a path of this server: `/…`. The absolute form (`GET http://elsewhere/ HTTP/1.1`) and `//elsewhere/` would make whoever
 * resolves them against a base speak to another server, and freshness values are made for paths.
 */
export const isOwnPath = (target: string): boolean =>
  target.charCodeAt(0) === SLASH && target.charCodeAt(1) !== SLASH && target.charCodeAt(1) !== BACKSLASH;

/** Refuses every other target before anything looks at it, on every address. */
export function refuseForeignTargets(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(
      isOwnPath(request.raw.url ?? '')
        ? undefined
        : new KistError('INVALID_INPUT', { internal: 'the request target is no path' }),
    );
  });
}
