import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { noteFolder } from '#server/platform/blobs-mark.ts';
import { createDiskBlobs } from '#server/platform/blobs.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import { createLog } from '#server/platform/log.ts';
import { marksOf } from '#server/platform/secret-marks.ts';
import { parseSecret } from '#server/platform/secrets.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';
import { migrationsDirectory } from '#test/template.ts';
import { programOf } from '#test/programs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kist-refused-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = () => randomBytes(32).toString('base64');
const settings = {
  KIST_MODE: 'production',
  KIST_DATA_DIR: folder,
  KIST_PUBLIC_URL: 'http://127.0.0.1:1',
  KIST_SMS_URL: 'http://127.0.0.1:1/',
  KIST_SMS_SECRET: secret(),
  KIST_AGENT_PACKAGE_URL: 'http://127.0.0.1:1/agent.apk',
  KIST_AGENT_SIGNATURE_CHECKSUM: randomBytes(32).toString('base64url'),
  KIST_SECRET_PEPPER: secret(),
  KIST_SECRET_KEY: secret(),
  KIST_AGENT_KEY: newSigningKeyPem(),
  PORT: '1',
};

beforeAll(async () => {
  const booted = await bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir: folder,
    migrationsDirectory,
    mode: 'production',
    demoSlug: DEMO_SLUG,
    secrets: () =>
      marksOf({
        pepper: parseSecret(settings.KIST_SECRET_PEPPER),
        keys: { current: 1, keys: new Map([[1, parseSecret(settings.KIST_SECRET_KEY)]]) },
        agentKey: signingKeyFromPem(settings.KIST_AGENT_KEY),
      }),
    whileOwner: (owner) => noteFolder(owner, createDiskBlobs(path.join(folder, 'blobs'))),
    log: createLog('silent'),
  });
  await booted.stop();
});

/** The server as a program of its own. */
function start(env: Record<string, string>): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [programOf('server')], {
    env: { PATH, ...env },
    timeout: 50_000,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += String(text)));
  child.stderr.on('data', (text) => (err += String(text)));
  return new Promise((resolve) => void child.on('close', (code) => resolve({ code, out, err })));
}

describe('a refused start says why in one sentence on stderr, without JSON and stack, and leaves the data folder as it was', () => {
  test.each([
    [
      'in another mode',
      { KIST_DATA_DIR: folder, KIST_MODE: 'demo', PORT: '1' },
      'This database is a production database',
    ],
    ['with another pepper', { ...settings, KIST_SECRET_PEPPER: secret() }, 'KIST_SECRET_PEPPER is another one'],
    ['with another sealing key', { ...settings, KIST_SECRET_KEY: secret() }, 'key 1 of KIST_SECRET_KEY is another one'],
    ['with another agent key', { ...settings, KIST_AGENT_KEY: newSigningKeyPem() }, 'the agent signing key'],
    [
      'on a database that is not there',
      { ...settings, DATABASE_URL: 'postgres://kist_server:x@127.0.0.1:1/kist' },
      'does not let this server in (ECONNREFUSED)',
    ],
    [
      'with another folder of pictures',
      { ...settings, KIST_BLOBS_DIR: path.join(folder, 'postgres') },
      'a folder without the mark',
    ],
    [
      'with a file as the folder of pictures',
      { ...settings, KIST_BLOBS_DIR: import.meta.filename },
      'cannot be read and written (ENOTDIR)',
    ],
    ['without a setting', { ...settings, KIST_SMS_URL: '' }, 'KIST_SMS_URL'],
    // Nobody but root may listen there, and nobody at all at an address that is not this machine's.
    ['where it cannot listen', { ...settings, HOST: '192.0.2.1' }, 'cannot listen on port 1'],
  ])('%s', { timeout: 60_000 }, async (_, env, reason) => {
    const before = readdirSync(folder);
    const { code, out, err } = await start(env);
    expect(err).toContain(reason);
    expect(err).not.toMatch(/^\{|^ +at /m);
    expect(out).not.toMatch(/"level":50/);
    expect(code).toBe(78);
    expect(readdirSync(folder)).toEqual(before);
    for (const value of Object.values(env).filter((one) => one.length > 40)) expect(err).not.toContain(value);
  });
});
