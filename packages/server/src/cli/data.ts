import { type DataSettings, loadDataSettings } from '#server/config.ts';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { type BootOptions, type BootedDatabase, bootDatabase } from '#server/platform/boot.ts';
import type { Operator } from '#server/platform/database.ts';
import { createLog, type Log } from '#server/platform/log.ts';

export interface OpenData extends BootedDatabase {
  settings: DataSettings;
  log: Log;
}

/** The data of `npm start` (or DATABASE_URL), migrated and checked, for as long as `work` takes. */
export async function withData<T>(
  work: (data: OpenData) => Promise<T>,
  settings: DataSettings = loadDataSettings(process.env),
  secrets?: BootOptions['secrets'],
): Promise<T> {
  // A connection that ends with the database is no news for somebody at a terminal.
  const log = createLog('error');
  const booted = await bootDatabase({
    connection: settings.database,
    ownerConnection: settings.ownerDatabase,
    dataDir: settings.dataDir,
    migrationsDirectory: settings.migrationsDirectory,
    mode: settings.mode,
    demoSlug: DEMO_SLUG,
    ...(secrets && { secrets }),
    log,
  });
  try {
    return await work({ ...booted, settings, log });
  } finally {
    await booted.stop();
  }
}

/** The same, as whoever runs the installation: the directory of organisations too. */
export const withOperator = <T>(
  work: (operator: Operator, data: OpenData) => Promise<T>,
  settings?: DataSettings,
  secrets?: BootOptions['secrets'],
): Promise<T> => withData((data) => work(data.openOperator(), data), settings, secrets);
