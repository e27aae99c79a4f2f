import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { audit } from '#server/audit/audit.ts';
import { composeServices } from '#server/compose.ts';
import { type Config, loadConfig } from '#server/config.ts';
import { openApiDocument } from '#server/http/openapi.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { type BootedDatabase, bootDatabase } from '#server/platform/boot.ts';
import { createLog, type Log } from '#server/platform/log.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { migrate } from '#server/platform/migrate.ts';
import { dumpSchema } from '#server/platform/schema-dump.ts';
import { unlockFleet } from '#server/locking/fleet.ts';

const write = (text: string) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

interface Command {
  usage: string;
  says: string;
  /** @returns false when what it looked at is not in order: the process ends with 1. */
  run(args: readonly string[]): Promise<boolean>;
}

/** The data of `npm start` (or DATABASE_URL), migrated and checked, for as long as `work` takes. */
async function withDatabase(
  work: (booted: BootedDatabase & { config: Config; log: Log }) => Promise<boolean>,
): Promise<boolean> {
  const config = loadConfig(process.env);
  const log = createLog('warn');
  const booted = await bootDatabase({
    connection: config.database,
    ownerConnection: config.ownerDatabase,
    dataDir: config.dataDir,
    migrationsDirectory: config.migrationsDirectory,
    mode: config.mode,
    log,
  });
  try {
    return await work({ ...booted, config, log });
  } finally {
    await booted.stop();
  }
}

/** A new, empty database with every migration, gone afterwards. */
async function withFreshDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-schema-'));
  const server = await startEmbedded({ dataDir, log: createLog('warn') });
  try {
    await migrate(server.connectionConfig, path.join(import.meta.dirname, '../migrations'));
    const client = new pg.Client(server.connectionConfig);
    await client.connect();
    await work(client).finally(() => void client.end());
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const orgOf = (text: string | undefined): number => {
  const orgId = Number(text);
  if (!Number.isInteger(orgId) || orgId <= 0) throw new Error('the first argument is the organisation id, e.g. 20');
  return orgId;
};

const COMMANDS: Record<string, Command> = {
  openapi: {
    usage: 'openapi',
    says: 'prints the OpenAPI 3.1 document of every call',
    async run() {
      write(JSON.stringify(await openApiDocument(), null, 2));
      return true;
    },
  },
  schema: {
    usage: 'schema',
    says: 'prints the schema that the migrations make',
    async run() {
      await withFreshDatabase(async (client) => {
        write(await dumpSchema(client));
      });
      return true;
    },
  },
  books: {
    usage: 'books ORG',
    says: 'trial balance, schedule against ledger, wallet against ledger; ends with 1 when anything differs',
    run: ([org]) =>
      withDatabase(async ({ database }) => {
        const { rows, isBalanced, differences } = await database.read(orgOf(org), (tx) => checkBooks(tx));
        for (const row of rows)
          write(
            `${row.code.padEnd(24)} ${row.unit.padEnd(8)} ${String(row.debit).padStart(16)} ${String(row.credit).padStart(16)}`,
          );
        for (const difference of differences) write(`DIFFERENCE ${difference}`);
        write(isBalanced ? 'The books balance.' : 'The books do NOT balance.');
        return isBalanced;
      }),
  },
  'verify-audit': {
    usage: 'verify-audit ORG KIND ID',
    says: 'recomputes one history (agreement, device, customer, user) and names the first line that does not fit',
    run: ([org, kind, id]) =>
      withDatabase(async ({ database }) => {
        const answer = await database.read(orgOf(org), (tx) =>
          audit.verify(tx, kind as Parameters<typeof audit.verify>[1], id ?? ''),
        );
        write(answer.ok ? 'Every line fits.' : `Line ${answer.badSeq} does not fit.`);
        return answer.ok;
      }),
  },
  'unlock-fleet': {
    usage: 'unlock-fleet ORG --yes',
    says: 'frees every phone of an organisation at once; needs the database and nothing else',
    run: ([org, yes]) =>
      withDatabase(async ({ database, config, log }) => {
        if (yes !== '--yes') throw new Error('this frees every phone of the organisation held for money; say --yes');
        const { lockingDeps, waker } = composeServices({ db: database, config, log });
        const count = await database.transaction(orgOf(org), (tx) => unlockFleet(tx, lockingDeps));
        await waker.close();
        write(`${count} phones are told to be free; those that listen hear it now, the others at their next contact.`);
        return true;
      }),
  },
};

function usage(): string {
  return [
    'kist COMMAND',
    '',
    ...Object.values(COMMANDS).map((command) => `  ${command.usage.padEnd(28)} ${command.says}`),
  ].join('\n');
}

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS[name ?? ''];
if (!command) {
  write(usage());
  process.exitCode = name === undefined || name === 'help' ? 0 : 2;
} else {
  try {
    process.exitCode = (await command.run(args)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
