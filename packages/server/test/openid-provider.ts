import { generateKeyPairSync, sign } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Context } from 'oidc-provider';
import { atEnd } from './at-end.ts';

/** Where our app's login page stands; the provider sends nobody anywhere else. */
export const PAGE = 'http://localhost:3210/login';
export const CLIENT = { client_id: 'kist', client_secret: 'a-secret-that-the-two-share' };

type Part = Record<string, unknown>;
/** What is altered of an ID token before it is signed again; a signature of its own where it gives one. */
type Lie = (token: { header: Part; claims: Part }) => { header?: Part; claims?: Part; signature?: string };

export interface OpenIdProvider {
  issuer: string;
  /** What the provider says of an account. */
  people: Map<string, Part>;
  /** Until it is taken away, every ID token is altered so. */
  lie: Lie | undefined;
  /** Paths that are answered 503, or sent elsewhere. */
  faults: Map<string, { to: string } | 'busy'>;
  /** Paths that were asked for. */
  asked: string[];
  /** A browser goes to an address as this account. @returns what stood in the address that it was sent back to */
  visit(url: string, account: string): Promise<URLSearchParams>;
  /** As a provider that is away. */
  close(): Promise<void>;
}

const encoded = (part: Part): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part = ''): Part => JSON.parse(Buffer.from(part, 'base64url').toString()) as Part;

/** A real OpenID provider on loopback (npm's oidc-provider), whose people log in without a password, and which lies when it is told to. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people = new Map<string, Part>();
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [PAGE], response_types: ['code'], grant_types: ['authorization_code'] }],
    cookies: { keys: ['of-a-test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' }] },
    claims: { email: ['email', 'email_verified'], phone: ['phone_number', 'phone_number_verified'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: () => '/interaction' },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email phone');
      await grant.save();
      return grant;
    },
  });
  const made: OpenIdProvider = {
    issuer,
    people,
    lie: undefined,
    faults: new Map(),
    asked: [],
    visit: (url, account) => visit(issuer, url, account),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const signed = (token: string): string => {
    const [head, body] = token.split('.');
    const before = { header: decoded(head), claims: decoded(body) };
    const { header = before.header, claims = before.claims, signature } = made.lie!(before);
    const text = `${encoded(header)}.${encoded(claims)}`;
    return `${text}.${signature ?? sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  };
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    made.asked.push(pathname);
    const fault = made.faults.get(pathname);
    if (fault === 'busy') return void response.writeHead(503, { 'content-type': 'text/plain' }).end('later');
    if (fault) return void response.writeHead(307, { location: fault.to }).end();
    if (pathname === '/interaction') {
      const accountId = String(request.headers['x-account'] ?? searchParams.get('account'));
      void provider.interactionFinished(
        request,
        response,
        { login: { accountId } },
        { mergeWithLastSubmission: false },
      );
      return;
    }
    if (pathname === '/token' && made.lie) alter(response, signed);
    answer(request, response);
  });
  atEnd(made.close);
  return made;
}

/** The token that is about to be sent is another one. */
function alter(response: ServerResponse, signed: (token: string) => string): void {
  const end = response.end.bind(response);
  response.end = ((body?: string | Buffer) => {
    const said = JSON.parse(String(body)) as Part;
    if (typeof said['id_token'] !== 'string') return end(body);
    const text = JSON.stringify({ ...said, id_token: signed(said['id_token']) });
    response.setHeader('content-length', Buffer.byteLength(text));
    return end(text);
  }) as typeof response.end;
}

/** Follows where it is sent, with the cookies that it is given, until it is sent to our page. */
async function visit(issuer: string, url: string, account: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = new URL(url);
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie, 'x-account': account } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const to = reply.headers.get('location');
    if (to === null) throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`);
    at = new URL(to, issuer);
    if (at.origin !== issuer) {
      if (`${at.origin}${at.pathname}` !== PAGE) throw new Error(`sent to ${at.origin}${at.pathname}`);
      return at.searchParams;
    }
  }
  throw new Error('sent around for ever');
}
