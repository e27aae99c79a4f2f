import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type DataSettings, loadDataSettings } from '#server/config.ts';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { OperatorMissingError } from '#server/platform/boot.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { eraseDemo } from '#server/platform/erase-organisation.ts';
import { assertMode } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import { asOwner } from '#server/platform/migrate.ts';
import { MARK_KEY, assertOwnFolder } from '#server/platform/blobs-mark.ts';
import { createBlobs, emptyBlobs } from '#server/platform/kept-files.ts';
import { type Command, RefusedError, UsageError, write } from './command.ts';

const OPTIONS = { yes: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const;
const USAGE = 'demo reset --yes [--json]';

/** Nobody who serves is asked: a database in which `npm start` works is still served. */
async function whileOwner<T>(settings: DataSettings, work: (owner: ConnectionConfig) => Promise<T>): Promise<T> {
  if (settings.database !== undefined) {
    if (settings.ownerDatabase === undefined) throw new OperatorMissingError();
    return work(settings.ownerDatabase);
  }
  const embedded = await startEmbedded({ dataDir: path.join(settings.dataDir, 'postgres'), log: createLog('error') });
  try {
    return await work(embedded.connectionConfig);
  } finally {
    await embedded.stop();
  }
}

/** @throws RefusedError, ModeMismatchError for whatever is no demo, FolderMismatchError for pictures of another one; nothing is touched then */
async function reset(settings: DataSettings): Promise<number> {
  if (settings.mode !== 'demo')
    throw new RefusedError('KIST_MODE is production: only a demo is emptied. Nothing was changed.');
  if (settings.database === undefined && !existsSync(path.join(settings.dataDir, 'postgres', 'cluster'))) return 0;
  const blobs = createBlobs(settings);
  const organisations = await whileOwner(settings, (owner) =>
    asOwner(owner, async (client) => {
      await assertMode(client, 'demo', DEMO_SLUG);
      await assertOwnFolder(client, blobs);
      return eraseDemo(client);
    }),
  );
  // Pictures whose rows are gone, and simulated phones that nothing here knows any more. The mark of the folder stays with the database that noted it.
  if (settings.s3) await emptyBlobs(blobs, 'documents', [MARK_KEY]);
  else emptyFolder(path.join(settings.blobsDir, 'documents'));
  rmSync(path.join(settings.dataDir, 'lab'), { recursive: true, force: true });
  return organisations;
}

/** The folder of each organisation goes, with what lies in it. */
function emptyFolder(pictures: string): void {
  const found = existsSync(pictures) ? readdirSync(pictures, { withFileTypes: true }) : [];
  for (const folder of found.filter((one) => one.isDirectory()))
    rmSync(path.join(pictures, folder.name), { recursive: true, force: true });
}

/** What a demo alone allows. */
export const demoCommands: Record<string, Command> = {
  demo: {
    usage: USAGE,
    says: 'empties a demo that is not being served: the next npm start makes its shop anew. Refuses production',
    async run([verb, ...args]) {
      if (verb !== 'reset') throw new UsageError(`kist ${USAGE}`);
      const { values } = parseArgs({ args, options: OPTIONS });
      if (!values.yes) throw new UsageError(`Everything of the demo goes. Say it with --yes: kist ${USAGE}`);
      const organisations = await reset(loadDataSettings(process.env));
      const next = 'npm start makes a new demo, today as its last day.';
      write(
        values.json
          ? JSON.stringify({ organisations })
          : `${organisations === 0 ? 'There was no demo' : `${organisations} organisations of the demo are gone`}: ${next}`,
      );
      return true;
    },
  },
};
