import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { newSigningKeyPem } from '#server/platform/signing-key.ts';

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'kist-config-'));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

const secret = () => randomBytes(32).toString('base64');
const production = (more: Record<string, string> = {}) => ({
  KIST_MODE: 'production',
  KIST_DATA_DIR: folder(),
  KIST_PUBLIC_URL: 'https://emi.example.in/',
  KIST_AGENT_PACKAGE_URL: 'https://kist.example/agent.apk',
  KIST_AGENT_SIGNATURE_CHECKSUM: 'k'.repeat(43),
  KIST_SECRET_PEPPER: secret(),
  KIST_SECRET_KEY: secret(),
  KIST_AGENT_KEY: newSigningKeyPem(),
  ...more,
});
function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('demo settings', () => {
  test('need nothing: the defaults hold, secrets are made once and kept for this account only', () => {
    const dataDir = path.join(folder(), 'data');
    const first = loadConfig({ KIST_DATA_DIR: dataDir });
    expect(first).toMatchObject({
      mode: 'demo',
      role: 'all',
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

describe('production settings', () => {
  test('with everything given start, and write nothing into the data folder', () => {
    const environment = production({ KIST_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' });
    expect(loadConfig(environment)).toMatchObject({
      mode: 'production',
      publicUrl: 'https://emi.example.in',
      trustedProxies: ['10.0.0.1', '10.1.0.0/16'],
    });
    expect(readdirSync(environment.KIST_DATA_DIR)).toEqual([]);
  });

  test('without secrets are refused, naming all of them at once', () => {
    const problems = problemsOf({ KIST_MODE: 'production', KIST_DATA_DIR: folder() }).join('\n');
    for (const name of ['KIST_SECRET_PEPPER', 'KIST_SECRET_KEY', 'KIST_AGENT_KEY', 'KIST_PUBLIC_URL'])
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
  const { agentKey } = loadConfig({ KIST_DATA_DIR: folder() });
  expect(agentKey.sign('lease')).toHaveLength(64);
  expect(readFileSync(path.join(folders[0]!, 'agent-key.pem'), 'utf8')).toContain('PRIVATE KEY');
});
