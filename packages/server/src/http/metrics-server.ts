import { createServer, type Server } from 'node:http';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metrics } from './metrics.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request brings the token that the figures are kept behind; compared in a time that tells nothing. */
export function hasMetricsToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

export interface MetricsServerOptions {
  host: string;
  port: number;
  /** Asked for here too when there is one. */
  token?: string | undefined;
}

/** The figures on a port of their own, which no proxy leads to: GET /metrics and nothing else. */
export function startMetricsServer(metrics: Metrics, { host, port, token }: MetricsServerOptions): Promise<Server> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics';
    if (!isAsked || (token !== undefined && !hasMetricsToken(request.headers.authorization, token))) {
      response.writeHead(isAsked ? 403 : 404, { connection: 'close' }).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(503, { 'retry-after': '1' }).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
