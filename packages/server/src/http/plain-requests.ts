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

/** @param headers names and values in turn, as they came */
const hasTwoHosts = (headers: readonly string[]): boolean =>
  headers.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length > 1;

/** Refuses, before anything looks at it, what is no path of ours, two hosts of which somebody before us may believe the other (RFC 9112, 3.2), and bodies that were packed: a megabyte of zeros is a kilobyte on the wire. */
export function refuseOtherForms(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const packing = raw.headers['content-encoding'];
    if (!isOwnPath(raw.url ?? '')) done(new KistError('INVALID_INPUT', { internal: 'the request target is no path' }));
    else if (hasTwoHosts(raw.rawHeaders)) done(new KistError('INVALID_INPUT', { internal: 'two hosts are named' }));
    else if (packing !== undefined && packing !== 'identity') done(new KistError('UNSUPPORTED_MEDIA_TYPE'));
    else done();
  });
}
