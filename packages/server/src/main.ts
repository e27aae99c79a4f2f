import { writeSync } from 'node:fs';
import { composeServices } from '#server/compose.ts';
import { type Config, type LoadedSettings, loadSettings } from '#server/config.ts';
import { ensureDemoShop } from '#server/demo/demo.ts';
import { clearUnfinishedShop } from '#server/demo/unfinished-shop.ts';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { createStartingServer } from '#server/http/starting-server.ts';
import { PicturesAwayError, assertFolder, createFolderCheck, noteFolder } from '#server/platform/blobs-mark.ts';
import { createBlobs } from '#server/platform/kept-files.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { createLog, type Log } from '#server/platform/log.ts';
import { OperatorError } from '#server/platform/operator-error.ts';
import { marksOf } from '#server/platform/secret-marks.ts';
import { createHttp } from '#server/serve.ts';
import { createShutdown, type Shutdown } from '#server/shutdown.ts';
import { startWork } from '#server/work.ts';

/** Replaced by the bundler; a server that runs from its sources was built when it started. */
const builtAt = process.env['KIST_BUILT_AT'] ?? new Date().toISOString();

/** How a start ends that whoever runs the installation has to put right (EX_CONFIG of sysexits). scripts/start.mjs knows it. */
const REFUSED = 78;

/** No address, nobody there, nobody answers; an account, a password or a name of a database that is not known. */
const NO_WAY_IN = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|28...|3D000)$/;

/** Starts whatever the role asks for, in the order in which each part needs the one before, so that `shutdown` can stop it the other way round. */
async function start({ settings, readSecrets }: LoadedSettings, log: Log, shutdown: Shutdown): Promise<void> {
  const blobs = createBlobs(settings);
  const booted = await bootDatabase({
    connection: settings.database,
    ownerConnection: settings.ownerDatabase,
    dataDir: settings.dataDir,
    migrationsDirectory: settings.migrationsDirectory,
    mode: settings.mode,
    demoSlug: DEMO_SLUG,
    secrets: (mayMake) => marksOf(readSecrets(mayMake)),
    whileOwner: async (owner) => {
      if (settings.mode === 'demo') await clearUnfinishedShop(owner);
      await noteFolder(owner, blobs);
    },
    log,
  });
  await shutdown.add(booted.stop);
  await assertFolder(booted.database.appPool, blobs).catch((error: unknown) => {
    // Phones are unlocked and money is taken without pictures.
    if (!(error instanceof PicturesAwayError)) throw error;
    log.error({ err: error }, 'the pictures are away: none open and none are taken until they answer');
  });
  const config: Config = { ...settings, ...readSecrets(false) };
  const operator = config.mode === 'demo' ? booted.openOperator() : undefined;
  const services = composeServices({ db: booted.database, config, log });
  const { db } = services;
  await shutdown.add(() => services.waker.close());
  if (operator) {
    const startingServer = createStartingServer(config);
    await shutdown.add(() => startingServer.close().catch(() => undefined));
    const onProgress = config.role === 'worker' ? () => undefined : startingServer.show;
    await ensureDemoShop({ db, operator, services, log, onProgress });
    await startingServer.close();
  }
  const work = startWork({ db, operator, services, config, log });
  await shutdown.add(work.stop);
  if (config.role !== 'worker') {
    const readiness = { database: () => db.ping(), pictures: createFolderCheck(db.appPool, blobs) };
    const http = await createHttp({ config, db, services, log, readiness, clock: work.clock, builtAt });
    await shutdown.add(http.stop);
    await http.app.fastify.listen({ host: config.host, port: config.port });
    log.info({ port: config.port, mode: config.mode, role: config.role }, 'listening');
  }
}

async function main(): Promise<void> {
  const shutdown = createShutdown();
  let starting: Promise<void> | undefined;
  let isStopping = false;
  const log = createLog((process.env['KIST_LOG_LEVEL'] as 'info' | undefined) ?? 'info');
  const end = async (code: number, lastWords?: string) => {
    if (isStopping) return;
    isStopping = true;
    await shutdown.run().catch((error: unknown) => log.error({ err: error }, 'a part did not stop as it should'));
    // A start that is under way runs into what was stopped under it, and stops what it was about to add.
    await starting?.catch(() => undefined);
    if (lastWords !== undefined) writeSync(2, `${lastWords}\n`);
    process.exit(code);
  };
  /** The reason stands last, in plain words, for who started it; what nobody there can put right stands in the log with all that is known. */
  const refuse = async (error: unknown) => {
    const sentence = sentenceOf(error);
    if (sentence === undefined) log.error({ err: error }, 'the server could not start');
    await end(sentence === undefined ? 1 : REFUSED, sentence);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  // Node's own last words would print the error with all it carries: PostgreSQL's quote rows.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'an error that nobody caught');
    void end(1);
  });
  process.on('unhandledRejection', (error) => {
    if (isStopping) return;
    log.error({ err: error }, 'a rejected promise that nobody caught');
    void end(1);
  });
  try {
    starting = start(loadSettings(process.env), log, shutdown);
    await starting;
  } catch (error) {
    if (isStopping) return;
    await refuse(error);
  }
}

/** What whoever started this can put right; undefined for everything else. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  const { syscall, code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen')
    return `The server cannot listen on port ${port} (${code}). Stop what runs there, or choose another: PORT and HOST.`;
  if (!NO_WAY_IN.test(code ?? '')) return undefined;
  return `The database does not let this server in (${code}). Check that it runs, and DATABASE_URL and KIST_OWNER_URL: address, account, password, name.`;
}

void main();
