import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Sends bytes as they are to loopback, no client in between that mends them. @returns all that came back until the other side closed, at most 5 s. */
export function sendRaw(port: number, bytes: string | Buffer, { withinMs = 5000 } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    const timer = setTimeout(finish, withinMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.once('close', finish);
  });
}

/** One request line with the headers that every server wants, closed after the answer. */
export const requestText = (line: string, ...headers: string[]): string =>
  [line, 'Host: kist.test', 'Connection: close', ...headers, '', ''].join('\r\n');

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
