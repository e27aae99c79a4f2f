import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Ear, Signal } from './adapter.ts';

type Listener = () => void;

export interface Waker extends Ear {
  /** The dispatcher, in whatever process it runs, is told after the commit. A hint: losing it loses time, never an order. */
  wake(tx: Tx, deviceIds: readonly string[]): void;
  signal(kind: Signal, deviceIds: readonly string[]): void;
  close(): Promise<void>;
}

const CHANNEL = 'kist_devices';
/** The queue is of all phones. */
export const NO_PHONE = '00000000-0000-0000-0000-000000000000';
/** A payload holds 8,000 bytes; an id takes 23 of them. */
const IDS_PER_NOTICE = 300;
/** Between two tries to listen again after the connection broke. */
const RELISTEN_MS = 1000;

const shorten = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
const lengthen = (short: string): string =>
  Buffer.from(short, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/**
 * Wakes sleeping long polls: directly in this process, through LISTEN/NOTIFY in the others. Notices of one turn of the event
 * loop travel together: a bulk order of 100,000 phones is some 330 notices.
 * @param onError told when notices can not be sent or heard; polls then find out at their next turn
 */
export function createWaker(db: Pick<Database, 'devicePool'>, onError: (error: unknown) => void): Waker {
  const self = randomUUID();
  const listeners = new Map<string, Set<Listener>>();
  const tell = (kind: string, deviceId: string): void => {
    for (const listener of listeners.get(`${kind}:${deviceId}`) ?? []) listener();
  };
  const notices = createNotices(db.devicePool, self, onError);
  const hearing = listenToOthers(
    db.devicePool,
    (from, kind, ids) => {
      if (from !== self) for (const id of ids) tell(kind, lengthen(id));
    },
    onError,
  );

  const signal = (kind: Signal, deviceIds: readonly string[]): void => {
    for (const id of deviceIds) tell(kind, id);
    notices.add(kind, deviceIds);
  };
  return {
    wake: (tx, deviceIds) =>
      tx.afterCommit(() => {
        signal('changed', deviceIds);
        // Whoever carries in this process needs no help of the others.
        if (listeners.has(`queued:${NO_PHONE}`)) tell('queued', NO_PHONE);
        else notices.add('queued', [NO_PHONE]);
      }),
    isDeaf: hearing.isDeaf,
    signal,
    on: (kind, deviceId, listener) => {
      const key = `${kind}:${deviceId}`;
      const all = listeners.get(key) ?? new Set<Listener>();
      listeners.set(key, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(key) === all) listeners.delete(key);
      };
    },
    close: async () => {
      notices.stop();
      await hearing.close();
    },
  };
}

/** What the other processes are told, gathered over one turn of the event loop. */
function createNotices(pool: pg.Pool, self: string, onError: (error: unknown) => void) {
  const outgoing: Record<Signal, Set<string>> = { wake: new Set(), changed: new Set(), queued: new Set() };
  let isFlushing = false;
  let isStopped = false;

  const flush = async (): Promise<void> => {
    isFlushing = false;
    for (const kind of ['queued', 'wake', 'changed'] as const) {
      const ids = [...outgoing[kind]];
      outgoing[kind].clear();
      for (let at = 0; at < ids.length && !isStopped; at += IDS_PER_NOTICE) {
        const payload = [self, kind, ...ids.slice(at, at + IDS_PER_NOTICE).map(shorten)].join(' ');
        await pool.query('select pg_notify($1, $2)', [CHANNEL, payload]);
      }
    }
  };
  return {
    add: (kind: Signal, deviceIds: readonly string[]): void => {
      for (const id of deviceIds) outgoing[kind].add(id);
      if (isFlushing || deviceIds.length === 0) return;
      isFlushing = true;
      setImmediate(() => void flush().catch(onError));
    },
    stop: (): void => {
      isStopped = true;
    },
  };
}

/** Listens on a connection of its own, as the pool would make it: it must not take a place that check-ins need. Connects again when that breaks. */
function listenToOthers(
  pool: pg.Pool,
  hear: (from: string, kind: string, ids: readonly string[]) => void,
  onError: (error: unknown) => void,
): { close(): Promise<void>; isDeaf(): boolean } {
  let isHearing = false;
  let listener: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const listen = async (): Promise<void> => {
    const client = new pg.Client(pool.options);
    listener = client;
    client.on('notification', ({ payload = '' }) => {
      const [from = '', kind = '', ...ids] = payload.split(' ');
      hear(from, kind, ids);
    });
    client.once('end', again);
    client.on('error', onError);
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    isHearing = true;
  };
  const again = (): void => {
    isHearing = false;
    listener = undefined;
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(start, RELISTEN_MS);
    retry.unref();
  };
  const start = (): void => {
    listen().catch((error: unknown) => {
      onError(error);
      void listener?.end().catch(() => undefined);
    });
  };
  start();
  return {
    isDeaf: () => !isHearing,
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await listener?.end();
    },
  };
}
