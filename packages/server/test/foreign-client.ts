import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/** What a stranger's program gets to see of an answer. */
export interface ForeignAnswer {
  status: number;
  contentType: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a client that knows no types of ours
  body: any;
}
export interface ForeignRequest {
  query?: Record<string, unknown> | undefined;
  body?: Record<string, unknown> | undefined;
  /** Sent as form-data with one file. */
  file?: Uint8Array | undefined;
  accept?: string;
}

/** The specification's header: the time, AES-CBC under a key made of the address, `hex IV:ciphertext`. Written a second time from its text. */
function sessionHeader(pathAndQuery: string): string {
  const iv = randomBytes(16);
  const key = createHash('sha256').update(Buffer.from(pathAndQuery, 'utf8')).digest();
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const sealed = Buffer.concat([cipher.update(Buffer.from(`${Date.now()}`)), cipher.final()]);
  return [iv, sealed].map((part) => part.toString('hex')).join(':');
}

/**
 * A client as somebody writes it who has the specification and nothing of ours: its headers, its freshness value, JSON bodies, no
 * Idempotency-Key, over a real connection.
 */
export class ForeignClient {
  token: string | undefined;
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** @param call method and path as in the specification's list: `GET /api/plans`, or `api/plans` after the method */
  async ask(call: string, request: ForeignRequest = {}): Promise<ForeignAnswer> {
    const [method = '', given = ''] = call.split(' ');
    const query = new URLSearchParams(
      Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const address = `/${given.replace(/^\/+/, '')}${query && `?${query}`}`;
    const isPost = method === 'POST';
    const reply = await fetch(this.#base + address, {
      method,
      headers: {
        ...(this.token ? { Authorization: `bearer ${this.token}` } : {}),
        'x-auth-platform': 'mobile',
        'x-device-details': 'Redmi 13C',
        'x-browser-name': 'Chrome',
        'x-browser-version': '141',
        'x-device-type': 'mobile',
        'x-device-platform': 'Android',
        'X-EMM-Auth-Session': sessionHeader(address),
        Accept: request.accept ?? 'application/json',
        ...(isPost && !request.file ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPost ? { body: request.file ? formOf(request) : JSON.stringify(request.body ?? {}) } : {}),
    });
    const text = await reply.text();
    const contentType = reply.headers.get('content-type') ?? '';
    return { status: reply.status, contentType, body: contentType.includes('json') ? JSON.parse(text) : text };
  }
}

function formOf({ body = {}, file = new Uint8Array() }: ForeignRequest): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, String(value));
  form.append('file', new Blob([Uint8Array.from(file)], { type: 'image/png' }), 'picture.png');
  return form;
}
