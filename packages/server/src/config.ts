import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { connectionFromUrl } from '#server/platform/connection.ts';
import type { KeyRing } from '#server/platform/crypto.ts';
import type { SigningKey } from '#server/platform/signing-key.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';
import { makeDataDir, newSecret, parseKeyRing, parseSecret, readOrMake } from '#server/platform/secrets.ts';

export interface Config {
  mode: 'demo' | 'production';
  /** What this process does: answer HTTP, run jobs and the outbox, or both. */
  role: 'all' | 'api' | 'worker';
  host: string;
  port: number;
  /** Absolute. Holds the embedded database, and in demo mode the generated secrets. */
  dataDir: string;
  /** Undefined = the embedded PostgreSQL. */
  database: ConnectionConfig | undefined;
  migrationsDirectory: string;
  /** Base URL that phones and browsers reach this server under; stands in the QR. No trailing slash. */
  publicUrl: string;
  /** Where vendors on this machine's side reach this server (receipts of the SMS gateway). */
  ownUrl: string;
  defaultOrgId: number;
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** Origins of pages of the app that are served elsewhere. */
  webOrigins: string[];
  sms: { url: string; secret: string } | undefined;
  labUrl: string | undefined;
  /** Multiplies every rate limit: load tests come from one address. 1 in production. */
  rateLimitFactor: number;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Goes into every M-PIN and code hash; never in the database. */
  pepper: Buffer;
  keys: KeyRing;
  agentKey: SigningKey;
  /** The Android agent that the provisioning QR names: where it is fetched, and the URL-safe SHA-256 of the certificate it is signed with. */
  agentPackage: { url: string; signatureChecksum: string };
}

/** The environment cannot be used; `problems` says why, one sentence each, without values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Kist cannot start with these settings:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** An empty variable counts as absent, as in `KIST_LAB_URL= npm start`. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const environmentSchema = z.object({
  KIST_MODE: optional(z.enum(['demo', 'production']).default('demo')),
  KIST_ROLE: optional(z.enum(['all', 'api', 'worker']).default('all')),
  HOST: optional(z.string().default('0.0.0.0')),
  PORT: optional(z.coerce.number().int().min(0).max(65_535).default(3000)),
  KIST_DATA_DIR: optional(z.string().default('./data')),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ }).optional()),
  KIST_PUBLIC_URL: optional(httpUrl.optional()),
  KIST_DEFAULT_ORG: optional(z.coerce.number().int().positive().default(20)),
  KIST_TRUSTED_PROXIES: optional(z.string().default('')),
  KIST_WEB_ORIGINS: optional(
    z
      .string()
      .default('')
      .transform((list) => list.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(z.url().refine((url) => new URL(url).origin === url))),
  ),
  KIST_SMS_URL: optional(httpUrl.optional()),
  KIST_SMS_SECRET: optional(z.string().optional()),
  KIST_LAB_URL: optional(httpUrl.optional()),
  KIST_LOG_LEVEL: optional(z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info')),
  KIST_RATE_LIMIT_FACTOR: optional(z.coerce.number().int().min(1).max(10_000).default(1)),
  KIST_SECRET_PEPPER: optional(z.string().optional()),
  KIST_SECRET_KEY: optional(z.string().optional()),
  KIST_AGENT_KEY: optional(z.string().optional()),
  KIST_AGENT_KEY_FILE: optional(z.string().optional()),
  KIST_AGENT_PACKAGE_URL: optional(httpUrl.optional()),
  KIST_AGENT_SIGNATURE_CHECKSUM: optional(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .optional(),
  ),
});
type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads the environment once. Demo mode makes its secrets and the agent signing key at first start and keeps them in the
 * data folder (mode 0600); production takes them from outside and refuses missing, short or guessable ones.
 * @throws ConfigError with every problem at once
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`));
  }
  const env = parsed.data;
  const problems: string[] = [];
  const dataDir = path.resolve(env.KIST_DATA_DIR);
  const secrets = readSecrets(env, dataDir, problems);
  if (env.KIST_SMS_URL !== undefined && env.KIST_SMS_SECRET === undefined)
    problems.push('KIST_SMS_SECRET is missing: KIST_SMS_URL needs it.');
  if (env.KIST_MODE === 'production' && env.KIST_PUBLIC_URL === undefined) {
    problems.push('KIST_PUBLIC_URL is missing: phones find this server by the address in their QR.');
  }
  if (
    env.KIST_MODE === 'production' &&
    (env.KIST_AGENT_PACKAGE_URL === undefined || env.KIST_AGENT_SIGNATURE_CHECKSUM === undefined)
  ) {
    problems.push(
      'KIST_AGENT_PACKAGE_URL and KIST_AGENT_SIGNATURE_CHECKSUM are missing: a factory-fresh phone fetches the agent there and checks its signer.',
    );
  }
  if (problems.length > 0 || secrets === undefined) throw new ConfigError(problems);
  return {
    mode: env.KIST_MODE,
    role: env.KIST_ROLE,
    host: env.HOST,
    port: env.PORT,
    dataDir,
    database: env.DATABASE_URL === undefined ? undefined : connectionFromUrl(env.DATABASE_URL),
    migrationsDirectory: path.join(import.meta.dirname, '../migrations'),
    publicUrl: env.KIST_PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    ownUrl: env.KIST_MODE === 'demo' ? `http://127.0.0.1:${env.PORT}` : (env.KIST_PUBLIC_URL ?? ''),
    defaultOrgId: env.KIST_DEFAULT_ORG,
    trustedProxies: env.KIST_TRUSTED_PROXIES.split(/[\s,]+/).filter(Boolean),
    webOrigins: env.KIST_WEB_ORIGINS,
    sms: env.KIST_SMS_URL === undefined ? undefined : { url: env.KIST_SMS_URL, secret: env.KIST_SMS_SECRET ?? '' },
    labUrl: env.KIST_MODE === 'demo' ? env.KIST_LAB_URL : undefined,
    rateLimitFactor: env.KIST_MODE === 'production' ? 1 : env.KIST_RATE_LIMIT_FACTOR,
    logLevel: env.KIST_LOG_LEVEL,
    agentPackage: {
      url:
        env.KIST_AGENT_PACKAGE_URL ?? `${env.KIST_PUBLIC_URL ?? `http://localhost:${env.PORT}`}/agent/kist-agent.apk`,
      // Simulated phones fetch no package; a real one refuses this checksum, which no certificate has.
      signatureChecksum: env.KIST_AGENT_SIGNATURE_CHECKSUM ?? 'A'.repeat(43),
    },
    ...secrets,
  };
}

type Secrets = Pick<Config, 'pepper' | 'keys' | 'agentKey'>;

function readSecrets(env: Environment, dataDir: string, problems: string[]): Secrets | undefined {
  if (env.KIST_MODE === 'demo') makeDataDir(dataDir);
  const pepper = readSecret(env, 'KIST_SECRET_PEPPER', dataDir, parseSecret, problems);
  const keys = readSecret(env, 'KIST_SECRET_KEY', dataDir, parseKeyRing, problems);
  const agentKey = readAgentKey(env, dataDir, problems);
  return pepper && keys && agentKey && { pepper, keys, agentKey };
}

function readSecret<Secret>(
  env: Environment,
  name: 'KIST_SECRET_PEPPER' | 'KIST_SECRET_KEY',
  dataDir: string,
  parse: (text: string) => Secret,
  problems: string[],
): Secret | undefined {
  const file = path.join(dataDir, `${name.toLowerCase().replaceAll('_', '-')}`);
  const text = env[name] ?? (env.KIST_MODE === 'demo' ? readOrMake(file, newSecret) : undefined);
  if (text === undefined) {
    problems.push(`${name} is missing: 32 random bytes in base64, e.g. from "openssl rand -base64 32".`);
    return undefined;
  }
  try {
    return parse(text);
  } catch (error) {
    problems.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

function readAgentKey(env: Environment, dataDir: string, problems: string[]): SigningKey | undefined {
  const file = env.KIST_AGENT_KEY_FILE ?? path.join(dataDir, 'agent-key.pem');
  if (env.KIST_AGENT_KEY === undefined && env.KIST_MODE === 'production' && !existsSync(file)) {
    problems.push('KIST_AGENT_KEY or KIST_AGENT_KEY_FILE is missing: the EC P-256 key that phones pin (PEM).');
    return undefined;
  }
  try {
    const isOwnFile = env.KIST_MODE === 'demo' && env.KIST_AGENT_KEY_FILE === undefined;
    const pem = env.KIST_AGENT_KEY ?? (isOwnFile ? readOrMake(file, newSigningKeyPem) : readFileSync(file, 'utf8'));
    return signingKeyFromPem(pem);
  } catch (error) {
    problems.push(`The agent signing key cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}
