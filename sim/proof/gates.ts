import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { socketOf } from '#bench/lib/database.ts';
import type { House } from './house.ts';

/** Where a transaction is stopped from outside: at its first write to a table, where it keeps its reply, in its commit, or right after. */
export type Stop = { table: string } | { advisory: keyof typeof ADVISORY } | 'committed';

const ADVISORY = { reply: 471_101, commit: 471_102 } as const;
const POLL_MS = 4;

/** A stop that is closed. */
export interface Gate {
  /** @returns the backend that waits at the gate; undefined when none came in time */
  waits(withinMs: number): Promise<number | undefined>;
  open(): Promise<void>;
}

/**
 * Two stops that no table's lock can make, in the database of the proof and nowhere else: what happens there is written by the proof, the product knows
 * nothing of it.
 */
export const prepareStops = (house: House): Promise<unknown> =>
  house.owner((client) =>
    client.query(
      `create schema proof;
       create function proof.stop() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return null; end $$;
       create trigger zz_stop_reply before update on idempotency_keys for each statement execute function proof.stop('${ADVISORY.reply}');
       create constraint trigger zz_stop_commit after update on idempotency_keys deferrable initially deferred for each row execute function proof.stop('${ADVISORY.commit}')`,
    ),
  );

/** Closes a stop. Whoever reaches it waits until it is opened, or is killed there. */
export async function close(house: House, stop: Stop): Promise<Gate> {
  const client = await connected(house);
  const since = new Date().toISOString();
  const keys = new Set<string>();
  if (stop === 'committed')
    for (const { key } of (await client.query<{ key: string }>('select key from idempotency_keys')).rows) keys.add(key);
  else if ('table' in stop) await client.query(`begin; lock table ${stop.table} in share row exclusive mode`);
  else await client.query('select pg_advisory_lock($1)', [ADVISORY[stop.advisory]]);
  const look = async (): Promise<number | undefined> => {
    if (stop === 'committed') {
      const { rows } = await client.query<{ key: string }>(
        'select key from idempotency_keys where status = 200 and created_at > $1',
        [since],
      );
      return rows.some(({ key }) => !keys.has(key)) ? 0 : undefined;
    }
    const which =
      'table' in stop
        ? `relation = '${stop.table}'::regclass`
        : `locktype = 'advisory' and objid = ${ADVISORY[stop.advisory]}`;
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks where not granted and ${which} limit 1`,
    );
    return rows[0]?.pid;
  };
  return {
    waits: async (withinMs) => {
      const from = performance.now();
      for (; performance.now() - from < withinMs; await sleep(POLL_MS)) {
        const pid = await look();
        if (pid !== undefined) return pid;
      }
      return undefined;
    },
    // A connection that ends leaves nothing locked, whether PostgreSQL is there or not.
    open: () => client.end().catch(() => undefined),
  };
}

/** The owner's own connection, as soon as PostgreSQL takes one. */
async function connected(house: House): Promise<pg.Client> {
  const client = new pg.Client(socketOf(house.dataDir));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
