import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import * as commands from '#server/commands/commands.ts';
import type { DataSettings } from '#server/config.ts';
import * as documents from '#server/documents/documents.ts';
import { invariantStates } from '#server/locking/invariants.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { SERVER_LOGIN, assertMayServe, assertPowerless } from '#server/platform/accounts.ts';
import { assertFolder } from '#server/platform/blobs-mark.ts';
import { createBlobs } from '#server/platform/kept-files.ts';
import { assertRealClock, clockOffsetSeconds, databaseTimeMs } from '#server/platform/clock.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { createSealer } from '#server/platform/crypto.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { assertDurable } from '#server/platform/durability.ts';
import { layoutOf } from '#server/platform/embedded/cluster.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { assertMode } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import { assertMigrated } from '#server/platform/migrate.ts';
import { outboxDepth } from '#server/platform/outbox-depth.ts';
import { type Secrets, assertSameSecrets, marksOf, notedMarks } from '#server/platform/secret-marks.ts';
import * as reports from '#server/reports/reports.ts';
import { checked, fail, type Finding, ok, reasonOf, warn } from './findings.ts';

/** A phone's signed contact is refused when its clock and the server's are five minutes apart; the database's counts as well. */
const tolerableSkewMs = 2000;
const longestWaitS = 600;
const setUp = 'Run "kist setup".';

/** What the settings say the database should be. */
interface Expected extends DataSettings {
  secrets: Partial<Secrets>;
}

/** Looks at the database and changes nothing: no migration, no stamp, no new cluster. */
export async function databaseFindings(data: DataSettings, given: Partial<Secrets>): Promise<Finding[]> {
  const settings = { ...data, secrets: given };
  const { database, ownerDatabase, dataDir } = settings;
  if (database) return [...(await lookAt(database, settings)), ...(ownerDatabase ? [await owner(ownerDatabase)] : [])];
  const folder = path.join(dataDir, 'postgres');
  if (!existsSync(path.join(folder, 'cluster')))
    return [warn('database', `there is none yet in ${dataDir}.`, `${setUp} It makes one, or set DATABASE_URL.`)];
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: createLog('silent') });
    try {
      return await lookAt(embedded.login(SERVER_LOGIN), settings);
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    return [fail('database', reasonOf(error), `See ${layoutOf(folder).log}.`)];
  }
}

async function lookAt(connection: ConnectionConfig, settings: Expected): Promise<Finding[]> {
  const reached = await checked(
    'database',
    'Check DATABASE_URL and the PostgreSQL server, or start once so that it is prepared.',
    async () => {
      await assertMayServe(connection);
      return ok('database', 'answers, and the server may log in.');
    },
  );
  if (reached.level !== 'ok') return [reached];
  const db = openDatabase({ connection, onIdleError: () => undefined, appConnections: 2, deviceConnections: 1 });
  try {
    const checks = [accounts, mode, secrets, migrations, durability, clocks, productClock, messages];
    const findings = [reached];
    for (const check of checks) findings.push(await check(db, settings));
    const isCurrent = findings.every(({ name, level }) => name !== 'migrations' || level === 'ok');
    if (!isCurrent) return findings;
    return [...findings, await folder(db, settings), ...(await organisationFindings(db, settings))];
  } finally {
    await db.close();
  }
}

const owner = (connection: ConnectionConfig): Promise<Finding> =>
  checked('owner account', 'Check KIST_OWNER_URL; migrations need it.', async () => {
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
    return ok('owner account', 'logs in; it is used for migrations only.');
  });

type Check = (db: Database, settings: Expected) => Promise<Finding>;

const accounts: Check = (db) =>
  checked('accounts', 'Give the server an account that owns nothing and can become nobody.', async () => {
    await assertPowerless(db.appPool);
    return ok('accounts', 'the server’s account is no superuser, owns nothing and can become neither.');
  });

const mode: Check = (db, settings) =>
  checked('mode', 'Point at the other database, or set KIST_MODE to what this one is.', async () => {
    await assertMode(db.appPool, settings.mode, organisations.DEMO_SLUG);
    return ok('mode', `this is a ${settings.mode} database.`);
  });

const secrets: Check = (db, { secrets: given }) =>
  checked(
    'secrets',
    'Nothing can be read or signed with others: put them back before anything is started.',
    async () => {
      const noted = await notedMarks(db.appPool);
      assertSameSecrets(noted, marksOf(given));
      if (noted.length === 0)
        return warn(
          'secrets',
          'the database does not know them yet.',
          'The next start tells it by which to know them.',
        );
      return ok('secrets', 'are those that this database was made with.');
    },
  );

const migrations: Check = (db, { migrationsDirectory }) =>
  checked('migrations', 'Start the server once with the owner’s account: it migrates.', async () => {
    await assertMigrated(db.appPool, migrationsDirectory);
    return ok('migrations', 'none is pending.');
  });

const durability: Check = (db) =>
  checked('durability', 'Turn it on: server, database and role settings.', async () => {
    await assertDurable(db);
    return ok('durability', 'fsync, full_page_writes and synchronous_commit are on.');
  });

const clocks: Check = (db) =>
  checked('clocks', 'Run a time service (NTP) on both machines.', async () => {
    const askedMs = Date.now();
    const databaseMs = await databaseTimeMs(db.appPool);
    const skewMs = Math.round(Math.abs(databaseMs - (askedMs + Date.now()) / 2));
    return skewMs <= tolerableSkewMs
      ? ok('clocks', `database and this machine differ by ${skewMs} ms.`)
      : fail(
          'clocks',
          `database and this machine differ by ${(skewMs / 1000).toFixed(1)} s.`,
          'Run a time service (NTP) on both machines.',
        );
  });

const productClock: Check = (db, settings) =>
  checked('product clock', 'Set clock_offset.shift to 0 as kist_operator.', () =>
    db.unscoped(async (tx) => {
      if (settings.mode === 'production') await assertRealClock(tx);
      const days = (await clockOffsetSeconds(tx)) / 86_400;
      return ok(
        'product clock',
        days === 0 ? 'shows the real time.' : `is ${days.toFixed(1)} days ahead, as a demo’s may be.`,
      );
    }),
  );

const messages: Check = (db) =>
  checked('messages', 'See the log of the server.', async () => {
    const { waiting, oldestS } = await outboxDepth(db.devicePool);
    return oldestS <= longestWaitS
      ? ok('messages', `${waiting} wait to be sent.`)
      : warn(
          'messages',
          `${waiting} wait, the oldest for ${Math.round(oldestS / 60)} minutes.`,
          'Is the server running, and does the gateway take messages?',
        );
  });

const folder: Check = (db, settings) => {
  const blobs = createBlobs(settings);
  const { setting, kind, at } = blobs.place;
  return checked('pictures', `Set ${setting} to the ${kind} that every process of this installation uses.`, async () =>
    (await assertFolder(db.appPool, blobs))
      ? ok('pictures', `lie in ${at}, which is the ${kind} of this database.`)
      : warn(
          'pictures',
          `the database does not know their ${kind} yet.`,
          'The next start tells it by which to know it.',
        ),
  );
};

async function organisationFindings(db: Database, settings: Expected): Promise<Finding[]> {
  const { defaultOrgId } = settings;
  const all = await db.unscoped(organisations.list);
  const missing = all.some(({ org_id }) => org_id === defaultOrgId)
    ? []
    : [fail('organisation', `organisation ${defaultOrgId}, which KIST_DEFAULT_ORG names, does not exist.`, setUp)];
  const states = all.map(async ({ org_id, slug }) => [
    sellingFinding(org_id, slug, await db.read(org_id, reports.sellingState)),
    await invariantFinding(db, org_id),
    ...(await accountFindings(db, org_id)),
    ...(await pictureFinding(db, org_id, settings)),
  ]);
  return [...missing, ...(await Promise.all(states)).flat()];
}

/** What must always hold, by the last nightly look; one that did not run is as bad as one that found something. */
const invariantFinding = (db: Database, orgId: number): Promise<Finding> => {
  const name = `invariants ${orgId}`;
  const todo = `Run "kist check invariants ${orgId}" and look at what it names.`;
  return checked(name, todo, async () => {
    const red = (await db.read(orgId, invariantStates)).filter(({ state }) => state !== 'holds');
    if (red.length === 0) return ok(name, 'all twelve hold.');
    return fail(name, `${red.map(({ invariant, state }) => `${invariant} ${state}`).join(', ')}.`, todo);
  });
};

/** Accounts at vendors that hold phones for this organisation. */
async function accountFindings(db: Database, orgId: number): Promise<Finding[]> {
  const refused = await db.read(orgId, commands.refusedAccounts);
  return refused.map(({ vendor, refused_since: since, refused_why: why }) =>
    fail(
      `account ${orgId}`,
      `${vendor} refuses it since ${since.toISOString()} (${why}): none of its phones is reached.`,
      'Put its client id and secret right in the file of KIST_GUARD_FILE and restart the server.',
    ),
  );
}

/** Some of the pictures are opened: a row says that one is there, and only its bytes that it is. */
async function pictureFinding(db: Database, orgId: number, settings: Expected): Promise<Finding[]> {
  const { secrets: given } = settings;
  if (!given.keys) return [];
  const blobs = createBlobs(settings);
  const name = `pictures ${orgId}`;
  const todo = `Check ${blobs.place.setting} and KIST_SECRET_KEY, or put database and pictures back from one backup.`;
  const keeping = { sealer: createSealer(given.keys), blobs };
  return [
    await checked(name, todo, async () => {
      const { lookedAt, missing, broken } = await documents.lookAtFiles(db, orgId, keeping);
      if (missing + broken === 0) return ok(name, `${lookedAt} were opened and are what was kept.`);
      const says = `of ${lookedAt} that were looked at ${missing} have no file and ${broken} do not open or are others than were kept.`;
      return fail(name, says, todo);
    }),
  ];
}

function sellingFinding(orgId: number, slug: string, { retailers, plans, keys }: reports.SellingState): Finding {
  const name = `organisation ${orgId}`;
  const lacks = [
    retailers === 0 && 'no retailer',
    plans === 0 && 'no plan on sale',
    keys === 0 && 'no free key',
  ].filter(Boolean);
  if (lacks.length === 0)
    return ok(name, `${slug}: ${retailers} retailers, ${plans} plans on sale, ${keys} free keys.`);
  return warn(name, `${slug} has ${lacks.join(', ')}: nobody can sell there.`, setUp);
}
