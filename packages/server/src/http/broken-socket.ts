import { STATUS_CODES } from 'node:http';
import type { OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '@kist/contract/errors';

/**
 * What a request may take to arrive: its headers, and all of it (a 300 KB photo needs 80 kbit/s); and how long a connection may stand still, neither sending nor
 * taking a byte: what waits for a client that takes nothing is kept in memory. A live stream sends a line every 15 s.
 */
export const ARRIVAL = { headersMs: 15_000, wholeMs: 30_000, stillMs: 60_000 };
/** What a client that takes nothing may delay the end of its connection. */
const LAST_BYTES_MS = 1000;

const CODES: Record<string, [number, ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'TOO_LARGE'],
  ERR_HTTP_REQUEST_TIMEOUT: [ERRORS.REQUEST_TIMEOUT.status, 'REQUEST_TIMEOUT'],
};

/** Not even HTTP, or not in time: nothing answers it, so the envelope is written by hand, in English, and the connection ends whatever the client does. */
export function endBrokenSocket(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: OutgoingMessage };
  // An answer under way can not be told from what would be written into it.
  if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  const [status, code] = CODES[error.code ?? ''] ?? [400, 'INVALID_INPUT'];
  const body = JSON.stringify({ status, response: 'failure', message: 'The request could not be read.', code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
  setTimeout(() => socket.destroy(), LAST_BYTES_MS).unref();
}
