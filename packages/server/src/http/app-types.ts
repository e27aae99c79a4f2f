import type { FastifyInstance } from 'fastify';
import type { Language } from '@kist/contract/codes';
import type { CallName } from '@kist/contract/paths';
import type { Actor } from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Translations } from '#server/platform/translations.ts';

/** What the HTTP layer is told by its environment; parsed once in config.ts. */
export interface HttpSettings {
  mode: 'demo' | 'production';
  /** Stands in the OpenAPI document. */
  serverVersion: string;
  /** When the server was built. */
  builtAt: string;
  /** The built app (packages/web/dist); undefined serves the API alone. */
  webDir?: string;
  /** Folder of `{language}.json`. */
  localesDir: string;
  /** Addresses or CIDR ranges whose `x-forwarded-for` is believed; empty believes nobody. */
  trustedProxies: readonly string[];
  /** Origins of the app's pages that are served elsewhere and call this server; none unless named. */
  webOrigins?: readonly string[];
  /** Where this server is found: an address of the app's own pages. */
  publicUrl?: string;
  /** Organisation of requests that name none. */
  defaultOrgId: number;
  /** Who brings it may read `/metrics`; without it that address is 404 here. */
  metricsToken?: string | undefined;
  /** How long a request may take to arrive; tests cannot wait for the real ones. */
  arrival?: { headersMs: number; wholeMs: number; stillMs: number };
}

export interface AppDeps {
  settings: HttpSettings;
  db: Database;
  limits: RequestLimits;
  metrics: Metrics;
  log: Log;
  /** Named checks of GET /readyz; each rejects while its part is not ready, and gives 'away' for one that this server does without meanwhile. */
  readiness: Readonly<Record<string, () => Promise<void | 'away'>>>;
}

/** What every handler knows about the request, signed in or not. */
export interface Caller {
  orgId: number;
  language: Language;
  ip: string;
  requestId: string;
  client: ClientDevice;
}

/** As the app describes itself in its headers; shown in the list of sessions, never trusted. */
export interface ClientDevice {
  browser: string;
  platform: string;
  device: string;
}

/** The application that routes register on: `route(app, 'getDevice', …)`. */
export interface App {
  fastify: FastifyInstance;
  deps: AppDeps;
  translations: Translations;
  /** Calls that have a handler; the rest of the contract answers 404 until it has one. */
  registered: Set<CallName>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Filled step by step before the handler: what failed early has fewer parts. */
    caller: Caller | null;
    actor: Actor | null;
    /** When who asks was settled last, by the process's own clock (`performance.now()`). */
    admittedMs: number;
    /** Its freshness value was used before: only a kept reply may answer it. */
    isRepeat: boolean;
  }
}
