import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KistError } from '@kist/contract/errors';

/** `/lab` and what lies below it: the only part of the simulator that a browser reaches through this server. */
const LAB_PATH = '/lab';
/** Each page of the lab holds one connection for its events. */
const MAX_OPEN = 200;
const PLAIN_SEGMENT = /^(?:[\w~!$&'()*+,;=:@.-]|%[0-9a-f]{2})*$/i;
const PLAIN_QUERY = /^(?:\?[\x21\x22\x24-\x7e]*)?$/;

/**
 * Where a request's target lies at the simulator. A target is made of its checked parts, never resolved: absolute addresses, `//host`, dots that climb
 * out (plain or encoded) and encoded slashes lead nowhere.
 * @returns undefined when the target is not the lab's page or plainly below it
 */
export function labUrlOf(labUrl: string, target: string): URL | undefined {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = queryAt === -1 ? '' : target.slice(queryAt);
  const [root, lab, ...below] = path.split('/');
  if (root !== '' || `/${lab}` !== LAB_PATH || !below.every(isPlain) || !PLAIN_QUERY.test(query)) return undefined;
  const { origin } = new URL(labUrl);
  const url = new URL(`${origin}${path}${query}`);
  // What the URL parser makes of it is what will be asked for: it must not have changed a thing.
  return url.origin === origin && url.pathname === path ? url : undefined;
}

/** One segment that means itself, also to whoever decodes it once more. */
function isPlain(segment: string): boolean {
  if (!PLAIN_SEGMENT.test(segment)) return false;
  try {
    const decoded = decodeURIComponent(segment);
    return decoded !== '.' && decoded !== '..' && !/[/\\%\p{C}]/u.test(decoded);
  } catch {
    return false;
  }
}

/** Passes `/lab` and everything below it through, bodies and endless replies (server-sent events) as they flow. */
export function proxyLab(scope: FastifyInstance, labUrl: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  let open = 0;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const url = labUrlOf(labUrl, request.url);
    if (!url) throw new KistError('NOT_FOUND', { internal: 'not an address of the lab' });
    if (open >= MAX_OPEN) throw new KistError('RATE_LIMITED', { retryAfterS: 1, internal: 'too many look at the lab' });
    open += 1;
    const gone = new AbortController();
    finished(reply.raw, () => {
      open -= 1;
      gone.abort();
    });
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const upstream = await reachSimulator(url, {
      method: request.method,
      headers: passedHeaders(request),
      body: hasBody && request.body ? (Readable.toWeb(request.body as Readable) as ReadableStream) : undefined,
      duplex: 'half',
      signal: gone.signal,
    });
    // The lab is a page of its own and says itself what may run in it; an answer that says nothing keeps the policy of all answers.
    const policy = upstream.headers.get('content-security-policy');
    if (policy !== null) reply.header('content-security-policy', policy);
    reply.header('x-frame-options', 'SAMEORIGIN');
    const location = locationWithin(labUrl, upstream.headers.get('location'), url);
    if (location !== undefined) reply.header('location', location);
    return forward(upstream, reply);
  };
  for (const url of [LAB_PATH, `${LAB_PATH}/*`])
    scope.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url, handler });
}

/** @returns a redirect's target as a path of this server; undefined when it leads out of the lab, which nobody is sent to. */
function locationWithin(labUrl: string, location: string | null, from: URL): string | undefined {
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  if (target.origin !== from.origin || !labUrlOf(labUrl, target.pathname)) return undefined;
  return `${target.pathname}${target.search}`;
}

function passedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of ['accept', 'accept-language', 'content-type', 'last-event-id', 'range', 'if-none-match']) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

/** Asks the simulator, and follows it nowhere. @throws KistError UNAVAILABLE while it is not there */
export async function reachSimulator(url: URL, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    throw new KistError('UNAVAILABLE', { retryAfterS: 1, internal: 'the simulator does not answer', cause: error });
  }
}

/** Sends on what the simulator answered. */
export function forward(upstream: Response, reply: FastifyReply): FastifyReply {
  reply.code(upstream.status);
  for (const name of ['content-type', 'cache-control', 'etag']) {
    const value = upstream.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return upstream.body === null
    ? reply.send()
    : reply.send(Readable.fromWeb(upstream.body as Parameters<typeof Readable.fromWeb>[0]));
}
