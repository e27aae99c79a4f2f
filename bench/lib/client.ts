import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

/** `X-EMM-Auth-Session` for a path with its query: fresh, and good once. */
export function freshness(url: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(url).digest(), iv);
  return `${iv.toString('hex')}:${cipher.update(String(Date.now()), 'utf8', 'hex')}${cipher.final('hex')}`;
}

/** The headers that every call of the app carries. */
export function appHeaders(url: string, token: string): Record<string, string> {
  return { 'x-emm-auth-session': freshness(url), 'x-auth-platform': 'mobile', authorization: `bearer ${token}` };
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Sending {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs?: number;
  /** Cuts the connection so many ms after the request was sent; the reply is lost, the effect may be there. */
  cutAfterMs?: number;
}

export interface Connection {
  send(sending: Sending): Promise<Reply>;
  close(): void;
}

/** Keep-alive connections to one server. `send` rejects when no whole reply came. */
export function connect(port: number, maxSockets = 64): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets });
  return {
    send: ({ method, path, headers, body, timeoutMs = 10_000, cutAfterMs }) =>
      new Promise((resolve, reject) => {
        const length =
          body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const asked = request(
          { host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length }, timeout: timeoutMs },
          (reply) => {
            const parts: Buffer[] = [];
            reply.on('data', (part: Buffer) => parts.push(part));
            reply.on('end', () =>
              resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString() }),
            );
            reply.on('error', reject);
            reply.on('aborted', () => reject(new Error('the reply broke off')));
          },
        );
        asked.on('error', reject);
        asked.on('timeout', () => asked.destroy(new Error('no reply in time')));
        asked.end(body, () => {
          if (cutAfterMs !== undefined) setTimeout(() => asked.destroy(new Error('cut')), cutAfterMs);
        });
      }),
    close: () => agent.destroy(),
  };
}

/** `data` of a 200; anything else throws. */
export function dataOf<T>({ status, text }: Reply): T {
  if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}
