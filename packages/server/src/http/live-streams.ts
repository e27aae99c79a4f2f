import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import { createTopic, type Topic, type TopicSource } from './live-topic.ts';

/** Proxies drop a silent connection after a minute at the latest. */
const HEARTBEAT_MS = 15_000;
/** Sessions of open streams are asked anew this often, all in one statement: a stream outlives its session by less than a second. */
const CHECK_MS = 250;
/** What a client that takes nothing more may delay the end of its connection. */
const LAST_BYTES_MS = 1000;
/** Of the ten connections that serve people. */
const READS_AT_ONCE = 2;
/** A session's fifth stream ends its first (a page that was reloaded); beyond the others a new stream is refused. */
export const STREAMS = { perSession: 4, perUser: 16, perOrganisation: 500, perProcess: 2000 } as const;
const RETRY_S = 10;

export interface LiveStreamsOptions {
  /** As the session stands now. */
  authenticate(token: string, ip: string): Promise<Actor | undefined>;
  lifeMs: number;
  /** Ends every stream when the server stops. */
  stopping: AbortSignal;
}

export interface LiveStream extends TopicSource {
  actor: Actor;
  token: string;
  /** What is shown: the same of the same user is read once. */
  subject: string;
}

interface Open {
  readonly actor: Actor;
  readonly token: string;
  readonly rights: string;
  end(): void;
}

export interface LiveStreams {
  /**
   * Sends `state` events (text/event-stream): one at once, one after each change, none when nothing differs from the last. Ends with the session, and with
   * any change of its rights: who asks again is judged anew. @returns when the stream has ended, from either side
   * @throws KistError RATE_LIMITED, and what the first reading throws
   */
  send(reply: FastifyReply, stream: LiveStream): Promise<void>;
}

/** Every live stream of this process: their number, their sessions, and the reading for them, which leaves the others room. */
export function createLiveStreams({ authenticate, lifeMs, stopping }: LiveStreamsOptions): LiveStreams {
  const all = new Set<Open>();
  const topics = new Map<string, Topic>();
  const inTurn = createFairTurns(READS_AT_ONCE);
  const checks = createChecks(all, authenticate);
  stopping.addEventListener('abort', () => {
    for (const stream of all) stream.end();
  });

  const topicOf = (key: string, { actor, read, listen }: LiveStream): Topic => {
    let topic = topics.get(key);
    if (!topic) {
      const source = { read: () => inTurn(actor.userId, read), listen };
      const made = createTopic(source, () => topics.get(key) === made && topics.delete(key));
      topics.set(key, (topic = made));
    }
    return topic;
  };

  return {
    async send(reply, stream) {
      const { actor, token, subject } = stream;
      makeRoom(all, actor);
      const ending = new AbortController();
      const open: Open = { actor, token, rights: rightsOf(actor), end: () => ending.abort() };
      all.add(open);
      checks.start();
      reply.raw.once('close', open.end);
      try {
        const first = JSON.stringify(await inTurn(actor.userId, stream.read));
        // Overtaken by whatever ends streams: who asks again learns what it was.
        if (ending.signal.aborted || stopping.aborted) throw new KistError('UNAVAILABLE', { retryAfterS: 1 });
        reply.hijack();
        const topic = topicOf(`${actor.orgId} ${actor.userId} ${subject} ${open.rights}`, stream);
        await pump(reply, first, topic, { ending: ending.signal, end: open.end, lifeMs });
      } finally {
        all.delete(open);
      }
    },
  };
}

/** @throws KistError RATE_LIMITED */
function makeRoom(all: ReadonlySet<Open>, { orgId, userId, sessionId }: Actor): void {
  // In the order in which they were opened.
  const streams = [...all];
  const ofSession = streams.filter(({ actor }) => actor.sessionId === sessionId);
  const ended = ofSession.slice(0, Math.max(0, ofSession.length - STREAMS.perSession + 1));
  for (const stream of ended) stream.end();
  const others = streams.filter((stream) => !ended.includes(stream));
  const ofOrganisation = others.filter(({ actor }) => actor.orgId === orgId);
  const ofUser = ofOrganisation.filter(({ actor }) => actor.userId === userId);
  if (
    others.length >= STREAMS.perProcess ||
    ofOrganisation.length >= STREAMS.perOrganisation ||
    ofUser.length >= STREAMS.perUser
  )
    throw new KistError('RATE_LIMITED', { retryAfterS: RETRY_S, internal: 'too many live streams' });
}

/** What a session may see. Its language and address may change under a stream, nothing else. */
const rightsOf = ({ userType, customerIds = [], access, lockAccess, visibleOwnerIds }: Actor): string =>
  JSON.stringify([userType, customerIds.toSorted(), access, lockAccess, visibleOwnerIds.toSorted()]);

/** Ends the streams whose session has ended or may see something else than before. Runs while there are streams. */
function createChecks(all: Set<Open>, authenticate: LiveStreamsOptions['authenticate']): { start(): void } {
  let isRunning = false;

  /** Asked in one turn of the loop, so identity asks the database once for all of them. */
  const check = async (): Promise<void> => {
    const tokens = new Map([...all].map(({ token, actor }) => [token, actor.ip ?? '']));
    const rights = new Map<string, string | undefined>();
    await Promise.all(
      [...tokens].map(async ([token, ip]) => {
        // Who can not be asked is not believed; the app opens the stream again.
        const actor = await authenticate(token, ip).catch(() => undefined);
        rights.set(token, actor && rightsOf(actor));
      }),
    );
    for (const stream of all) if (rights.has(stream.token) && rights.get(stream.token) !== stream.rights) stream.end();
  };
  const again = (): void => {
    isRunning = all.size > 0;
    if (isRunning) setTimeout(() => void check().finally(again), CHECK_MS).unref();
  };
  return {
    start: () => {
      if (!isRunning) again();
    },
  };
}

/** Writes until the stream ends. A client that reads slowly gets the newest state when it is ready, not all of them. */
async function pump(
  reply: FastifyReply,
  first: string,
  topic: Topic,
  { ending, end, lifeMs }: { ending: AbortSignal; end: () => void; lifeMs: number },
): Promise<void> {
  const { raw } = reply;
  raw.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  } as Record<string, string>);
  let last = '';
  let held: string | undefined;
  const send = (text: string): void => {
    held = raw.writableNeedDrain ? text : undefined;
    if (held !== undefined || text === last || ending.aborted) return;
    raw.write(`event: state\ndata: ${text}\n\n`);
    last = text;
  };
  send(first);
  raw.on('drain', () => held !== undefined && send(held));
  const heartbeat = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), HEARTBEAT_MS);
  const life = setTimeout(end, lifeMs);
  const leave = topic.join({ send, end });
  if (!ending.aborted) await new Promise((resolve) => ending.addEventListener('abort', resolve, { once: true }));
  leave();
  clearInterval(heartbeat);
  clearTimeout(life);
  close(raw);
}

function close(raw: ServerResponse): void {
  raw.end();
  const insist = setTimeout(() => raw.destroy(), LAST_BYTES_MS);
  raw.once('close', () => clearTimeout(insist));
  if (raw.closed) clearTimeout(insist);
}
