import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { createLog } from '#server/platform/log.ts';
import { whileTakingRows } from '#server/platform/backup/tables.ts';
import { migrateOn } from '#server/platform/migrate.ts';
import { dumpSchema } from '#server/platform/schema-dump.ts';
import { dumps, readDump } from './landed/dump.ts';
import { programOf } from './programs.ts';
import { migrationsDirectory } from './template.ts';

/** Programs on data folders of their own: the server and the command line, and what lies in such a folder's database. */

export interface Ended {
  code: number;
  out: string;
  err: string;
}
/** The command line as a program of its own. */
export function kist(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const { PATH = '' } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programOf('kist'), ...args],
      { env: { PATH, ...env }, maxBuffer: 2 ** 24 },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A demo server on a data folder, for as long as `work` takes. */
export async function whileServed<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const port = String(await freePort());
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [programOf('server')], {
    env: { PATH, PORT: port, KIST_DATA_DIR: dataDir, KIST_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(url);
    return await work(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function ready(url: string): Promise<void> {
  const until = Date.now() + 240_000;
  while (Date.now() < until) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the demo did not become ready');
}

/** As the owner of the tables of a data folder that nobody serves. */
export async function asOwner<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir: path.join(dataDir, 'postgres'), log: createLog('silent') });
  const client = new pg.Client({ ...server.connectionConfig, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Tables that say when they were looked at: the checks after a restore write into them. */
const LOOKED_AT = ['audit_checks', 'book_checks', 'timer_runs', 'rate_limits', 'seen_requests'];

/** Every row of every table, by its sum; every trigger with how it is on; the schema. */
export const contentsOf = (dataDir: string) =>
  asOwner(dataDir, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1) order by 1`,
      [LOOKED_AT],
    );
    const sums: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(r, e'\\n' order by r collate "C")), '') as sum
         from (select t::text as r from ${name} t) s`,
      );
      sums[name] = rows[0]!.sum;
    }
    const { rows: triggers } = await client.query<{ said: string }>(
      `select format('%s %s %s', tgrelid::regclass, tgname, tgenabled) as said from pg_trigger where not tgisinternal order by 1`,
    );
    return { sums, triggers: triggers.map(({ said }) => said), schema: await dumpSchema(client) };
  });

/** The year of business of a landed build, brought up to date: money and phones in seconds, where a demo takes minutes to make. */
export async function fill(dataDir: string): Promise<void> {
  const dump = readDump(dumps().at(-1)!);
  await asOwner(dataDir, async (client) => {
    await migrateOn(client, migrationsDirectory, dump.version);
    await whileTakingRows(client, async () => {
      for (const { name, rows: kept } of dump.tables)
        await client.query(
          `insert into ${name} select (t.r).* from (select u::${name} as r from unnest($1::text[]) u offset 0) t`,
          [kept],
        );
    });
    await migrateOn(client, migrationsDirectory);
  });
}
