import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { DEFAULT_ORG_ID } from '@kist/contract/codes';
import { DEMO_AGENT_PATH } from '@kist/contract/linked-phone';
import { productionProblems } from '#server/config-production.ts';
import { type GuardSettings, readGuardFile } from '#server/config-guard.ts';
import { type SmtpSettings, smtpOf, smtpProblems } from '#server/config-mail.ts';
import { s3Of, s3Problems } from '#server/config-s3.ts';
import { readSecrets } from '#server/config-secrets.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { connectionFromUrl } from '#server/platform/connection.ts';
import { readEnvironment } from '#server/platform/env-file.ts';
import { isPlainLoopback } from '#server/platform/network.ts';
import { OperatorError } from '#server/platform/operator-error.ts';
import type { S3Settings } from '#server/platform/s3-blobs.ts';
import type { Secrets } from '#server/platform/secret-marks.ts';

/** All that is set, but for the secrets. */
export interface Settings {
  mode: 'demo' | 'production';
  /** What this process does: answer HTTP, run jobs and the outbox, or both. */
  role: 'all' | 'api' | 'worker';
  host: string;
  port: number;
  /** Absolute. Holds the embedded database, and in demo mode the generated secrets. */
  dataDir: string;
  /** The account the server runs as (DATABASE_URL). Undefined = the embedded PostgreSQL. */
  database: ConnectionConfig | undefined;
  /** The account that owns the tables, for migrations and the command line (KIST_OWNER_URL); always another one. Undefined with `database`: nothing is migrated. */
  ownerDatabase: ConnectionConfig | undefined;
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
  /** Where the daily root of the audit is mailed by; undefined: mails wait. */
  smtp: SmtpSettings | undefined;
  /** A phone maker's lock service, and each organisation's account there. */
  guard: GuardSettings | undefined;
  labUrl: string | undefined;
  /** Absolute. Where the pictures of customers lie, sealed; every process of an installation sees the same. */
  blobsDir: string;
  /** The bucket in which they lie instead; undefined: in the folder. */
  s3: S3Settings | undefined;
  /** Multiplies every rate limit: load tests come from one address. 1 in production. */
  rateLimitFactor: number;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Where the figures of the process are read: on a port of their own, or on the main one by who has the token; nowhere without either. */
  metrics: { port: number | undefined; host: string; token: string | undefined };
  /** The Android agent that the provisioning QR names: where it is fetched, and the URL-safe SHA-256 of the certificate it is signed with. */
  /** `revocationsFile`: certificates of phones' keys that Google has taken back. */
  agentPackage: { url: string; signatureChecksum: string; revocationsFile: string | undefined };
}

export type Config = Settings & Secrets;

/** The environment cannot be used; `problems` says why, one sentence each, without values. */
export class ConfigError extends OperatorError {
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
const listed = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean);
/** As the HTTP server takes them. */
function isProxy(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  if (length === undefined || version === 0 || more.length > 0)
    return PROXY_NAMES.has(text) || (version > 0 && text === address);
  // Halves of all that there is are everybody too: no proxy stands in a network larger than these.
  const [least, most] = version === 4 ? [8, 32] : [7, 128];
  return /^[1-9]\d{0,2}$/.test(length) && Number(length) >= least && Number(length) <= most;
}
const PROXY_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

const environmentSchema = z.object({
  KIST_MODE: optional(z.enum(['demo', 'production']).default('demo')),
  KIST_ROLE: optional(z.enum(['all', 'api', 'worker']).default('all')),
  HOST: optional(z.string().optional()),
  PORT: optional(z.coerce.number().int().min(0).max(65_535).default(3000)),
  KIST_DATA_DIR: optional(z.string().default('./data')),
  KIST_BLOBS_DIR: optional(z.string().optional()),
  KIST_S3_ENDPOINT: optional(httpUrl.optional()),
  KIST_S3_BUCKET: optional(
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'the name of a bucket: 3 to 63 small letters, digits, dots and dashes',
      )
      .optional(),
  ),
  KIST_S3_REGION: optional(
    z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/)
      .default('us-east-1'),
  ),
  KIST_S3_ACCESS_KEY_ID: optional(z.string().optional()),
  KIST_S3_SECRET_ACCESS_KEY: optional(z.string().optional()),
  DATABASE_URL: optional(postgresUrl.optional()),
  KIST_OWNER_URL: optional(postgresUrl.optional()),
  KIST_PUBLIC_URL: optional(
    httpUrl
      .refine((url) => new URL(url).origin === url, {
        error: 'the address alone (https://kist.example.in): no path, account or question behind it.',
      })
      .optional(),
  ),
  KIST_DEFAULT_ORG: optional(z.coerce.number().int().positive().default(DEFAULT_ORG_ID)),
  KIST_TRUSTED_PROXIES: optional(
    z
      .string()
      .default('')
      .transform(listed)
      .refine((list) => list.every(isProxy), {
        error: 'addresses and networks (10.0.0.1, 10.1.0.0/16), separated by commas; everybody’s word is never taken.',
      }),
  ),
  KIST_WEB_ORIGINS: optional(
    z
      .string()
      .default('')
      .transform(listed)
      .refine((list) => list.every((url) => URL.canParse(url) && new URL(url).origin === url), {
        error: 'origins (https://shop.example.in, no path), separated by commas; all that there are is none.',
      }),
  ),
  KIST_SMS_URL: optional(httpUrl.optional()),
  KIST_SMS_SECRET: optional(z.string().optional()),
  KIST_SMTP_URL: optional(z.url({ protocol: /^smtps?$/ }).optional()),
  KIST_SMTP_USER: optional(z.string().optional()),
  KIST_SMTP_PASSWORD: optional(z.string().optional()),
  KIST_MAIL_FROM: optional(z.email().optional()),
  KIST_GUARD_FILE: optional(z.string().optional()),
  KIST_LAB_URL: optional(httpUrl.optional()),
  KIST_LOG_LEVEL: optional(z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info')),
  KIST_METRICS_PORT: optional(z.coerce.number().int().min(0).max(65_535).optional()),
  KIST_METRICS_HOST: optional(z.string().default('127.0.0.1')),
  KIST_METRICS_TOKEN: optional(z.string().min(16).optional()),
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
  KIST_ATTESTATION_STATUS_FILE: optional(z.string().optional()),
});
/** The variables, decoded one by one; what they mean together is not looked at yet. */
export type Environment = z.infer<typeof environmentSchema>;

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The part of the settings that says where the data is: enough for the command line. */
export type DataSettings = Pick<
  Settings,
  | 'mode'
  | 'dataDir'
  | 'blobsDir'
  | 's3'
  | 'database'
  | 'ownerDatabase'
  | 'migrationsDirectory'
  | 'defaultOrgId'
  | 'publicUrl'
>;

/** Settings, and the secrets to be asked for: once the mode of the database is known, for a demo's are made then, and nothing is made in another's folder. */
export interface LoadedSettings {
  settings: Settings;
  /** @param mayMake a demo makes what is missing. @throws ConfigError */
  readSecrets: (mayMake: boolean) => Secrets;
}

/** Settings and secrets at once, and a demo's secrets are made if need be. @throws ConfigError with every problem at once */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const { settings, readSecrets: read } = loadSettings(environment);
  return { ...settings, ...read(true) };
}

/**
 * Reads the environment once, and the file of settings in the data folder (or KIST_ENV_FILE) under it: what the environment says wins. Demo mode makes
 * its secrets and the agent signing key at first start and keeps them in the data folder (mode 0600); production takes
 * them from outside and refuses missing, short or guessable ones.
 * @throws ConfigError with every problem at once; of a demo's secrets when they are read
 */
export function loadSettings(environment: Record<string, string | undefined>): LoadedSettings {
  const problems: string[] = [];
  const env = decode(environment, problems);
  const data = dataSettings(env, problems);
  const isDemo = env.KIST_MODE === 'demo';
  const given = isDemo ? undefined : readSecrets({ env, dataDir: data.dataDir, mayMake: false, problems });
  if (env.KIST_SMS_URL !== undefined && env.KIST_SMS_SECRET === undefined)
    problems.push('KIST_SMS_SECRET is missing: KIST_SMS_URL needs it.');
  problems.push(...smtpProblems(env));
  const guard = readGuardFile(env.KIST_GUARD_FILE, problems);
  if (env.KIST_MODE === 'production') problems.push(...productionProblems(env));
  if (problems.length > 0) throw new ConfigError(problems);
  const demoSecrets = (mayMake: boolean) => {
    const found = readSecrets({ env, dataDir: data.dataDir, mayMake, problems });
    if (problems.length > 0) throw new ConfigError(problems.splice(0));
    return found;
  };
  return {
    settings: { ...data, ...serverSettings(env), guard },
    // Whatever is missing is a problem.
    readSecrets: (mayMake) => (given ?? demoSecrets(mayMake)) as Secrets,
  };
}

/** Of the secrets those that are there and can be used; nothing is made, and nobody complains. */
export function presentSecrets(environment: Record<string, string | undefined>): Partial<Secrets> {
  const env = decode(environment, []);
  return readSecrets({ env, dataDir: path.resolve(env.KIST_DATA_DIR), mayMake: false, problems: [] });
}

const publicUrlOf = (env: Environment): string => env.KIST_PUBLIC_URL ?? `http://localhost:${env.PORT}`;

function serverSettings(env: Environment): Omit<Settings, keyof DataSettings | 'guard'> {
  const publicUrl = publicUrlOf(env);
  // The demo's people, codes and controls are for whoever sits at this machine, and so is a server that nobody else can reach by its address.
  const isForThisMachine = env.KIST_MODE === 'demo' || isPlainLoopback(publicUrl);
  const host = env.HOST ?? (isForThisMachine ? '127.0.0.1' : '0.0.0.0');
  return {
    role: env.KIST_ROLE,
    host,
    port: env.PORT,
    ownUrl: env.KIST_MODE === 'demo' ? `http://${isAnyAddress(host) ? '127.0.0.1' : host}:${env.PORT}` : publicUrl,
    trustedProxies: env.KIST_TRUSTED_PROXIES,
    webOrigins: env.KIST_WEB_ORIGINS,
    sms: env.KIST_SMS_URL === undefined ? undefined : { url: env.KIST_SMS_URL, secret: env.KIST_SMS_SECRET ?? '' },
    smtp: smtpOf(env),
    labUrl: env.KIST_MODE === 'demo' ? env.KIST_LAB_URL : undefined,
    rateLimitFactor: env.KIST_MODE === 'production' ? 1 : env.KIST_RATE_LIMIT_FACTOR,
    logLevel: env.KIST_LOG_LEVEL,
    metrics: { port: env.KIST_METRICS_PORT, host: env.KIST_METRICS_HOST, token: env.KIST_METRICS_TOKEN },
    agentPackage: {
      url: env.KIST_AGENT_PACKAGE_URL ?? `${publicUrl}${DEMO_AGENT_PATH}`,
      // Simulated phones fetch no package; a real one refuses this checksum, which no certificate has.
      signatureChecksum: env.KIST_AGENT_SIGNATURE_CHECKSUM ?? 'A'.repeat(43),
      revocationsFile: env.KIST_ATTESTATION_STATUS_FILE,
    },
  };
}

/**
 * Where the data is, read from the same environment and file, without asking for what only a running server needs.
 * @throws ConfigError with every problem at once
 */
export function loadDataSettings(environment: Record<string, string | undefined>): DataSettings {
  const problems: string[] = [];
  const settings = dataSettings(decode(environment, problems), problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function decode(environment: Record<string, string | undefined>, problems: string[]): Environment {
  const parsed = environmentSchema.safeParse(readEnvironment(environment, problems));
  if (parsed.success) return parsed.data;
  throw new ConfigError([
    ...problems,
    ...parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`),
  ]);
}

function dataSettings(env: Environment, problems: string[]): DataSettings {
  const connection = (url: string | undefined) => (url === undefined ? undefined : connectionFromUrl(url));
  const database = connection(env.DATABASE_URL);
  const ownerDatabase = connection(env.KIST_OWNER_URL);
  problems.push(...s3Problems(env));
  if (ownerDatabase && !database)
    problems.push(
      'DATABASE_URL is missing: KIST_OWNER_URL names the account of migrations, DATABASE_URL the one that the server runs as.',
    );
  if (database && ownerDatabase && database.user === ownerDatabase.user)
    problems.push(
      'KIST_OWNER_URL and DATABASE_URL name the same account: the server must run as one that owns nothing. Make a second account.',
    );
  return {
    mode: env.KIST_MODE,
    dataDir: path.resolve(env.KIST_DATA_DIR),
    s3: s3Of(env),
    blobsDir: path.resolve(env.KIST_BLOBS_DIR ?? path.join(env.KIST_DATA_DIR, 'blobs')),
    database,
    ownerDatabase,
    migrationsDirectory: path.join(import.meta.dirname, '../migrations'),
    defaultOrgId: env.KIST_DEFAULT_ORG,
    publicUrl: publicUrlOf(env),
  };
}
