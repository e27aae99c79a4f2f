import type { FastifyReply } from 'fastify';

/** Proxies drop a silent connection after a minute at the latest. */
const HEARTBEAT_MS = 15_000;
/** Several changes of one moment are one event. */
const GATHER_MS = 50;

export interface LiveStreamOptions {
  /** What to send now; an error ends the stream. */
  read(): Promise<unknown>;
  /** Calls back when it may differ. @returns a function that ends the listening */
  listen(changed: () => void): () => void;
  lifeMs: number;
  /** Ends every stream when the server stops. */
  stopping: AbortSignal;
}

/**
 * Sends `state` events (text/event-stream): one at once, one after each change, none when nothing differs from the last.
 * @returns when the stream has ended, from either side
 */
export async function sendLive(
  reply: FastifyReply,
  { read, listen, lifeMs, stopping }: LiveStreamOptions,
): Promise<void> {
  const first = JSON.stringify(await read());
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  } as Record<string, string>);
  let last = '';
  const send = (text: string): void => {
    if (text !== last && !raw.writableEnded) raw.write(`event: state\ndata: ${text}\n\n`);
    last = text;
  };
  send(first);

  await new Promise<void>((resolve) => {
    let isReading = false;
    let isStale = false;
    const refresh = async (): Promise<void> => {
      isStale = true;
      if (isReading) return;
      isReading = true;
      while (isStale) {
        await new Promise((wait) => setTimeout(wait, GATHER_MS));
        isStale = false;
        send(JSON.stringify(await read()));
      }
      isReading = false;
    };
    const off = listen(() => void refresh().catch(() => end()));
    const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
    const life = setTimeout(() => end(), lifeMs);
    const end = (): void => {
      off();
      clearInterval(heartbeat);
      clearTimeout(life);
      stopping.removeEventListener('abort', end);
      raw.end();
      resolve();
    };
    stopping.addEventListener('abort', end);
    raw.once('close', end);
    // What changed between the first reading and the listening.
    void refresh().catch(() => end());
  });
}
