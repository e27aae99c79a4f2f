import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { type Connection, connect } from '#bench/lib/client.ts';
import { asOwner, socketOf } from '#bench/lib/database.ts';
import { servicesOf } from '#bench/lib/house.ts';
import { type RunningServer, type ServerOptions, freePort, startServer } from '#bench/lib/server.ts';
import { inRoot } from '#scripts/lib/root.mjs';
import { bootDatabase, createLog, openDatabase, openOperator } from '@kist/server/measured';
import { openGateway } from '#sim/kill/gateway.ts';

/** The real server with its own PostgreSQL, whose clock the proof may move. */
export interface House {
  dataDir: string;
  options: ServerOptions;
  server: RunningServer;
  connection: Connection;
  owner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The product's services in this process, as the account that serves: what no request asks for. */
  services: ReturnType<typeof servicesOf>;
  /** Whoever runs the installation: who grants keys. */
  operator: ReturnType<typeof openOperator>;
  close(): Promise<void>;
}

/** A house with one organisation in it is nobody's demo: the server starts as it is, and its clock can be moved. */
const FIRST_ORG = 40;

export async function openHouse(): Promise<House> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-proof-'));
  const gateway = await openGateway();
  const booted = await bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory: inRoot('packages', 'server', 'migrations'),
    mode: 'demo',
    demoSlug: 'demo',
    log: createLog('error'),
  });
  await asOwner(dataDir, async (client) => {
    await client.query(`insert into org_directory (org_id, slug, name) values ($1, 'nobody', 'Nobody')`, [FIRST_ORG]);
    await client.query(`insert into organisations (org_id, org_name, company_name) values ($1, 'Nobody', 'Nobody')`, [
      FIRST_ORG,
    ]);
  });
  await booted.stop();
  const options: ServerOptions = {
    dataDir,
    port: await freePort(),
    mode: 'demo',
    env: { KIST_LOG_LEVEL: 'error', KIST_SMS_URL: gateway.url, KIST_SMS_SECRET: 'a gateway of this proof' },
  };
  const server = await startServer(options);
  const connection = connect(options.port, 80);
  const database = openDatabase({
    connection: accountOf(dataDir, 'kist_server'),
    onIdleError: () => undefined,
    appConnections: 4,
  });
  const services = servicesOf(database);
  const operator = openOperator({ connection: accountOf(dataDir, 'kist_operator'), onIdleError: () => undefined });
  const house: House = {
    dataDir,
    options,
    server,
    connection,
    owner: (work) => asOwner(dataDir, work),
    services,
    operator,
    close: async () => {
      connection.close();
      await services.waker.close().catch(() => undefined);
      await database.close().catch(() => undefined);
      await operator.close().catch(() => undefined);
      await house.server.stop();
      gateway.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return house;
}

const accountOf = (dataDir: string, user: 'kist_server' | 'kist_operator') => ({
  ...socketOf(dataDir),
  user,
  password: readFileSync(path.join(dataDir, 'postgres', `password-${user}`), 'utf8').trim(),
});

/** Days pass, for everybody. */
export const passDays = (house: House, days: number): Promise<unknown> =>
  house.owner((client) => client.query('update clock_offset set shift = shift + make_interval(days => $1)', [days]));
