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

/** Refuses, before anything looks at it, what is no path of ours, and bodies that were packed: a megabyte of zeros is a kilobyte on the wire. */
export function refuseOtherForms(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const packing = raw.headers['content-encoding'];
    if (!isOwnPath(raw.url ?? '')) done(new KistError('INVALID_INPUT', { internal: 'the request target is no path' }));
    else if (packing !== undefined && packing !== 'identity') done(new KistError('UNSUPPORTED_MEDIA_TYPE'));
    else done();
  });
}
