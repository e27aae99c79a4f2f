import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database, Tx } from '#server/platform/database.ts';

/** 'wake': come and ask. 'changed': what the phone reported differs from before, for whoever watches it. */
export type Signal = 'wake' | 'changed';
type Listener = () => void;

export interface Waker {
  /** Told after the commit, in every process. A hint: losing it loses time, never an order. */
  wake(tx: Tx, deviceIds: readonly string[]): void;
  signal(kind: Signal, deviceIds: readonly string[]): void;
  /** @returns a function that ends the listening */
  on(kind: Signal, deviceId: string, listener: Listener): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'kist_devices';
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
  const outgoing: Record<Signal, Set<string>> = { wake: new Set(), changed: new Set() };
  let isFlushing = false;
  let isClosed = false;
  let ear: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const tell = (kind: string, deviceId: string): void => {
    for (const listener of listeners.get(`${kind}:${deviceId}`) ?? []) listener();
  };

  const flush = async (): Promise<void> => {
    isFlushing = false;
    for (const kind of ['wake', 'changed'] as const) {
      const ids = [...outgoing[kind]];
      outgoing[kind].clear();
      for (let at = 0; at < ids.length && !isClosed; at += IDS_PER_NOTICE) {
        const payload = [self, kind, ...ids.slice(at, at + IDS_PER_NOTICE).map(shorten)].join(' ');
        await db.devicePool.query('select pg_notify($1, $2)', [CHANNEL, payload]);
      }
    }
  };

  const signal = (kind: Signal, deviceIds: readonly string[]): void => {
    for (const id of deviceIds) {
      outgoing[kind].add(id);
      tell(kind, id);
    }
    if (isFlushing || deviceIds.length === 0) return;
    isFlushing = true;
    setImmediate(() => void flush().catch(onError));
  };

  const listen = async (): Promise<void> => {
    // A connection of its own, as the pool would make it: an ear must not take a place that check-ins need.
    const client = new pg.Client(db.devicePool.options);
    ear = client;
    client.on('notification', ({ payload = '' }) => {
      const [from, kind = '', ...ids] = payload.split(' ');
      if (from !== self) for (const id of ids) tell(kind, lengthen(id));
    });
    client.once('end', again);
    client.on('error', onError);
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  };
  const again = (): void => {
    ear = undefined;
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(start, RELISTEN_MS);
    retry.unref();
  };
  const start = (): void => {
    listen().catch((error: unknown) => {
      onError(error);
      void ear?.end().catch(() => undefined);
    });
  };
  start();

  return {
    wake: (tx, deviceIds) => tx.afterCommit(() => signal('wake', deviceIds)),
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
      isClosed = true;
      clearTimeout(retry);
      await ear?.end();
    },
  };
}
