import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Client } from 'pg';

/** A phone of the demo's lab, with the key that it signs by. */
export interface LandedPhone {
  key: string;
  keyid: string;
  device_id: string;
  revision: number;
  lease_seq: number;
  level: number;
  boot_count: number;
  elapsed_ms: number;
  highest_seq: number;
}

/** What a landed build had in its database after its demo year; `write.ts` makes one. */
export interface LandedDump {
  commit: string;
  /** The newest migration of that build. */
  version: number;
  /** Its clock when it was stopped. */
  at: string;
  phones: LandedPhone[];
  /** What a table refers to stands before it. A row is written as PostgreSQL writes one of its type. */
  tables: { name: string; rows: string[] }[];
}

/** Every kept dump, `NNNN-commit.json.br` for the newest migration that its build had. */
export const dumps = (): string[] => readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json.br'));

export const readDump = (name: string): LandedDump =>
  JSON.parse(brotliDecompressSync(readFileSync(path.join(import.meta.dirname, name))).toString()) as LandedDump;

/** Puts the rows of a dump in the place of whatever the migrations up to its own left in the tables. */
export async function load(client: Client, { tables }: LandedDump): Promise<void> {
  await seeingAll(client, async () => {
    const names = tables.map(({ name }) => name);
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${names.join()}`);
    for (const { name, rows } of tables)
      await client.query(
        `insert into ${name} select (t.r).* from (select u::${name} as r from unnest($1::text[]) u offset 0) t`,
        [rows],
      );
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  });
}

/** Runs `work` in a transaction in which row-level security does not bind the owner. */
export async function seeingAll<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  );
  const all = (what: 'force' | 'no force') =>
    rows.map(({ name }) => `alter table ${name} ${what} row level security`).join(';');
  await client.query(all('no force'));
  const result = await work();
  await client.query(`set constraints all immediate; ${all('force')}`);
  await client.query('commit');
  return result;
}
