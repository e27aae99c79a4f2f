import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { UserType } from '@kist/contract/codes';
import type { BodyOf, QueryOf, ReplyOf } from '@kist/contract/endpoint';
import { ENDPOINTS, type Endpoints } from '@kist/contract/endpoints';
import type { ErrorCode, FieldError } from '@kist/contract/errors';
import type { CallName } from '@kist/contract/paths';
import type { App, HttpSettings } from '#server/http/app-types.ts';
import { createApp } from '#server/http/app.ts';
import { createMetrics } from '#server/http/metrics.ts';
import { createRequestLimits } from '#server/http/request-limits.ts';
import { createFailureWatch, createOidcClient, rememberSessions } from '#server/identity/identity.ts';
import { openSession } from '#server/identity/sessions.ts';
import { lockUser } from '#server/identity/store.ts';
import { rememberOrganisations } from '#server/organisations/organisations.ts';
import { hmacSha256 } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createLog } from '#server/platform/log.ts';
import { createRateCounter } from '#server/platform/rate-counter.ts';
import { createFirstUse } from '#server/platform/seen-requests.ts';
import { rememberBells } from '#server/notices/notifications.ts';
import { createPages } from '#server/reports/reports.ts';
import { atEnd } from './at-end.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testSealer } from './sealer.ts';

export const testPepper = Buffer.alloc(32, 7);

export interface CallInput<N extends CallName> {
  token?: string;
  body?: BodyOf<Endpoints[N]>;
  query?: QueryOf<Endpoints[N]>;
  params?: Record<string, string>;
  /** Anything else in the body's place: to be refused. */
  rawBody?: unknown;
  headers?: Record<string, string | undefined>;
  /** Sent with idempotent calls; a new one each time unless given. */
  idempotencyKey?: string;
}

export interface CallResult<N extends CallName> {
  status: number;
  headers: LightMyRequestResponse['headers'];
  message: string;
  /** `data`; reading it from a failure fails the test with the failure's text. */
  readonly data: ReplyOf<Endpoints[N]>;
  code: ErrorCode | undefined;
  errors: FieldError[] | undefined;
  details: Record<string, unknown> | undefined;
  text: string;
}

export interface TestApp {
  app: App;
  db: TestDatabase;
  call<N extends CallName>(name: N, input?: CallInput<N>): Promise<CallResult<N>>;
}

export interface TestAppOptions {
  settings?: Partial<HttpSettings>;
  /** Multiplies the limits on addresses and accounts. */
  limitFactor?: number;
  /** Registers the routes under test. */
  register?: (app: App) => void | Promise<void>;
  database?: TestDatabase;
  /** Whether there is a way out for text messages. */
  canSendCodes?: () => boolean;
  /** Checks of /readyz beside the database's. */
  readiness?: App['deps']['readiness'];
  /** 0: a test that changes sessions or users past the application need not wait until reads see it. */
  sessionTrustMs?: number;
}

/** With these routes, and organisation 20, which answers to callers without a session. */
export async function createShopApp(...routes: readonly ((app: App) => void)[]): Promise<TestApp> {
  const made = await createTestApp({ register: (app) => routes.forEach((register) => register(app)) });
  await createOrganisation(made.db, { orgId: 20 });
  return made;
}

/** The real application on a database of its own; call it in beforeAll. */
export async function createTestApp({
  settings,
  limitFactor = 1000,
  register,
  database,
  canSendCodes = () => true,
  sessionTrustMs = 0,
  readiness,
}: TestAppOptions = {}): Promise<TestApp> {
  const given = database ?? (await createTestDatabase());
  const metrics = createMetrics();
  const failures = metrics.counter('kist_auth_failures_total', 'Wrong codes and M-PINs.', ['kind']);
  const db = given.with({
    ...given.ports,
    notices: rememberBells(),
    reports: createPages(),
    organisations: rememberOrganisations({ missMs: 0 }),
    identity: { ...identityOf(given, sessionTrustMs, (kind) => failures.inc([kind])), canSendCodes },
  });
  const counter = createRateCounter(db.devicePool, () => undefined);
  const app = await createApp({
    settings: {
      mode: 'demo',
      serverVersion: '0.0.0-test',
      builtAt: '2026-01-01T00:00:00.000Z',
      localesDir: '/nonexistent',
      trustedProxies: [],
      defaultOrgId: 20,
      ...settings,
    },
    db,
    limits: createRequestLimits({ counter, firstUse: createFirstUse(db.devicePool), factor: limitFactor }),
    metrics,
    log: createLog('silent'),
    readiness: { database: () => db.ping(), ...readiness },
  });
  await register?.(app);
  await app.fastify.ready();
  atEnd(async () => {
    const closed = app.fastify.close();
    // Streams that a test left open would be waited for.
    app.fastify.server.closeAllConnections();
    await closed;
    await counter.stop();
  });
  return { app, db, call: (name, input) => call(app, name, input) };
}

/** `X-EMM-Auth-Session` for a path with its query. */
export function emmHeader(url: string, atMs = Date.now()): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(url, 'utf8').digest(), iv);
  return `${iv.toString('hex')}:${cipher.update(String(atMs), 'utf8', 'hex')}${cipher.final('hex')}`;
}

/** Makes one call as the app makes it. */
async function call<N extends CallName>(app: App, name: N, input: CallInput<N> = {}): Promise<CallResult<N>> {
  const endpoint = ENDPOINTS[name];
  const isIdempotent = 'idempotent' in endpoint && endpoint.idempotent;
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, key: string) => encodeURIComponent(input.params?.[key] ?? ''));
  const url = query === '' ? path : `${path}?${query}`;
  const body = 'rawBody' in input ? input.rawBody : input.body;
  const headers: Record<string, string | undefined> = {
    'x-emm-auth-session': emmHeader(url),
    'x-auth-platform': 'mobile',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(input.token === undefined ? {} : { authorization: `bearer ${input.token}` }),
    ...(isIdempotent ? { 'idempotency-key': input.idempotencyKey ?? newId() } : {}),
    ...input.headers,
  };
  const sent = Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const reply = await app.fastify.inject({
    method: endpoint.method,
    url,
    headers: sent,
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return resultOf<N>(name, reply);
}

function resultOf<N extends CallName>(name: N, reply: LightMyRequestResponse): CallResult<N> {
  const envelope = JSON.parse(reply.payload) as {
    message: string;
    data: ReplyOf<Endpoints[N]>;
    code?: ErrorCode;
    errors?: FieldError[];
    details?: Record<string, unknown>;
  };
  return {
    status: reply.statusCode,
    headers: reply.headers,
    message: envelope.message,
    get data() {
      if (reply.statusCode !== 200) throw new Error(`${name} answered ${reply.statusCode}: ${reply.payload}`);
      return envelope.data;
    },
    code: envelope.code,
    errors: envelope.errors,
    details: envelope.details,
    text: reply.payload,
  };
}

export interface TestOrganisation {
  orgId: number;
  slug?: string;
  host?: string;
}

export async function createOrganisation(
  db: TestDatabase,
  { orgId, slug = `org-${orgId}`, host }: TestOrganisation,
): Promise<void> {
  await db.operator.transaction(orgId, async (tx) => {
    await tx.query('insert into org_directory (org_id, slug, host, name) values ($1, $2, $3, $2)', [
      orgId,
      slug,
      host ?? null,
    ]);
    await tx.query(`insert into organisations (org_id, org_name, company_name) values ($1, $2, $2 || ' Limited')`, [
      orgId,
      slug,
    ]);
  });
}

export interface TestUser {
  orgId: number;
  userId: string;
  mobile: string;
}

export interface TestUserOptions {
  orgId?: number;
  userType?: UserType;
  mobile?: string;
  parentUserId?: string;
  customerId?: string;
  birthOn?: string;
  language?: string;
  access?: Record<string, '0' | '1'>;
  lockAccess?: Record<string, '0' | '1'>;
}

let mobiles = 0;
/** A mobile nobody else in this test file has: `+919…`. */
export const newMobile = (): string => `+919${String(100_000_000 + ++mobiles)}`;

/** A customer signs in with the number on file. */
async function numberOf(db: Database, orgId: number, customerId: string | undefined): Promise<string | undefined> {
  if (customerId === undefined) return undefined;
  const { rows } = await db.read(orgId, (tx) =>
    tx.query<{ mobile: string }>(
      `select mobile from customers where org_id = $1 and customer_id = $2 and mobile <> ''`,
      [orgId, customerId],
    ),
  );
  return rows[0]?.mobile;
}

export async function createUser(db: Database, options: TestUserOptions = {}): Promise<TestUser> {
  const { orgId = 20, userType = 'retailer' } = options;
  const mobile = options.mobile ?? (await numberOf(db, orgId, options.customerId)) ?? newMobile();
  let userId = newId();
  await db.transaction(orgId, async (tx) => {
    // Who bought twice under one number is one.
    const { rows } = await tx.query<{ id: string }>(
      `insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name, shop_name, birth_on, language)
       values ($1, $2, $3, $4, $5, 'Asha', 'Asha Mobiles', $6, $7)
       on conflict (org_id, mobile) where number_yielded_at is null do update set language = excluded.language where users.user_type = 'customer' and excluded.user_type = 'customer'
       returning user_id as id`,
      [
        orgId,
        userId,
        userType,
        options.parentUserId ?? null,
        mobile,
        options.birthOn ?? null,
        options.language ?? 'en',
      ],
    );
    if (!rows[0]) throw new Error(`${mobile} is somebody’s already`);
    userId = rows[0].id;
    // One that is there; of a customer whom only the test knows nothing is told.
    await tx.query(
      `insert into customer_logins (org_id, customer_id, user_id, since)
       select $1, customer_id, $2, kist_now() from customers where org_id = $1 and customer_id = $3
       on conflict (org_id, customer_id) do update set user_id = excluded.user_id`,
      [orgId, userId, options.customerId ?? null],
    );
    await tx.query(
      'update users set user_access = user_access || $2::jsonb, lock_access = lock_access || $3::jsonb where user_id = $1',
      [userId, JSON.stringify(options.access ?? {}), JSON.stringify(options.lockAccess ?? {})],
    );
  });
  return { orgId, userId, mobile };
}

const identityOf = (db: Database, sessionTrustMs = 0, count: (kind: string) => void = () => undefined) => ({
  pepper: testPepper,
  sealer: testSealer,
  canSendCodes: () => true,
  stepUpDoors: ['UNINSTALL', 'BYPASS_CODE'] as const,
  watch: createFailureWatch({ count, alarm: () => undefined }),
  sessions: rememberSessions(db.devicePool, sessionTrustMs),
  oidc: createOidcClient(),
});

/** A session without the way through OTP: for tests of everything else, whatever their database carries. */
export async function createSession(db: Database, { orgId, userId }: TestUser): Promise<string> {
  return db.with({ ...db.ports, identity: identityOf(db) }).transaction(orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id: userId });
    if (!user) throw new Error('no such user');
    const client = { browser: 'Test', platform: 'test', device: 'test' };
    return (await openSession(tx, user, { orgId, ip: '127.0.0.1', client }, { how: 'otp', device_hash: null })).token;
  });
}

/** What codes about a mobile are kept under. */
export const mobileHash = (mobile: string, orgId = 20): Buffer =>
  hmacSha256(testPepper, 'mobile', String(orgId), mobile);

/** The newest code promised to a mobile. */
export const lastOtp = async (db: Database, orgId: number, mobile: string): Promise<string> =>
  (await lastCodeMessage(db, orgId, mobile)).code;

/** What the newest message with a code says: the values of its text. */
export async function lastCodeMessage(
  db: Database,
  orgId: number,
  mobile: string,
): Promise<{ code: string } & Record<string, unknown>> {
  const { rows } = await db.read(orgId, (tx) =>
    tx.query<{ id: string; sealed: Buffer }>(
      `select id, sealed from outbox where org_id = $1 and topic = 'sms' and sealed is not null and expires_at is not null order by id desc`,
      [orgId],
    ),
  );
  for (const { id, sealed } of rows) {
    const text = testSealer.open(sealed, `${orgId}|outbox|sealed|${id}`).toString();
    const payload = JSON.parse(text) as { mobile: string; params: { code: string } };
    if (payload.mobile === mobile) return payload.params;
  }
  throw new Error('no code was sent');
}
