import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Services, localesDir } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import { demoPhoneRoutes } from '#server/demo/demo-phones.ts';
import { createApp } from '#server/http/app.ts';
import type { App, HttpSettings } from '#server/http/app-types.ts';
import { startMetricsServer } from '#server/http/metrics-server.ts';
import { createRequestLimits } from '#server/http/request-limits.ts';
import { agentRoutes } from '#server/http/routes/agent.ts';
import { turnAwaySuspects } from '#server/http/turn-away.ts';
import { vendorRoutes } from '#server/http/routes/vendors.ts';
import { auditRoutes } from '#server/http/routes/audit.ts';
import { authRoutes } from '#server/http/routes/auth.ts';
import { catalogueRoutes } from '#server/http/routes/catalogue.ts';
import { certificateRoutes } from '#server/http/routes/certificates.ts';
import { organisationLoginRoutes } from '#server/http/routes/organisation-login.ts';
import { passkeyRoutes } from '#server/http/routes/passkeys.ts';
import { privacyRoutes } from '#server/http/routes/privacy.ts';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { type DemoClock, demoRoutes } from '#server/http/routes/demo.ts';
import { deviceRoutes } from '#server/http/routes/devices.ts';
import { healthRoutes } from '#server/http/routes/health.ts';
import { documentRoutes } from '#server/http/routes/documents.ts';
import { hookRoutes } from '#server/http/routes/hooks.ts';
import { governingRoutes } from '#server/http/routes/governing.ts';
import { disputeRoutes } from '#server/http/routes/disputes.ts';
import { theftRoutes } from '#server/http/routes/theft.ts';
import { lockingRoutes } from '#server/http/routes/locking.ts';
import { moneyRoutes } from '#server/http/routes/money.ts';
import { registerOpenApiRoute } from '#server/http/routes/openapi.ts';
import { linkedPhoneRoutes } from '#server/http/routes/linked-phone.ts';
import { noticeLinkRoutes } from '#server/http/routes/notice-links.ts';
import { publicAuditRoutes } from '#server/http/routes/public-audit.ts';
import { publicClockRoutes } from '#server/http/routes/public-clocks.ts';
import { publicImeiRoutes } from '#server/http/routes/public-imei.ts';
import { organisationRoutes } from '#server/http/routes/organisation.ts';
import { peopleRoutes } from '#server/http/routes/people.ts';
import { sessionRoutes } from '#server/http/routes/sessions.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Database } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import { createRateCounter } from '#server/platform/rate-counter.ts';
import { createFirstUse } from '#server/platform/seen-requests.ts';

export interface ServeOptions {
  config: Config;
  db: Database;
  services: Services;
  log: Log;
  readiness: App['deps']['readiness'];
  /** Demo mode only. */
  clock: DemoClock | undefined;
  builtAt: string;
}

/** What requests under way have to end when the server stops; a payment takes a tenth of it. */
const LAST_ANSWERS_MS = 3000;

const webDir = path.join(import.meta.dirname, '../../web/dist');
const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};

/** The HTTP side with every route, not yet listening. `stop` answers the waiting polls and closes. */
export async function createHttp(options: ServeOptions): Promise<{ app: App; stop: () => Promise<void> }> {
  const { config, db, services, log, clock } = options;
  const counter = createRateCounter(db.devicePool, (error) => log.warn({ err: error }, 'rate limits are not shared'));
  const app = await createApp({
    settings: settingsOf(options),
    db,
    limits: createRequestLimits({ counter, firstUse: createFirstUse(db.devicePool), factor: config.rateLimitFactor }),
    metrics: services.metrics,
    log,
    readiness: {
      ...options.readiness,
      organisation: organisations.organisationReady(
        () => organisations.assertKnown(db, config.defaultOrgId),
        config.defaultOrgId,
        log,
      ),
    },
  });
  registerEverything(app, services, config.sms?.secret);
  if (clock && config.labUrl) {
    const hosts = [new URL(config.publicUrl).hostname, config.host];
    const more = (scope: FastifyInstance) => demoPhoneRoutes(scope, db, services);
    demoRoutes(app, { clock, labUrl: config.labUrl, hosts, more });
  }
  await app.fastify.ready();
  const { port, ...rest } = config.metrics;
  const figures = port === undefined ? undefined : await startMetricsServer(services.metrics, { port, ...rest });
  const stop = async () => {
    figures?.close();
    figures?.closeAllConnections();
    services.agents.endPolls();
    // A page that listens for ever, as the lab's does, would hold the server open until the starter loses patience and kills.
    const insist = setTimeout(() => app.fastify.server.closeAllConnections(), LAST_ANSWERS_MS);
    await app.fastify.close();
    clearTimeout(insist);
    await services.plane.whenQuiet();
    await counter.stop();
  };
  return { app, stop };
}

const settingsOf = ({ config, builtAt }: ServeOptions): HttpSettings => ({
  mode: config.mode,
  serverVersion: version,
  builtAt,
  ...(existsSync(path.join(webDir, 'index.html')) ? { webDir } : {}),
  localesDir,
  trustedProxies: config.trustedProxies,
  webOrigins: config.webOrigins,
  publicUrl: config.publicUrl,
  defaultOrgId: config.defaultOrgId,
  metricsToken: config.metrics.token,
});

/** Every call of the contract, and what phones and gateways call. */
export function registerEverything(app: App, services: Services, smsSecret: string | undefined): void {
  const { locking, notices, payments, waker } = services;
  healthRoutes(app);
  registerOpenApiRoute(app);
  authRoutes(app);
  organisationLoginRoutes(app);
  passkeyRoutes(app);
  sessionRoutes(app);
  auditRoutes(app);
  privacyRoutes(app);
  publicAuditRoutes(app);
  publicClockRoutes(app);
  publicImeiRoutes(app);
  noticeLinkRoutes(app, services.linkMaking, locking);
  certificateRoutes(app, services.linkMaking, services.agent.key);
  linkedPhoneRoutes(app, services.agent.program);
  organisationRoutes(app);
  peopleRoutes(app, { locking });
  catalogueRoutes(app);
  customerRoutes(app, { locking, notices, waker });
  documentRoutes(app);
  moneyRoutes(app, { payments, notices });
  deviceRoutes(app, { locking, waker, notices });
  lockingRoutes(app, { locking });
  disputeRoutes(app, { locking });
  theftRoutes(app, { locking });
  governingRoutes(app);
  hookRoutes(app.fastify, { db: app.deps.db, notices, smsSecrets: smsSecret === undefined ? [] : [smsSecret] });
  agentRoutes(app.fastify, services.agents, app.deps, services.redeemCode);
  turnAwaySuspects(app, services.agents);
  vendorRoutes(app.fastify, services.adapters);
}
