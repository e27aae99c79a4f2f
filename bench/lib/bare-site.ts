import { type Server, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { barePage } from './bare-page.ts';

/** The bare React page, served as the app is: packed, from this machine. */
export async function serveBare(): Promise<{ port: number; url: string; close: () => void }> {
  const { html, js } = await barePage();
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', content: gzipSync(html) }],
    ['/bare.js', { type: 'text/javascript', content: gzipSync(js, { level: 9 }) }],
  ]);
  const server = createServer((request, reply) => {
    const file = files.get(request.url ?? '');
    if (!file) reply.writeHead(404).end();
    else
      reply
        .writeHead(200, {
          'content-type': file.type,
          'content-encoding': 'gzip',
          'content-length': file.content.length,
        })
        .end(file.content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  return { port, url: `http://localhost:${port}/`, close: () => void server.close() };
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
