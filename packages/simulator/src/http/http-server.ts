import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** One request as a handler sees it. */
export interface Asked {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Named parts of the path. */
  params: Record<string, string>;
  response: ServerResponse;
}

/** Answers in words: anything else thrown is 500. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `path` may hold `:name` parts and end in `*`. A handler returns JSON for 200, or answers by itself and returns undefined. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  handle: (asked: Asked) => unknown;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** @returns the body, checked. @throws HttpError 400 naming the first field that does not fit, 415 when it is not JSON. */
export function readBody<S extends z.ZodType>(asked: Asked, schema: S): z.output<S> {
  const type = asked.headers['content-type'] ?? '';
  // JSON only: a form of another site cannot send it, so no page elsewhere can press these switches.
  if (!type.startsWith('application/json')) throw new HttpError(415, 'Send application/json.');
  let value: unknown;
  try {
    value = JSON.parse(asked.body.toString('utf8') || '{}');
  } catch {
    throw new HttpError(400, 'The body is not JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new HttpError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}

export interface RunningServer {
  port: number;
  server: Server;
  /** Serves other routes from now on. */
  replace: (routes: Route[]) => void;
  close: () => Promise<void>;
}

/** Serves routes on loopback. */
export async function serveRoutes(routes: Route[], port: number): Promise<RunningServer> {
  const withPatterns = (list: Route[]) => list.map((route) => ({ ...route, pattern: patternOf(route.path) }));
  let table = withPatterns(routes);
  const server = createServer((request, response) => {
    void answer(table, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    replace: (list) => {
      table = withPatterns(list);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`,
  );

async function answer(table: (Route & { pattern: RegExp })[], request: IncomingMessage, response: ServerResponse) {
  try {
    if (!isOwnName(request.headers.host)) throw new HttpError(404, 'Nothing here.');
    const url = new URL(request.url ?? '/', 'http://lab');
    const found = table.filter((route) => route.pattern.test(url.pathname));
    const route = found.find((one) => one.method === request.method);
    if (!route)
      throw new HttpError(found.length > 0 ? 405 : 404, found.length > 0 ? 'Another method.' : 'Nothing here.');
    const params = { ...route.pattern.exec(url.pathname)?.groups };
    for (const [name, value] of Object.entries(params)) params[name] = decode(value);
    const body = await readAll(request);
    const result = await route.handle({ method: route.method, url, headers: request.headers, body, params, response });
    if (result !== undefined) sendJson(response, 200, result);
  } catch (error) {
    if (response.headersSent) return void response.end();
    const status = error instanceof HttpError ? error.status : 500;
    sendJson(response, status, { error: error instanceof Error ? error.message : 'unknown' });
  }
}

/** A stranger's page whose name points at this machine (DNS rebinding) gets nothing: its visitor's browser would read the messages to it. */
function isOwnName(host = ''): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(400, 'The address is malformed.');
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new HttpError(413, 'Too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(body);
}
