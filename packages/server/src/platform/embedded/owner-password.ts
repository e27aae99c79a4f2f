import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ClientConfig } from 'pg';
import { newSecret, readOrMake } from '#server/platform/secrets.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** Everybody shows a password, the owner too: who reaches the socket is not who may use it. */
const PASSWORDS_ONLY = '# Written by Kist: everybody shows a password.\nlocal all all scram-sha-256\n';
/** For the moment in which the owner's password is set; the socket's folder is closed to other accounts meanwhile. */
const OWNER_WITHOUT = 'local all postgres trust\n';
const reloadWithinMs = 5_000;
const pollMs = 15;

/** A password kept beside the cluster, in a file that only this account reads; made when missing. */
export function passwordOf(root: string, account: string): string {
  return readOrMake(path.join(root, `password-${account}`), newSecret).trim();
}

/**
 * Closes a running server to everybody without a password, and makes the owner's be the kept one: a new cluster has none, an older one asked for none, and a
 * copied one may have come without its file. Who may write the cluster's files may do this anyway. Call it under the folder's lock.
 * @throws EmbeddedPostgresError START_FAILED when the server does not take the change
 */
export async function ensureOwnerPassword(
  config: ClientConfig & { password: string },
  cluster: string,
  postmasterPid: number,
): Promise<void> {
  const rules = path.join(cluster, 'pg_hba.conf');
  const isClosed = readFileSync(rules, 'utf8') === PASSWORDS_ONLY;
  if (isClosed && (await canLogIn(config))) return;
  writeFileSync(rules, OWNER_WITHOUT);
  process.kill(postmasterPid, 'SIGHUP');
  await until(config, (client) => client.query(`alter role postgres password ${pg.escapeLiteral(config.password)}`));
  writeFileSync(rules, PASSWORDS_ONLY);
  process.kill(postmasterPid, 'SIGHUP');
  await until(config, async (client) => {
    const { rows } = await client.query(`select from pg_hba_file_rules where auth_method = 'trust'`);
    if (rows.length > 0) throw new Error('the rules are not read yet');
  });
}

async function until(config: ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + reloadWithinMs;
  for (;;) {
    try {
      await withClient(config, work);
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new EmbeddedPostgresError('START_FAILED', "The database does not take its owner's password.", error);
      await sleep(pollMs);
    }
  }
}

async function canLogIn(config: ClientConfig): Promise<boolean> {
  return withClient(config, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  );
}

async function withClient(config: ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
