import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { tokenVars } from '@kist/contract/tokens';
import { inlineHashes } from './security-headers.ts';

/** Answers in the server's place while the demo shop's year is played: the clock is in the past then, nothing real may be served. */
export interface StartingServer {
  /** Listens from its first call on. @param part of the work that is done, 0 to 1 */
  show(part: number): void;
  /** Gives the address free. @throws what listening failed with */
  close(): Promise<void>;
}

const RETRY_AFTER_S = 1;
const page = readFileSync(path.join(import.meta.dirname, 'waiting-page.html'), 'utf8')
  .replace('/*light*/', tokenVars('light'))
  .replace('/*dark*/', tokenVars('dark'));
const pagePolicy = [
  "default-src 'none'",
  `script-src ${inlineHashes(page, 'script').join(' ')}`,
  `style-src ${inlineHashes(page, 'style').join(' ')}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  // The next request must meet the server that stands here then.
  connection: 'close',
};

/** @param at where the server will listen */
export function createStartingServer(at: { host: string; port: number }): StartingServer {
  let percent = 0;
  const server = createServer((request, response) => answer(request, response, percent));
  let opened: Promise<Error | undefined> | undefined;
  const open = () =>
    new Promise<Error | undefined>((resolve) => {
      server.once('error', resolve);
      server.listen(at.port, at.host, () => resolve(undefined));
    });
  const close = async () => {
    if (!opened) return;
    const failure = await opened;
    if (failure) throw failure;
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  let closing: Promise<void> | undefined;
  return {
    show(part) {
      percent = Math.min(99, Math.floor(part * 100));
      if (!closing) opened ??= open();
    },
    close: () => (closing ??= close()),
  };
}

function answer({ method, url, headers: asked }: IncomingMessage, response: ServerResponse, percent: number): void {
  const send = (status: number, type: string, body: string, more: Record<string, string> = {}) =>
    response
      .writeHead(status, {
        ...headers,
        'retry-after': String(RETRY_AFTER_S),
        ...more,
        'content-type': `${type}; charset=utf-8`,
      })
      .end(body);
  if (url === '/healthz') return void send(200, 'application/json', '{"status":"alive"}');
  const progress = { step: 'demo', percent };
  if (url === '/readyz') return void send(503, 'application/json', JSON.stringify({ status: 'not ready', progress }));
  if (method === 'GET' && (asked.accept ?? '').includes('text/html'))
    return void send(503, 'text/html', page.replace('{percent}', String(percent)), {
      'content-security-policy': pagePolicy,
    });
  const body = { status: 503, response: 'failure', message: 'The demo shop is being made.', code: 'UNAVAILABLE' };
  send(503, 'application/json', JSON.stringify({ ...body, details: { retry_after_s: RETRY_AFTER_S } }));
}
