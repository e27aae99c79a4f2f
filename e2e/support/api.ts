import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import type { BodyOf, QueryOf, ReplyOf } from '@kist/contract/endpoint';
import type { Endpoints } from '@kist/contract/endpoints';
import type { Failure } from '@kist/contract/envelope';
import { type CallName, PATHS } from '@kist/contract/paths';
import { BASE_URL } from './base-url.ts';

/** What a call carries, as the contract names it. */
export interface ApiInput<Name extends CallName> {
  params?: Record<string, string>;
  query?: QueryOf<Endpoints[Name]>;
  body?: BodyOf<Endpoints[Name]>;
  /** The same key twice is the same write. */
  idempotencyKey?: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** How far the server's clock is ahead of this machine's: the tests move it by weeks. */
let serverAheadMs = 0;

/** The freshness header, as the app makes it: hex(iv):hex(AES-256-CBC(ms)) under SHA-256 of path and query. */
function freshness(pathAndQuery: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(pathAndQuery).digest(), iv);
  const time = Buffer.concat([cipher.update(String(Date.now() + serverAheadMs)), cipher.final()]);
  return `${iv.toString('hex')}:${time.toString('hex')}`;
}

async function send(method: string, pathAndQuery: string, token: string, body: unknown, key?: string) {
  return fetch(`${BASE_URL}${pathAndQuery}`, {
    method,
    headers: {
      'x-emm-auth-session': freshness(pathAndQuery),
      'x-auth-platform': 'mobile',
      'x-device-details': 'browser tests',
      'x-browser-name': 'Chromium',
      'x-browser-version': '1',
      'x-device-type': 'mobile',
      'x-device-platform': 'Linux',
      'accept-language': 'en',
      ...(token && { authorization: `bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
      ...(method === 'POST' && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: body instanceof FormData ? body : JSON.stringify(body ?? {}) }),
  });
}

/** Any path, with the headers of the app; a clock that ran ahead is learnt from the refusal, once. */
export async function request(
  method: 'GET' | 'POST',
  pathAndQuery: string,
  options: { token?: string; body?: unknown; idempotencyKey?: string } = {},
): Promise<Answer> {
  const once = () => send(method, pathAndQuery, options.token ?? '', options.body, options.idempotencyKey);
  let response = await once();
  let body: unknown = await response.json();
  if ((body as Partial<Failure>).code === 'STALE_REQUEST') {
    const serverTime = response.headers.get('x-server-time') ?? '';
    serverAheadMs = (/^\d+$/.test(serverTime) ? Number(serverTime) : Date.parse(serverTime)) - Date.now();
    response = await once();
    body = await response.json();
  }
  return { status: response.status, body };
}

/** One user of the shop, speaking to the server exactly as the app does. */
export interface Api {
  token: string;
  /** @returns `data` of a success. @throws Error with code and message of a refusal. */
  call: <Name extends CallName>(name: Name, input?: ApiInput<Name>) => Promise<ReplyOf<Endpoints[Name]>>;
  /** Sends a form with a file. @throws Error with code and message of a refusal. */
  upload: (name: CallName, form: FormData) => Promise<void>;
  /** Status and whole body, whatever they are. */
  raw: <Name extends CallName>(name: Name, input?: ApiInput<Name>) => Promise<Answer>;
}

export function createApi(token = ''): Api {
  const raw: Api['raw'] = async (name, input = {}) => {
    const path = PATHS[name].path.replace(/:(\w+)/g, (_, part: string) => input.params?.[part] ?? '');
    const query = new URLSearchParams(input.query as Record<string, string> | undefined);
    const pathAndQuery = query.size > 0 ? `${path}?${query}` : path;
    const idempotencyKey = input.idempotencyKey ?? randomUUID();
    return request(PATHS[name].method, pathAndQuery, {
      token,
      body: input.body,
      ...('idempotent' in PATHS[name] && { idempotencyKey }),
    });
  };
  return {
    token,
    raw,
    upload: async (name, form) => {
      const { status, body } = await request('POST', PATHS[name].path, {
        token,
        body: form,
        idempotencyKey: randomUUID(),
      });
      if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    },
    call: async (name, input) => {
      const { status, body } = await raw(name, input);
      if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      return (body as { data: never }).data;
    },
  };
}
