import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  KEY_HEADER,
  REQUEST_COMPONENTS,
  parseContentDigest,
  parsePublicKey,
  parseSignature,
  parseSignatureInput,
} from '@kist/contract/agent';
import { ERRORS } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AgentPlane } from '#server/commands/adapter.ts';
import type { Log } from '#server/platform/log.ts';
import { refusalBody } from './agent-refusal.ts';
import type { FailureLimits } from './request-limits.ts';

const { status: STATUS } = ERRORS.RATE_LIMITED;
/** A text, for it leaves in one piece with its headers. */
const BODY = refusalBody({ code: 'RATE_LIMITED', options: {} }).toString('latin1');
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

export interface TurnAwayDeps {
  plane: Pick<AgentPlane, 'isPhone'>;
  failures: FailureLimits;
  log: Pick<Log, 'info'>;
}

/**
 * Whoever is suspect (see `createAttempts`) and names no phone is sent away at the headers of the question, in an answer that lies ready: its body is not
 * read, no signature looked at, nothing signed, and nothing written down but how many there were. A phone that is right is no stranger, whatever its
 * neighbours behind the carrier's address do: its name is looked up, all suspects together, and it goes on.
 * @param scope of the questions that are asked in a phone's name
 */
export function turnAwaySuspects(scope: FastifyInstance, { plane, failures, log }: TurnAwayDeps): void {
  const count = createTold(log);
  scope.addHook('onRequest', (request, reply, done) => {
    const keyid = namedIn(request);
    const retryAfterS = failures.suspectForS(request.ip, keyid ?? '');
    if (retryAfterS === 0) {
      done();
      return;
    }
    const judge = (isPhone: boolean): void => {
      if (isPhone) {
        done();
        return;
      }
      // Without its name: a suspect makes them up, and each would be a row of the counts that is never asked for again.
      failures.failed(request.ip, '');
      count();
      sendAway(request, reply, retryAfterS);
    };
    const isPhone = keyid !== undefined && isInForm(request) && plane.isPhone(keyid);
    if (typeof isPhone === 'boolean') judge(isPhone);
    else isPhone.then(judge, done);
  });
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

const namedIn = ({ headers }: FastifyRequest): string | undefined =>
  parseSignatureInput(textOf(headers['signature-input']), REQUEST_COMPONENTS)?.keyid;

const isInForm = ({ headers }: FastifyRequest): boolean =>
  parseSignature(textOf(headers.signature)) !== undefined &&
  parseContentDigest(textOf(headers['content-digest'])) !== undefined &&
  (headers[KEY_HEADER] === undefined || parsePublicKey(textOf(headers[KEY_HEADER])) !== undefined);

function sendAway(request: FastifyRequest, reply: FastifyReply, retryAfterS: number): void {
  reply.hijack();
  const head = [...HEAD, 'x-request-id', request.id, 'retry-after', String(retryAfterS)];
  // What is not read must be little, or its sender would have us throw away as much as it likes.
  if (!isShort(request)) head.push('connection', 'close');
  reply.raw.writeHead(STATUS, head);
  reply.raw.end(BODY, 'latin1');
}

const isShort = ({ headers }: FastifyRequest): boolean =>
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
