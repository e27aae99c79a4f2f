import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { LANGUAGES } from '@kist/contract/codes';
import { openApiDocument } from '#server/http/openapi.ts';
import * as notices from '#server/notices/notices.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { createLog } from '#server/platform/log.ts';
import { migrate } from '#server/platform/migrate.ts';
import { dumpSchema } from '#server/platform/schema-dump.ts';
import { type Command, takesNothing, write } from './command.ts';

/** A new, empty database with every migration, gone afterwards. */
async function withFreshDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-schema-'));
  const server = await startEmbedded({ dataDir, log: createLog('warn') });
  try {
    await migrate(server.connectionConfig, path.join(import.meta.dirname, '../../migrations'));
    const client = new pg.Client(server.connectionConfig);
    await client.connect();
    await work(client).finally(() => client.end());
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What the program says about itself. */
export const paperCommands: Record<string, Command> = {
  openapi: {
    usage: 'openapi',
    says: 'prints the OpenAPI 3.1 document of every call',
    async run(args) {
      takesNothing(args);
      write(JSON.stringify(openApiDocument(), null, 2));
      return true;
    },
  },
  messages: {
    usage: 'messages',
    says: 'prints every text message as operators register it, with its id',
    async run(args) {
      takesNothing(args);
      for (const language of LANGUAGES)
        for (const { id, text } of notices.registeredTexts(language)) write(`${id}\t${text}`);
      return true;
    },
  },
  schema: {
    usage: 'schema',
    says: 'prints the schema that the migrations make',
    async run(args) {
      takesNothing(args);
      await withFreshDatabase(async (client) => {
        write(await dumpSchema(client));
      });
      return true;
    },
  },
};
