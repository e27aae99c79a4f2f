import { createServer } from 'node:http';

export interface Gateway {
  url: string;
  /** Messages taken, each once however often it was sent. */
  taken: ReadonlySet<string>;
  close(): void;
}

/** An SMS gateway that takes everything, so that the outbox has real work while it is killed. */
export async function openGateway(): Promise<Gateway> {
  const taken = new Set<string>();
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { reference } = JSON.parse(Buffer.concat(parts).toString()) as { reference: string };
      taken.add(reference);
      reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message_id: `gw-${reference}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, taken, close: () => void server.close(() => undefined) };
}
