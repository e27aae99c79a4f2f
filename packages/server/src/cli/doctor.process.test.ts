import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { createLog } from '#server/platform/log.ts';
import { presentSecrets } from '#server/config.ts';
import { marksOf, noteMarks } from '#server/platform/secret-marks.ts';
import { newSecret } from '#server/platform/secrets.ts';
import { migrationsDirectory } from '#test/template.ts';
import { noteFolder } from '#server/platform/blobs-mark.ts';
import { createDiskBlobs } from '#server/platform/blobs.ts';
import { createS3Blobs } from '#server/platform/s3-blobs.ts';
import { s3Server } from '#test/s3-server.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { asDatabase } from '#test/server.ts';
import { examine } from './doctor.ts';
import { certificateFinding } from './doctor-network.ts';
import { parseAnswers } from './setup-answers.ts';
import { writeSettings } from './setup-env.ts';
import { applyAnswers } from './setup-organisation.ts';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'kist-doctor-'));
  chmodSync(made, process.getuid?.() === 0 ? 0o711 : 0o700);
  cleanUps.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
async function listening(greeting = ''): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(greeting)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}
const levelsOf = async (environment: Record<string, string>) =>
  Object.fromEntries((await examine(environment)).map(({ name, level }) => [name, level]));

test('when nothing is set up it says so, changes nothing and does not fail', async () => {
  const dataDir = path.join(folder(), 'data');
  const findings = await examine({ KIST_DATA_DIR: dataDir });
  expect(findings.map(({ level }) => level)).not.toContain('fail');
  expect(findings.find(({ name }) => name === 'database')?.says).toContain('none yet');
  expect(readdirSync(path.dirname(dataDir))).toEqual([]);
});

test('each problem of the settings is one line, and the rest is looked at all the same', async () => {
  const findings = await examine({ KIST_MODE: 'production', KIST_DATA_DIR: folder() });
  const failed = findings.filter(({ level }) => level === 'fail');
  expect(failed.length).toBeGreaterThan(4);
  expect(failed.map(({ says }) => says).join(' ')).toContain('KIST_SMS_URL');
  expect(findings.map(({ name }) => name)).toContain('database');
});

test(
  'a production database: in order it says so; without power, mode, stamp, clock or organisation it names each',
  { timeout: 120_000 },
  async () => {
    const dataDir = folder();
    const log = createLog('silent');
    const boot = () =>
      bootDatabase({
        connection: undefined,
        ownerConnection: undefined,
        dataDir,
        migrationsDirectory,
        mode: 'production',
        demoSlug: DEMO_SLUG,
        log,
      });
    const booted = await boot();
    cleanUps.push(booted.stop);
    const smsPort = await listening();
    const answers = parseAnswers({
      organisation: { org_id: 21, slug: 'asha', name: 'Asha Mobiles' },
      retailers: [{ mobile: '9000000101', first_name: 'Asha', shop_name: 'Asha Mobiles' }],
      plans: [{ plan_id: 1, plan_type: 'DPC', name: 'EMI' }],
      server: { public_url: 'http://127.0.0.1:9', port: 1, sms_url: `http://127.0.0.1:${smsPort}/` },
    });
    writeSettings({}, dataDir, answers, false);
    const environment = {
      KIST_DATA_DIR: dataDir,
      KIST_SMS_SECRET: 'a gateway of this test, 16 and more',
      KIST_AGENT_PACKAGE_URL: 'http://127.0.0.1:9/agent.apk',
      KIST_AGENT_SIGNATURE_CHECKSUM: 'jYZYDhvOn2w5Ia2nFD1wPN5n1FpTXPZ9cwdbCqcYaLk',
    };

    const missing = await examine(environment);
    expect(missing.find(({ name }) => name === 'organisation')).toMatchObject({ level: 'fail' });

    await booted.openOperator().transaction(21, (tx) => applyAnswers(tx, answers));
    expect(await levelsOf(environment)).toMatchObject({
      settings: 'ok',
      database: 'ok',
      accounts: 'ok',
      mode: 'ok',
      migrations: 'ok',
      durability: 'ok',
      clocks: 'ok',
      'product clock': 'ok',
      messages: 'ok',
      // A retailer and a plan, and no key to sell with.
      'organisation 21': 'warn',
      'pictures 21': 'ok',
      pictures: 'warn',
      'SMS gateway': 'ok',
      'mail server': 'warn',
      'public address': 'warn',
      server: 'warn',
    });

    const mailOf = async (greeting: string) =>
      (
        await levelsOf({
          ...environment,
          KIST_SMTP_URL: `smtp://127.0.0.1:${await listening(greeting)}`,
          KIST_MAIL_FROM: 'kist@asha.example',
        })
      )['mail server'];
    expect([await mailOf('220 mail.asha.example ESMTP\r\n'), await mailOf('554 go away\r\n')]).toEqual(['ok', 'fail']);

    const noted = marksOf(presentSecrets(environment));
    expect(await levelsOf(environment)).toMatchObject({ secrets: 'warn' });
    await booted.openOperator().unscoped((tx) => noteMarks(tx, noted));
    expect(await levelsOf(environment)).toMatchObject({ secrets: 'ok' });
    const others = await examine({ ...environment, KIST_SECRET_PEPPER: newSecret() });
    expect(others.find(({ name }) => name === 'secrets')).toMatchObject({
      level: 'fail',
      says: expect.stringContaining('KIST_SECRET_PEPPER is another one'),
    });

    const embedded = await startEmbedded({ dataDir: path.join(dataDir, 'postgres'), log });
    cleanUps.push(embedded.stop);
    await asDatabase(embedded.connectionConfig, (owner) =>
      noteFolder(owner, createDiskBlobs(path.join(dataDir, 'blobs'))),
    );
    const picturesIn = async (more: Record<string, string>) =>
      (await levelsOf({ ...environment, ...more }))['pictures'];
    expect([await picturesIn({}), await picturesIn({ KIST_BLOBS_DIR: folder() })]).toEqual(['ok', 'fail']);
    const { settings: s3 } = await s3Server();
    const inBucket = {
      KIST_S3_ENDPOINT: s3.endpoint,
      KIST_S3_BUCKET: s3.bucket,
      KIST_S3_ACCESS_KEY_ID: s3.accessKeyId,
      KIST_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
    expect(await picturesIn(inBucket)).toBe('fail');
    const mark = await createDiskBlobs(path.join(dataDir, 'blobs')).get('documents/mark');
    await createS3Blobs(s3).put('documents/mark', mark!);
    expect(await picturesIn(inBucket)).toBe('ok');
    await asDatabase(embedded.connectionConfig, (owner) =>
      owner.query(`insert into vendor_budgets (org_id, vendor, left_over, filled_at, refused_since, refused_why)
        values (21, 'guard', 1, now(), now(), 'INVALID_CLIENT')`),
    );
    const told = (await examine(environment)).find(({ name }) => name === 'account 21');
    expect(told).toMatchObject({ level: 'fail', says: expect.stringContaining('INVALID_CLIENT') });
    await asDatabase(embedded.connectionConfig, async (owner) => {
      await owner.query(`update clock_offset set shift = '1 day'`);
      await owner.query('grant pg_read_server_files to kist_server');
      await owner.query(`update installation set mode = 'demo'`);
      await owner.query('delete from schema_migrations where version = (select max(version) from schema_migrations)');
    });
    expect(await levelsOf({ ...environment, KIST_SMS_URL: 'http://127.0.0.1:9/' })).toMatchObject({
      accounts: 'fail',
      mode: 'fail',
      migrations: 'fail',
      'product clock': 'fail',
      'SMS gateway': 'fail',
    });
  },
);

test('a database that does not start is one line that names the log of PostgreSQL, which is there', async () => {
  const dataDir = folder();
  const booted = await bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory,
    mode: 'production',
    demoSlug: DEMO_SLUG,
    log: createLog('silent'),
  });
  await booted.stop();
  writeFileSync(path.join(dataDir, 'postgres/cluster/PG_VERSION'), '9\n');
  const finding = (await examine({ KIST_DATA_DIR: dataDir, KIST_MODE: 'production' })).find(
    ({ name }) => name === 'database',
  );
  expect(finding?.level).toBe('fail');
  const [, file = ''] = /^See (.+)\.$/.exec(finding?.todo ?? '') ?? [];
  expect(statSync(file).size).toBeGreaterThan(0);
});

test('a file of settings that others can read fails', async () => {
  const dataDir = folder();
  writeFileSync(path.join(dataDir, 'kist.env'), 'KIST_MODE=production\n', { mode: 0o644 });
  const findings = await examine({ KIST_DATA_DIR: dataDir });
  expect(findings.some(({ level, says }) => level === 'fail' && says.includes('chmod 600'))).toBe(true);
});

test.each([
  [{ validTo: 'Jan 1 00:00:00 2030 GMT', isTrusted: true, problem: '' }, 'ok'],
  [{ validTo: 'Jan 20 00:00:00 2027 GMT', isTrusted: true, problem: '' }, 'ok'],
  [{ validTo: 'Jan 10 00:00:00 2027 GMT', isTrusted: true, problem: '' }, 'warn'],
  [{ validTo: 'Dec 10 00:00:00 2026 GMT', isTrusted: true, problem: '' }, 'fail'],
  [{ validTo: 'Jan 1 00:00:00 2030 GMT', isTrusted: false, problem: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'fail'],
] as const)('a certificate %j is %s', (certificate, level) => {
  expect(certificateFinding('emi.example.in', certificate, Date.parse('2027-01-01')).level).toBe(level);
});
