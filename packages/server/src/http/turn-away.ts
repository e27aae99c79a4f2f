import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import {
  AGENT_PATHS,
  KEY_HEADER,
  REQUEST_COMPONENTS,
  parseContentDigest,
  parsePublicKey,
  parseSignature,
  parseSignatureInput,
} from '@kist/contract/agent';
import { ERRORS, KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AgentPlane } from '#server/commands/adapter.ts';
import type { Log } from '#server/platform/log.ts';
import { refusalBody } from './agent-refusal.ts';
import type { App } from './app-types.ts';
import { markCounted } from './counted.ts';
import { requestIdOf } from './request-id.ts';

const { status: STATUS } = ERRORS.RATE_LIMITED;
/** A text, for it leaves in one piece with its headers. */
const BODY = refusalBody({ code: 'RATE_LIMITED', options: {} });
/** What an answer to a program needs, and no more: each line is written anew every time. */
const HEAD = [
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(BODY.length),
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
] as const;
const TOLD_EVERY_MS = 60_000;

/** Whose name is asked in, and how: a phone's, or a code's that somebody makes it one by. */
interface Named {
  whose: 'phone' | 'code';
  methods: readonly string[];
}
const IN_A_NAME: ReadonlyMap<string, Named> = new Map<string, Named>([
  [AGENT_PATHS.checkin, { whose: 'phone', methods: ['POST'] }],
  [AGENT_PATHS.poll, { whose: 'phone', methods: ['GET', 'POST'] }],
  [AGENT_PATHS.dispute, { whose: 'phone', methods: ['POST'] }],
  [AGENT_PATHS.enrol, { whose: 'code', methods: ['POST'] }],
]);

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
interface Suspect {
  ip: string;
  whose: Named['whose'];
  keyid: string | undefined;
  retryAfterS: number;
}

/**
 * Whoever is suspect (see `createAttempts`) and names no phone is sent away at the headers of the question, before the framework makes anything of it, in an
 * answer that lies ready: its body is not read, nothing signed, and nothing written down but how many there were. A phone that is right is no stranger,
 * whatever its neighbours behind the carrier's address do: its name is looked up, all suspects together, and it goes on. So does nobody who has only its
 * name: a signature is over the headers, so who has another key is known by them.
 */
export function turnAwaySuspects({ fastify, deps }: App, plane: Names): void {
  const { limits, settings, metrics } = deps;
  const { server } = fastify;
  const ipOf = addressOf(settings.trustedProxies);
  const isKnown = knownBy(limits, plane);
  const told = createTold(deps.log);
  const turnedAway = metrics.counter(
    'kist_agent_turned_away_total',
    'Questions of nobody known that were turned away.',
  );

  const suspectOf = (request: IncomingMessage): Suspect | undefined => {
    // A server that stops says so itself, and what is packed is refused for that.
    const whose = whoseName(request);
    if (!whose || request.headers['content-encoding'] !== undefined || !server.listening) return undefined;
    const ip = ipOf(request);
    const keyid = namedIn(request.headers);
    const retryAfterS = limits.failures.suspectForS(ip, keyid ?? '');
    return retryAfterS > 0 ? { ip, whose, keyid, retryAfterS } : undefined;
  };
  const sendAway = (request: IncomingMessage, response: ServerResponse, { ip, retryAfterS }: Suspect): void => {
    // Without its name: a suspect makes them up, and each would be a row of the counts that is never asked for again.
    limits.failures.failed(ip, '');
    told();
    turnedAway.inc();
    answer(request, response, retryAfterS);
  };
  // Who enrols brings the key that it signs with: its name is a code's, and says nothing of keys.
  const isSigned = ({ method = '', url = '', headers }: IncomingMessage, { whose, keyid = '' }: Suspect): boolean =>
    whose === 'code' || plane.isSigned(keyid, { method, path: url, headers });
  const [handle] = server.listeners('request') as Handle[];
  if (!handle) throw new Error('the framework does not listen');
  server.removeListener('request', handle);
  server.on('request', (request, response) => {
    const suspect = suspectOf(request);
    if (!suspect) {
      handle(request, response);
      return;
    }
    const goOn = (): void => {
      markCounted(request);
      handle(request, response);
    };
    // The form and the signature come last: most have no name that is known.
    const judge = (isName: boolean): void =>
      isName && isInForm(request.headers) && isSigned(request, suspect) ? goOn() : sendAway(request, response, suspect);
    const fail = (error: unknown): void => {
      const waitS = waitOf(error);
      if (waitS === undefined) goOn();
      else answer(request, response, waitS);
    };
    atOnce(() => isKnown(request, suspect), judge, fail);
  });
}

/** Of too many from one address, or too many suspects, whoever they are. Whatever else went wrong (the database is away) is for the framework to find and say. */
const waitOf = (error: unknown): number | undefined =>
  error instanceof KistError && error.code === 'RATE_LIMITED' ? error.options.retryAfterS : undefined;

type Names = Pick<AgentPlane, 'isPhone' | 'isCode' | 'isSigned'>;

/** @returns a function that counts who asks by the address and tells whether the name is a phone's or a code's */
const knownBy =
  (limits: Pick<App['deps']['limits'], 'address'>, plane: Names) =>
  ({ url = '' }: IncomingMessage, { ip, whose, keyid }: Suspect): boolean | Promise<boolean> => {
    const look = () => keyid !== undefined && (whose === 'code' ? plane.isCode(keyid) : plane.isPhone(keyid));
    const counted = limits.address(ip, url);
    return counted ? counted.then(look) : look();
  };

/** What is known at once is told at once: a promise for each would be a good part of what sending somebody away costs. */
function atOnce<T>(work: () => T | Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): void {
  let value: T | Promise<T>;
  try {
    value = work();
  } catch (error) {
    failed(error);
    return;
  }
  if (value instanceof Promise) value.then(done, failed);
  else done(value);
}

function whoseName({ method = '', url = '' }: IncomingMessage): Named['whose'] | undefined {
  const named = IN_A_NAME.get(url) ?? IN_A_NAME.get(asRouted(url));
  return named?.methods.includes(method) === true ? named.whose : undefined;
}

/** A path as the framework reads it. No phone writes it in another way than the one above; a stranger would, if it made each of its questions dearer. */
function asRouted(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return '';
  }
}

/** @returns a function that gives the address of who asks, as `request.ip` of the framework is */
function addressOf(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, isTrusted) ?? '';
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

const namedIn = (headers: IncomingHttpHeaders): string | undefined =>
  parseSignatureInput(textOf(headers['signature-input']), REQUEST_COMPONENTS)?.keyid;

const isInForm = (headers: IncomingHttpHeaders): boolean =>
  parseSignature(textOf(headers['signature'])) !== undefined &&
  parseContentDigest(textOf(headers['content-digest'])) !== undefined &&
  (headers[KEY_HEADER] === undefined || parsePublicKey(textOf(headers[KEY_HEADER])) !== undefined);

function answer(request: IncomingMessage, response: ServerResponse, retryAfterS: number): void {
  const head = [...HEAD, 'x-request-id', requestIdOf(request), 'retry-after', String(retryAfterS)];
  // What is not read must be little, or its sender would have us throw away as much as it likes.
  if (!isShort(request)) head.push('connection', 'close');
  response.writeHead(STATUS, head);
  response.end(BODY, 'latin1');
}

const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= LIMITS.agentBodyBytes;

/** One line a minute, however many there were. */
function createTold(log: Pick<Log, 'info'>): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > 1) return;
    setTimeout(() => {
      log.info({ count }, 'questions of nobody known were turned away within a minute');
      count = 0;
    }, TOLD_EVERY_MS).unref();
  };
}
