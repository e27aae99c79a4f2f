import { Agent, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { ownCertificate } from './own-certificate.mjs';

/** Of one connection, and nothing to HTTP/2 (RFC 9113, 8.2.2). */
const OF_A_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'];

/**
 * What stands before a production (docs/runbook.md): it holds the certificate, speaks HTTP/2 with the browser, and passes on to a port that speaks plain HTTP/1.1,
 * byte for byte and as it comes.
 * @param {number} port of this machine
 * @returns {Promise<{ url: string, close: () => void }>} its address, without a slash at the end
 */
export async function serveFront(port) {
  const agent = new Agent({ keepAlive: true });
  const server = createSecureServer(ownCertificate());
  server.on('request', (asked, reply) => {
    const headers = Object.entries(asked.headers).filter(([name]) => !name.startsWith(':'));
    const passed = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: asked.method,
        path: asked.url,
        headers: { ...Object.fromEntries(headers), host: asked.authority },
      },
      (answer) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !OF_A_CONNECTION.includes(name));
        reply.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
        answer.pipe(reply.stream);
      },
    );
    passed.on('error', () => reply.stream.close());
    reply.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return {
    url: `https://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    close: () => {
      server.close();
      agent.destroy();
    },
  };
}
