import { type Socket, connect } from 'node:net';

/** The bytes of one HTTP/1.1 request. */
export function requestBytes(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

export interface Load {
  perSecond: number;
  latenciesMs: number[];
  /** Answers other than 200, with the first of them in words. */
  refused: number;
  firstRefusal: string | undefined;
}

/**
 * Closed loop on keep-alive connections: each sends its next request when the last is answered, until time is up or the requests are used. The client
 * reads no more of an answer than its status and length: on two cores its work would else be measured as the server's.
 * @param options.isSleepless for calls so cheap that waking the client would cost the sender more than the answer (a virtual machine); takes a core
 */
export async function closedLoop(
  port: number,
  connections: number,
  forMs: number,
  next: () => Buffer | undefined,
  { isSleepless = false }: { isSleepless?: boolean } = {},
): Promise<Load> {
  const load: Load = { perSecond: 0, latenciesMs: [], refused: 0, firstRefusal: undefined };
  const startedAt = performance.now();
  let isOver = false;
  const stayAwake = () => void (isOver || setImmediate(stayAwake));
  if (isSleepless) stayAwake();
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, startedAt + forMs, next, load)));
  isOver = true;
  load.perSecond = (load.latenciesMs.length - load.refused) / ((performance.now() - startedAt) / 1000);
  return load;
}

const HEAD_END = Buffer.from('\r\n\r\n');

function oneConnection(port: number, until: number, next: () => Buffer | undefined, load: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let sentAt = 0;
    let gathered: Buffer = Buffer.alloc(0);
    let missing = -1;
    const ask = () => {
      const bytes = performance.now() < until ? next() : undefined;
      if (bytes === undefined) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(bytes);
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (part) => {
      gathered = gathered.length === 0 ? part : Buffer.concat([gathered, part]);
      if (missing < 0) {
        const end = gathered.indexOf(HEAD_END);
        if (end < 0) return;
        const head = gathered.toString('latin1', 0, end);
        const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? [];
        missing = end + HEAD_END.length + Number(length);
        if (!head.startsWith('HTTP/1.1 200')) {
          load.refused += 1;
          load.firstRefusal ??= gathered.toString('utf8', 0, 600);
        }
      }
      if (gathered.length < missing) return;
      load.latenciesMs.push(performance.now() - sentAt);
      gathered = Buffer.alloc(0);
      missing = -1;
      ask();
    });
  });
}
