import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Sealer } from './crypto.ts';
import type { Database, Tx } from './database.ts';
import { newId } from './ids.ts';
import { inParallel } from './in-parallel.ts';
import type { Log } from './log.ts';

export interface OutboxMessage {
  orgId: number;
  id: string;
  topic: string;
  payload: unknown;
  /** 1 at the first try. */
  attempt: number;
}

/** Carries one message out. At least once: it may see a message again (a crash, a lost reply), so its effect keys on `id`. */
export type OutboxHandler = (message: OutboxMessage, signal: AbortSignal) => Promise<void>;

export interface OutboxDispatcher {
  /** Carries out everything that is due now, retries excepted; returns how many messages were done. */
  drain(): Promise<number>;
  /** Takes no more, waits for what is under way. */
  stop(): Promise<void>;
}

const committed = new EventEmitter().setMaxListeners(0);
const batchSize = 50;
const atOnce = 8;
const pollMs = 2_000;
/** A message whose dispatcher died is taken up again after this long; a handler is told to stop well before. */
const leaseS = 30;
const handlerTimeoutMs = 20_000;
const firstDelayS = 1;
const maxDelayS = 900;
/** From here on a failure is an operator's business: about an hour of tries. */
const alarmAttempt = 12;

export interface NewMessage {
  topic: string;
  payload: unknown;
  /** Earliest start, real seconds from now. */
  delayS?: number;
  /** Keeps the payload unreadable to who has only the database (a dump, a copy, a reader's account). */
  sealer?: Sealer;
  /** After that many real seconds it is worth nothing: it is not carried out late, and no row of it stays, sent or not. */
  ttlS?: number;
}

/**
 * Promises an effect outside the database: the message exists exactly if the transaction commits, and is then carried
 * out at once by a dispatcher of this process, or by any other within two seconds.
 * @returns the message's id
 */
export async function append(tx: Tx, { topic, payload, delayS, sealer, ttlS }: NewMessage): Promise<string> {
  const id = newId();
  const text = JSON.stringify(payload);
  const [open, sealed] = sealer ? [null, sealer.seal(text, placeOf(tx.orgId, id))] : [text, null];
  await tx.query(
    `insert into outbox (org_id, id, topic, payload, sealed, next_attempt_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, now() + make_interval(secs => $5), now() + make_interval(secs => $6))`,
    [id, topic, open, sealed, delayS ?? 0, ttlS ?? null],
    'outbox.append',
  );
  tx.afterCommit(() => committed.emit('message'));
  return id;
}

/** A sealed payload opens in its own row only. */
const placeOf = (orgId: number | undefined, id: string): string => `${orgId}|outbox|sealed|${id}`;

/**
 * Dispatches messages of the given topics until stopped. Several dispatchers, in any processes, share the work; messages
 * keep no order. A failed one comes again after 1 s, 2 s, 4 s … 15 min, with jitter, for ever.
 */
export function startOutbox(
  database: Database,
  sealer: Sealer,
  handlers: Readonly<Record<string, OutboxHandler>>,
  log: Pick<Log, 'warn' | 'error'>,
): OutboxDispatcher {
  const house: House = { database, sealer, handlers, log };
  let isStopped = false;
  let isAsked = false;
  let running: Promise<number> | undefined;
  const stopping = new AbortController();

  const runOnce = async (): Promise<number> => {
    let done = 0;
    for (;;) {
      const batch = isStopped ? [] : await claim(database, Object.keys(handlers));
      if (batch.length === 0) return done;
      const outcomes = await inParallel(batch, atOnce, (message) => deliver(house, message, stopping.signal));
      done += outcomes.filter(Boolean).length;
    }
  };
  const drain = async (): Promise<number> => {
    while (running !== undefined) await running.catch(() => undefined);
    running = runOnce().finally(() => {
      running = undefined;
    });
    return running;
  };
  const wake = async () => {
    if (isAsked || isStopped) return;
    // One run at a time; one more may wait for it, since a message may have come just after its last look.
    isAsked = true;
    while (running !== undefined) await running.catch(() => undefined);
    isAsked = false;
    await drain().catch((error: unknown) => log.warn({ err: error }, 'outbox could not be read'));
  };
  const onMessage = () => void wake();
  committed.on('message', onMessage);
  const timer = setInterval(onMessage, pollMs);
  onMessage();
  return {
    drain,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      committed.off('message', onMessage);
      stopping.abort(new Error('the server is stopping'));
      await running?.catch(() => undefined);
    },
  };
}

interface House {
  database: Database;
  sealer: Sealer;
  handlers: Readonly<Record<string, OutboxHandler>>;
  log: Pick<Log, 'warn' | 'error'>;
}

interface Claimed extends Omit<OutboxMessage, 'payload'> {
  payload: unknown;
  sealed: Buffer | null;
  isShortLived: boolean;
}

/** Takes due messages for this dispatcher: until the lease ends, no other one sees them. What has come to its end goes on the way. */
async function claim(database: Database, topics: string[]): Promise<Claimed[]> {
  return database.device(async (tx) => {
    const { rows } = await tx.query<Claimed & { [column: string]: unknown }>(
      `with over as (
         delete from outbox o using (select org_id, id from outbox where expires_at <= now() for update skip locked) ended
         where o.org_id = ended.org_id and o.id = ended.id
       )
       update outbox o set attempts = o.attempts + 1, next_attempt_at = now() + make_interval(secs => $3)
       from (select org_id, id from outbox where done_at is null and next_attempt_at <= now() and topic = any($1)
               and (expires_at is null or expires_at > now())
             order by next_attempt_at limit $2 for update skip locked) due
       where o.org_id = due.org_id and o.id = due.id
       returning o.org_id as "orgId", o.id, o.topic, o.payload, o.sealed, o.attempts as attempt, o.expires_at is not null as "isShortLived"`,
      [topics, batchSize, leaseS],
      'outbox.claim',
    );
    return rows;
  });
}

async function deliver(
  { database, sealer, handlers, log }: House,
  { sealed, isShortLived, ...message }: Claimed,
  stopping: AbortSignal,
): Promise<boolean> {
  const { orgId, id, topic, attempt } = message;
  try {
    const payload: unknown =
      sealed === null ? message.payload : JSON.parse(sealer.open(sealed, placeOf(orgId, id)).toString());
    const signal = AbortSignal.any([AbortSignal.timeout(handlerTimeoutMs), stopping]);
    await handlers[topic]?.({ orgId, id, topic, payload, attempt }, signal);
    await database.devicePool.query(isShortLived ? FORGET_ONE : MARK_DONE, [orgId, id]);
    return true;
  } catch (error) {
    log[attempt >= alarmAttempt ? 'error' : 'warn'](
      { orgId, messageId: id, topic, attempt, err: error },
      'outbox message failed',
    );
    await postpone(database, message, error).catch(() => undefined);
    return false;
  }
}

const FORGET_ONE = 'delete from outbox where org_id = $1 and id = $2';
/** What it said has been said. */
const MARK_DONE =
  'update outbox set done_at = now(), last_error = null, payload = null, sealed = null where org_id = $1 and id = $2';

/** Without this mark (the database is away) the lease brings the message back. */
async function postpone(
  database: Database,
  { orgId, id, attempt }: Pick<OutboxMessage, 'orgId' | 'id' | 'attempt'>,
  error: unknown,
): Promise<void> {
  const delayS = Math.min(maxDelayS, firstDelayS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  const reason = error instanceof Error ? error.name : 'unknown';
  await database.devicePool.query(
    `update outbox set next_attempt_at = now() + make_interval(secs => $3), last_error = $4
     where org_id = $1 and id = $2 and done_at is null`,
    [orgId, id, delayS, reason],
  );
}

/** Deletes messages done more than `days` ago. */
export async function forgetDone(database: Database, days: number): Promise<number> {
  const { rowCount } = await database.devicePool.query(
    'delete from outbox where done_at < now() - make_interval(days => $1)',
    [days],
  );
  return rowCount ?? 0;
}

/** The demo's clock was moved: what waits for a moment of the day waits so many seconds less. @param pool `database.devicePool` */
export async function bringForward(pool: Pool, seconds: number): Promise<void> {
  await pool.query(
    'update outbox set next_attempt_at = next_attempt_at - make_interval(secs => $1) where done_at is null',
    [seconds],
  );
}

/** What waits of a topic in this organisation counts as carried out: the demo's past has no gateway. */
export async function countAsDone(tx: Tx, topic: string): Promise<void> {
  await tx.query(
    'update outbox set done_at = now(), sealed = null where org_id = kist_org() and done_at is null and topic = $1',
    [topic],
  );
}
