import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { marksOf } from '#server/platform/secret-marks.ts';
import { newSigningKeyPem } from '#server/platform/signing-key.ts';
import { folder } from '#test/folder.ts';
import { problemsOf, production, secret } from '#test/settings.ts';
import { ConfigError, loadConfig, loadDataSettings, loadSettings } from './config.ts';

describe('demo settings', () => {
  test('need nothing: the defaults hold, secrets are made once and kept for this account only', () => {
    const dataDir = path.join(folder(), 'data');
    const first = loadConfig({ KIST_DATA_DIR: dataDir });
    expect(first).toMatchObject({
      mode: 'demo',
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      database: undefined,
      defaultOrgId: 20,
      publicUrl: 'http://localhost:3000',
      trustedProxies: [],
    });
    const second = loadConfig({ KIST_DATA_DIR: dataDir });
    expect(second.pepper).toEqual(first.pepper);
    expect(second.keys).toEqual(first.keys);
    expect(second.agentKey.keyId).toBe(first.agentKey.keyId);
    expect(first.agentKey.keyId).toMatch(/^[0-9a-f]{16}$/);
    const names = readdirSync(dataDir);
    expect(names.toSorted()).toEqual(['agent-key.pem', 'kist-secret-key', 'kist-secret-pepper']);
    for (const name of names) expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test('make secrets when they are asked to, not by being read; what is gone later is named and not made anew', () => {
    const dataDir = path.join(folder(), 'data');
    const { readSecrets } = loadSettings({ KIST_DATA_DIR: dataDir });
    expect(readdirSync(path.dirname(dataDir))).toEqual([]);
    const first = readSecrets(true);
    expect(marksOf(readSecrets(false))).toEqual(marksOf(first));
    const names = ['kist-secret-pepper', 'kist-secret-key', 'agent-key.pem'];
    for (const name of names) rmSync(path.join(dataDir, name));
    expect(() => readSecrets(false)).toThrow(ConfigError);
    for (const name of names) expect(() => readSecrets(false)).toThrow(`${name} is gone`);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('listen on this machine unless told otherwise', () => {
    expect(loadConfig({ KIST_DATA_DIR: folder(), HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  test('two shops’ secrets differ', () => {
    const [one, two] = [loadConfig({ KIST_DATA_DIR: folder() }), loadConfig({ KIST_DATA_DIR: folder() })];
    expect(one.pepper.equals(two.pepper)).toBe(false);
    expect(one.agentKey.keyId).not.toBe(two.agentKey.keyId);
  });

  test('an empty variable counts as absent', () => {
    expect(loadConfig({ KIST_DATA_DIR: folder(), PORT: '', DATABASE_URL: '', KIST_SMS_URL: '' })).toMatchObject({
      port: 3000,
      database: undefined,
    });
  });
});

describe('the file of settings', () => {
  const write = (lines: Record<string, string>, mode = 0o600) => {
    const dataDir = folder();
    const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(path.join(dataDir, 'kist.env'), text.join(''), { mode });
    chmodSync(path.join(dataDir, 'kist.env'), mode);
    return dataDir;
  };

  test('in the data folder counts, under what the environment says', () => {
    const { KIST_DATA_DIR: _, KIST_AGENT_KEY: agentKey, ...rest } = production();
    const dataDir = write({ ...rest, PORT: '3100', KIST_DEFAULT_ORG: '21' });
    expect(
      loadConfig({ KIST_DATA_DIR: dataDir, KIST_AGENT_KEY: agentKey, PORT: '3101', KIST_DEFAULT_ORG: '' }),
    ).toMatchObject({ mode: 'production', port: 3101, defaultOrgId: 21, publicUrl: 'https://emi.example.in' });
  });

  test('is refused when other accounts can read it, or when it is named and not there', () => {
    const dataDir = write({ KIST_SMS_SECRET: 'told to nobody' }, 0o644);
    const [problem, ...others] = problemsOf({ KIST_DATA_DIR: dataDir });
    expect(others).toEqual([]);
    expect(problem).toContain('chmod 600');
    expect(problem).not.toContain('told to nobody');
    expect(problemsOf({ KIST_DATA_DIR: folder(), KIST_ENV_FILE: '/nowhere/kist.env' })[0]).toContain('KIST_ENV_FILE');
  });

  test('tells the command line where the data is, before everything else is settled', () => {
    const dataDir = write({ KIST_MODE: 'production', KIST_DEFAULT_ORG: '21' });
    expect(loadDataSettings({ KIST_DATA_DIR: dataDir })).toMatchObject({
      mode: 'production',
      dataDir,
      database: undefined,
      defaultOrgId: 21,
    });
    expect(readdirSync(dataDir)).toEqual(['kist.env']);
  });
});

describe('production settings', () => {
  test('with everything given start, and write nothing into the data folder', () => {
    const environment = production({ KIST_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' });
    expect(loadConfig(environment)).toMatchObject({
      mode: 'production',
      host: '0.0.0.0',
      publicUrl: 'https://emi.example.in',
      trustedProxies: ['10.0.0.1', '10.1.0.0/16'],
    });
    expect(readdirSync(environment.KIST_DATA_DIR)).toEqual([]);
  });

  test.each(['*', 'https://shop.example.in/app', 'shop.example.in'])(
    'with %s for a page’s origin are refused in words',
    (KIST_WEB_ORIGINS) => {
      const said = [expect.stringMatching(/^KIST_WEB_ORIGINS: origins /)];
      expect(problemsOf(production({ KIST_WEB_ORIGINS }))).toEqual(said);
      expect(problemsOf(production({ KIST_WEB_ORIGINS: 'https://a.example.in, https://b.example.in' }))).toEqual([]);
    },
  );

  test.each([
    'true',
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1, 128.0.0.0/1',
    '8000::/1',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0',
    '/8',
    '10.0.0.1, everybody',
  ])('with %s for a proxy are refused in words', (KIST_TRUSTED_PROXIES) => {
    const said = [expect.stringMatching(/^KIST_TRUSTED_PROXIES: addresses and networks /)];
    expect(problemsOf(production({ KIST_TRUSTED_PROXIES }))).toEqual(said);
    expect(problemsOf(production({ KIST_TRUSTED_PROXIES: 'loopback, ::1, fc00::/7 10.0.0.1/32' }))).toEqual([]);
  });

  test('with an SMS gateway that is reached in the open are refused; on this machine it may be', () => {
    const said = [expect.stringMatching(/^KIST_SMS_URL must be https/)];
    expect(problemsOf(production({ KIST_SMS_URL: 'http://sms.example.in/messages' }))).toEqual(said);
    expect(problemsOf(production({ KIST_SMS_URL: 'http://127.0.0.1:3301/messages' }))).toEqual([]);
  });

  test('limit requests as they are meant to, whatever a load test left in the environment', () => {
    const KIST_RATE_LIMIT_FACTOR = '1000';
    expect(loadConfig({ KIST_DATA_DIR: folder(), KIST_RATE_LIMIT_FACTOR }).rateLimitFactor).toBe(1000);
    expect(loadConfig(production({ KIST_RATE_LIMIT_FACTOR })).rateLimitFactor).toBe(1);
  });

  test('without secrets are refused, naming all of them at once', () => {
    const problems = problemsOf({ KIST_MODE: 'production', KIST_DATA_DIR: folder() }).join('\n');
    for (const name of [
      'KIST_SECRET_PEPPER',
      'KIST_SECRET_KEY',
      'KIST_AGENT_KEY',
      'KIST_PUBLIC_URL',
      'KIST_SMS_URL',
      'KIST_AGENT_PACKAGE_URL',
    ])
      expect(problems).toContain(name);
  });

  test.each([
    ['short', randomBytes(31).toString('base64')],
    ['a word', 'changeme'],
    ['repetition', Buffer.alloc(32, 7).toString('base64')],
    ['a repeated word', Buffer.from('secretsecretsecretsecretsecretsecret').toString('base64')],
    ['no encoding', 'p@ssw0rd! p@ssw0rd! p@ssw0rd! p@ssw0rd!'],
  ])('with %s for a secret are refused, without repeating it', (_, value) => {
    for (const name of ['KIST_SECRET_PEPPER', 'KIST_SECRET_KEY']) {
      const problems = problemsOf(production({ [name]: value }));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(name);
      expect(problems[0]).not.toContain(value);
    }
  });

  test('take several keys, the first for sealing, and refuse two of one version', () => {
    const { keys } = loadConfig(production({ KIST_SECRET_KEY: `2:${secret()},1:${secret()}` }));
    expect(keys.current).toBe(2);
    expect([...keys.keys.keys()]).toEqual([2, 1]);
    expect(problemsOf(production({ KIST_SECRET_KEY: `1:${secret()},1:${secret()}` }))[0]).toContain('same version');
  });

  test('refuse an agent key of another kind', () => {
    expect(problemsOf(production({ KIST_AGENT_KEY: 'not a key' }))[0]).toContain('signing key');
  });

  test.each([
    ['KIST_PUBLIC_URL', 'http://emi.example.in'],
    ['KIST_PUBLIC_URL', 'http://192.168.1.20:3000'],
    ['KIST_PUBLIC_URL', 'http://127.0.0.1.example.in'],
    ['KIST_PUBLIC_URL', 'http://localhost.example.in'],
    ['KIST_WEB_ORIGINS', 'https://a.example.in, http://b.example.in'],
    ['KIST_AGENT_PACKAGE_URL', 'http://kist.example/agent.apk'],
    ['KIST_SMS_URL', ''],
    ['KIST_SMS_SECRET', ''],
    ['KIST_SMS_SECRET', 'secret'],
    ['KIST_SMS_SECRET', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['KIST_AGENT_SIGNATURE_CHECKSUM', 'A'.repeat(43)],
    ['KIST_AGENT_SIGNATURE_CHECKSUM', 'k'.repeat(43)],
    ['KIST_AGENT_SIGNATURE_CHECKSUM', Buffer.from('abcdefghabcdefghabcdefghabcdefgh').toString('base64url')],
    // 43 characters carry 258 bits: one whose last two are set is no SHA-256's.
    ['KIST_AGENT_SIGNATURE_CHECKSUM', `${createHash('sha256').update('x').digest('base64url').slice(0, 42)}B`],
  ])('with %s=%s are refused by name', (name, value) => {
    const problems = problemsOf(production({ [name]: value }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    if (value !== '') expect(problems[0]).not.toContain(value);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://shop.localhost'])(
    'may name the loopback address %s without https',
    (url) => {
      expect(problemsOf(production({ KIST_PUBLIC_URL: url, KIST_AGENT_PACKAGE_URL: `${url}/agent.apk` }))).toEqual([]);
    },
  );

  test('listen on this machine alone when nobody else could use the address, unless told otherwise', () => {
    const local = { KIST_PUBLIC_URL: 'http://127.0.0.1:3000' };
    expect(loadConfig(production(local)).host).toBe('127.0.0.1');
    expect(loadConfig(production({ ...local, HOST: '0.0.0.0' })).host).toBe('0.0.0.0');
    // A proxy on this machine or another may bring what https says.
    expect(loadConfig(production({ KIST_PUBLIC_URL: 'https://localhost' })).host).toBe('0.0.0.0');
  });

  test('refuse an agent key that other accounts can read, without its path', () => {
    const file = path.join(folder(), 'key.pem');
    writeFileSync(file, newSigningKeyPem(), { mode: 0o600 });
    const environment = { ...production(), KIST_AGENT_KEY: '', KIST_AGENT_KEY_FILE: file };
    expect(problemsOf(environment)).toEqual([]);
    for (const mode of [0o640, 0o604, 0o660, 0o644]) {
      chmodSync(file, mode);
      const problems = problemsOf(environment);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('KIST_AGENT_KEY_FILE');
      expect(problems[0]).not.toContain(file);
    }
  });

  test('never repeat a key that was put where its path belongs', () => {
    const pem = newSigningKeyPem();
    const problems = problemsOf({ ...production(), KIST_AGENT_KEY: '', KIST_AGENT_KEY_FILE: pem });
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain('BEGIN');
  });

  test('know two accounts of the database, one for migrations', () => {
    const running = 'postgres://kist_server:x@db.example/kist';
    const owner = 'postgres://kist_owner:y@db.example/kist';
    expect(loadConfig(production({ DATABASE_URL: running, KIST_OWNER_URL: owner }))).toMatchObject({
      database: { user: 'kist_server' },
      ownerDatabase: { user: 'kist_owner' },
    });
    // Where nothing has to be migrated the owner's account stays at home.
    expect(problemsOf(production({ DATABASE_URL: running }))).toEqual([]);
    expect(problemsOf(production({ KIST_OWNER_URL: owner }))[0]).toContain('DATABASE_URL is missing');
    expect(problemsOf(production({ DATABASE_URL: running, KIST_OWNER_URL: running }))[0]).toContain('same account');
  });

  test('ignore the lab', () => {
    expect(loadConfig(production({ KIST_LAB_URL: 'http://localhost:4000' })).labUrl).toBeUndefined();
  });
});

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['KIST_MODE', 'prod'],
  ['KIST_ROLE', 'everything'],
  ['DATABASE_URL', 'mysql://localhost/kist'],
  ['KIST_PUBLIC_URL', 'javascript:alert(1)'],
  ['KIST_PUBLIC_URL', 'https://emi.example.in/app'],
  ['KIST_PUBLIC_URL', 'https://somebody@emi.example.in'],
  ['KIST_PUBLIC_URL', 'https://emi.example.in?a=b'],
  ['KIST_DEFAULT_ORG', '-1'],
])('%s=%s is refused by name', (name, value) => {
  expect(problemsOf({ KIST_DATA_DIR: folder(), [name]: value })[0]).toContain(name);
});

test('what a DATABASE_URL says beyond the way to the database is left out: it cannot take the app’s role away', () => {
  const { database } = loadConfig({
    KIST_DATA_DIR: folder(),
    DATABASE_URL: 'postgresql://owner:p%40ss@db.example:5433/kist?options=-c%20role%3Dpostgres&application_name=x',
  });
  expect(database).toEqual({
    host: 'db.example',
    port: 5433,
    user: 'owner',
    password: 'p@ss',
    database: 'kist',
    ssl: false,
  });
});

test('the agent key signs what its public key, known by its id, verifies', () => {
  const dataDir = folder();
  const { agentKey } = loadConfig({ KIST_DATA_DIR: dataDir });
  expect(agentKey.sign('lease')).toHaveLength(64);
  expect(readFileSync(path.join(dataDir, 'agent-key.pem'), 'utf8')).toContain('PRIVATE KEY');
});
