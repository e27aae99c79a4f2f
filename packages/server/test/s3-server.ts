import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '#server/platform/s3-blobs.ts';
import { atEnd } from './at-end.ts';

/** What happens to one request on its way: the server is busy, the line breaks, nobody answers, a byte of what is sent or of the answer is another. */
export type Fault = 'busy' | 'broken line' | 'silence' | 'altered' | 'altered answer' | 'cut answer';

interface S3Server {
  settings: S3Settings;
  /** One for each request to come. */
  faults: Fault[];
  /** Requests that came, with their methods. */
  asked: string[];
}

/** A real server that speaks S3 (npm's s3rver), on loopback behind a line that has faults on request. It judges signatures. */
export async function s3Server(buckets: readonly string[] = ['pictures']): Promise<S3Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kist-s3-'));
  const configureBuckets = buckets.map((name) => ({ name }));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  const faults: Fault[] = [];
  const asked: string[] = [];
  const line = createServer((came, answer) => {
    asked.push(came.method ?? '');
    void carry(port, faults.shift(), came, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
  atEnd(async () => {
    line.closeAllConnections();
    line.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return { settings: { endpoint, bucket: buckets[0]!, region: 'ap-south-1', ...account }, faults, asked };
}

async function carry(port: number, fault: Fault | undefined, came: IncomingMessage, answer: ServerResponse) {
  if (fault === 'silence') return;
  if (fault === 'broken line') return void answer.destroy();
  if (fault === 'busy') return void answer.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
  const { method, url, headers } = came;
  const sent = fault === 'altered' ? altered(await bodyOf(came)) : await bodyOf(came);
  const reply = await new Promise<IncomingMessage>((done, fail) =>
    request({ port, host: '127.0.0.1', method, path: url, headers }, done).on('error', fail).end(sent),
  );
  const body = await bodyOf(reply);
  answer.writeHead(reply.statusCode ?? 500, reply.headers);
  if (fault === 'cut answer') return void answer.write(body.subarray(0, body.length / 2), () => answer.destroy());
  answer.end(fault === 'altered answer' ? altered(body) : body);
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const altered = (body: Buffer): Buffer => Buffer.from(body.map((byte, at) => (at === 0 ? byte ^ 1 : byte)));
