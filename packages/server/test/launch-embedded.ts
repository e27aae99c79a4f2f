import { startEmbedded } from '#server/platform/embedded/start.ts';
import { EmbeddedPostgresError } from '#server/platform/embedded/errors.ts';

/**
 * A program that uses the embedded PostgreSQL and nothing else, for tests that kill it: starts with the JSON options of
 * its first argument, tells about it in one JSON line, and stops on SIGTERM.
 */
const quiet = { info: () => undefined, warn: () => undefined };
const tell = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
try {
  const server = await startEmbedded({ ...(JSON.parse(process.argv[2] ?? '{}') as { dataDir: string }), log: quiet });
  const keepAlive = setInterval(() => undefined, 1_000);
  process.once('SIGTERM', () => {
    clearInterval(keepAlive);
    void server.stop();
  });
  tell({
    adopted: server.adopted,
    pid: server.postmasterPid,
    host: server.connectionConfig.host,
    password: server.connectionConfig.password,
    binDir: server.binDir,
  });
} catch (error) {
  tell({ reason: error instanceof EmbeddedPostgresError ? error.reason : String(error) });
}
