import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { LANGUAGES } from '@kist/contract/codes';
import { DEVICE_EVENTS_PATH } from '@kist/contract/paths';
import type { Endpoint } from '@kist/contract/endpoint';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { KistError } from '@kist/contract/errors';
import type { StaticFiles } from './static-files.ts';

/** First path segments that belong to programs: an unknown address below them is an error, never the app's page. */
const PROGRAM_PATHS = new Set([
  'api',
  'country',
  'upload',
  'emm',
  'public',
  'n',
  'files',
  'agent',
  'mdm',
  'hooks',
  'demo',
  'lab',
  'healthz',
  'readyz',
  'metrics',
  'locales',
  'assets',
  'icons',
]);

export interface KnownRoute {
  method: string;
  url: string;
}

/**
 * What no route answered: a file of the app; the app's page for a navigation (its router knows the rest); otherwise 405 when the
 * address has other methods, else 404.
 * @param known routes registered so far, read at each miss
 */
export function createFallback(files: StaticFiles | undefined, known: readonly KnownRoute[]) {
  return async function fallback(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const urlPath = pagePath(request.url.split('?', 1)[0] ?? '/');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && files) {
      if (await files.serve(request, reply, urlPath)) return reply;
      if (isNavigation(request, urlPath) && (await files.serve(request, reply, '/'))) return reply;
    }
    const methods = new Set(known.filter(({ url }) => matches(url, urlPath)).map(({ method }) => method));
    if (methods.size > 0 && !methods.has(request.method)) {
      reply.header('allow', [...methods].toSorted().join(', '));
      throw new KistError('METHOD_NOT_ALLOWED');
    }
    throw new KistError('NOT_FOUND');
  };
}

const LANGUAGE_PREFIX = new RegExp(`^/(?:${LANGUAGES.join('|')})(?=/|$)`);

/** The path as the app's files and pages know it: `/hn/customer-list` is the customer list, in Hindi. Calls of programs have no such prefix. */
const pagePath = (urlPath: string): string => urlPath.replace(LANGUAGE_PREFIX, '') || '/';

/** The first segment as a browser would read it, so that `//api/x` and `/%61pi/x` are no pages either. */
function firstSegment(urlPath: string): string {
  const raw = /^\/*([^/]*)/.exec(urlPath)?.[1] ?? '';
  try {
    return decodeURIComponent(raw).toLowerCase();
  } catch {
    return raw;
  }
}

function isNavigation(request: FastifyRequest, urlPath: string): boolean {
  const last = urlPath.slice(urlPath.lastIndexOf('/') + 1);
  return (
    !PROGRAM_PATHS.has(firstSegment(urlPath)) &&
    !last.includes('.') &&
    /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')
  );
}

/** What stands for the parameters of an address. */
const PARAMS = new Map<string, z.ZodType>([
  ...Object.values<Endpoint>(ENDPOINTS).flatMap(({ path, params }): [string, z.ZodType][] =>
    params ? [[path, params]] : [],
  ),
  [DEVICE_EVENTS_PATH, ENDPOINTS.getDevice.params],
]);

/** `/api/device/:device_id` matches one segment there that can be such an id (a call that is not there is no phone), a final `*` the rest. */
function matches(pattern: string, urlPath: string): boolean {
  const wanted = pattern.split('/');
  const given = urlPath.split('/');
  if (wanted.at(-1) === '*') return wanted.slice(0, -1).every((part, index) => part === given[index]);
  const isAlike =
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]));
  const params = PARAMS.get(pattern);
  if (!isAlike || !params) return isAlike;
  const named = wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), given[index]]] : []));
  return params.safeParse(Object.fromEntries(named)).success;
}
