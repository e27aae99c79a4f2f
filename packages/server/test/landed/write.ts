import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import pg from 'pg';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import type { LandedDump, LandedPhone } from './dump.ts';

/**
 * Writes the demo year of a landed build into this folder, for `migrations-forward.sweep.test.ts`. How the next one is made: check that build out
 * elsewhere, `npm start` it with a `KIST_DATA_DIR` of its own until it says that it is ready, do in its app what its demo has none of (a payment, a
 * dispute, a lock of many, a picture), stop it, and here:
 *
 *     node packages/server/test/landed/write.ts DATA_DIR COMMIT
 *
 * The names in it are invented, its secrets were made for that start alone.
 */
const [dataDir, commit] = process.argv.slice(2);
if (dataDir === undefined || commit === undefined) throw new Error('node write.ts DATA_DIR COMMIT');

const quiet = { info: () => undefined, warn: () => undefined };
const server = await startEmbedded({ dataDir: path.join(dataDir, 'postgres'), log: quiet });
const client = new pg.Client({ ...server.connectionConfig, options: '-c timezone=UTC' });
await client.connect();

/** Whose rows nothing else of the list has to wait for come first. */
async function tablesInOrder(): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name, array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
       where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const ordered: string[] = [];
  let left = rows;
  while (left.length > 0) {
    const next = left.filter(({ needs }) => needs.every((name) => ordered.includes(name)));
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...next.map(({ name }) => name));
    left = left.filter((one) => !next.includes(one));
  }
  return ordered;
}

async function rowsOf(name: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
  return rows.map(({ row }) => row);
}

/** Phones of the lab that are set up, each with its key. */
function phones(from: string): LandedPhone[] {
  const folder = path.join(from, 'lab', 'phones');
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
    .filter(({ phone }) => phone.agent?.keyid)
    .map(({ key, phone: { agent, bootCount, elapsedMs } }) => ({
      key,
      keyid: agent.keyid,
      device_id: agent.deviceId,
      revision: agent.revision,
      lease_seq: agent.lease?.seq ?? 0,
      level: Math.max(agent.leaseLevel ?? 0, agent.policy?.lock.level ?? 0),
      boot_count: bootCount,
      elapsed_ms: Math.ceil(elapsedMs),
      highest_seq: agent.highestSeq,
    }));
}

const { rows } = await client.query<{ version: number; at: Date }>(
  'select max(version) as version, kist_now() as at from schema_migrations',
);
const { version, at } = rows[0]!;
const names = await tablesInOrder();
const dump: LandedDump = { commit, version, at: at.toISOString(), phones: phones(dataDir), tables: [] };
for (const name of names) dump.tables.push({ name, rows: await rowsOf(name) });
await client.end();
await server.stop();

const file = path.join(import.meta.dirname, `${String(version).padStart(4, '0')}-${commit}.json.br`);
writeFileSync(file, brotliCompressSync(JSON.stringify(dump), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }));
