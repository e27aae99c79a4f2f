import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BASE_URL } from './base-url.ts';

/** What a page of the newer build has and one of the older has not. */
export const NEWER_MARK = 'meta[name=newer-build]';

export interface Deployment {
  origin: string;
  /** From now on the newer build is served. */
  release: () => void;
  close: () => void;
}

/** index.html with a mark, and a worker that knows of another revision of it: all that a browser sees of a newer build. */
const newer = (path: string, text: string): string =>
  path === '/sw.js'
    ? text.replace(/(url:"index\.html",revision:")[^"]+/, '$1newer')
    : text.replace('<head>', '<head><meta name="newer-build" content="yes">');

/** The product behind one more door, at which a newer build of the app can come out in the middle of a test. */
export async function deploy(): Promise<Deployment> {
  const { hostname, port } = new URL(BASE_URL);
  let isNewer = false;
  const server = createServer((asked, reply) => {
    const path = (asked.url ?? '/').split('?')[0] ?? '/';
    const isPage = path === '/sw.js' || path === '/index.html' || asked.headers['sec-fetch-mode'] === 'navigate';
    const { 'accept-encoding': _encoding, 'if-none-match': _tag, ...plain } = asked.headers;
    const onward = request(
      { hostname, port, path: asked.url, method: asked.method, headers: isPage ? plain : asked.headers },
      (answer) => {
        if (!isPage || !isNewer) {
          reply.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(reply);
          return;
        }
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const { 'content-length': _length, etag: _etag, ...kept } = answer.headers;
          reply.writeHead(answer.statusCode ?? 502, kept).end(newer(path, text));
        });
      },
    );
    onward.on('error', () => reply.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    release: () => (isNewer = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
