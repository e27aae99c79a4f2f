import { composeServices } from '#server/compose.ts';
import { type Config, ConfigError, loadConfig } from '#server/config.ts';
import { ensureDemoShop } from '#server/demo/demo.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { createLog, type Log } from '#server/platform/log.ts';
import { createHttp } from '#server/serve.ts';
import { startWork } from '#server/work.ts';

/** Replaced by the bundler; a server that runs from its sources was built when it started. */
const builtAt = process.env['KIST_BUILT_AT'] ?? new Date().toISOString();

/** Starts whatever the role asks for, in the order in which each part needs the one before, and stops it the other way round. */
async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const booted = await bootDatabase({
      connection: config.database,
      dataDir: config.dataDir,
      migrationsDirectory: config.migrationsDirectory,
      requireRealClock: config.mode === 'production',
      log,
    });
    stops.push(booted.stop);
    const { database: db, owner } = booted;
    const services = composeServices({ db, config, log });
    stops.push(() => services.waker.close());
    if (config.mode === 'demo') await ensureDemoShop({ db, owner, services, config, log });
    const work = await startWork({ db, owner, services, config, log });
    stops.push(work.stop);
    if (config.role !== 'worker') {
      const readiness = { database: () => db.ping(), jobs: work.ready };
      const http = await createHttp({ config, db, services, log, readiness, clock: work.clock, builtAt });
      stops.push(http.stop);
      await http.app.fastify.listen({ host: config.host, port: config.port });
      log.info({ port: config.port, mode: config.mode, role: config.role }, 'listening');
    }
    return stopAll;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function main(): Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  let isStopping = false;
  const log = createLog((process.env['KIST_LOG_LEVEL'] as 'info' | undefined) ?? 'info');
  const end = async (code: number) => {
    if (isStopping) return;
    isStopping = true;
    await stop?.();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  // Node's own last words would print the error with all it carries: PostgreSQL's quote rows.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'an error was left to fall');
    void end(1);
  });
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'a promise was left to fail');
    void end(1);
  });
  try {
    stop = await start(loadConfig(process.env), log);
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else log.error({ err: error }, 'the server could not start');
    process.exit(1);
  }
}

void main();
