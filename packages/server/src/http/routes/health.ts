import { setTimeout as sleep } from 'node:timers/promises';
import { KistError } from '@kist/contract/errors';
import { hasMetricsToken, METRICS_TYPE } from '#server/http/metrics-server.ts';
import { addProcessMetrics } from '#server/http/metrics.ts';
import type { App } from '#server/http/app-types.ts';
import * as commands from '#server/commands/commands.ts';
import { invariantStates } from '#server/locking/invariants.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { outboxDepth } from '#server/platform/outbox-depth.ts';

async function redInvariants(db: App['deps']['db']): Promise<number> {
  let red = 0;
  for (const orgId of await organisations.everyId(db))
    red += (await db.read(orgId, invariantStates)).filter(({ state }) => state !== 'holds').length;
  return red;
}

async function refusedAccounts(db: App['deps']['db']): Promise<number> {
  let refused = 0;
  for (const orgId of await organisations.everyId(db))
    refused += (await db.read(orgId, commands.refusedAccounts)).length;
  return refused;
}

/** What is asked of the database at every scrape. */
function addFigures({ db, metrics }: App['deps']): void {
  const depth = () => outboxDepth(db.devicePool);
  metrics.gauge(
    'kist_outbox_waiting',
    'Messages that were promised and not yet carried out.',
    async () => (await depth()).waiting,
  );
  metrics.gauge('kist_outbox_oldest_seconds', 'Age of the oldest of them.', async () => (await depth()).oldestS);
  metrics.gauge(
    'kist_database_device_connections',
    'Open connections of the machine role.',
    () => db.devicePool.totalCount,
  );
  metrics.gauge(
    'kist_database_device_waiting',
    'Statements waiting for one of them.',
    () => db.devicePool.waitingCount,
  );

  metrics.gauge(
    'kist_invariants_red',
    'Invariants violated, or not looked at for 26 hours, over all organisations.',
    () => redInvariants(db),
  );

  metrics.gauge(
    'kist_vendor_accounts_refused',
    'Accounts at vendors that their vendors refuse: none of their phones is reached.',
    () => refusedAccounts(db),
  );
}

/** A check that hangs is as good as one that fails. */
const checkMs = 2000;

/** For the machine room: no session, no freshness, no envelope, no personal data. */
export function healthRoutes({ fastify, deps }: App): void {
  const { metrics, readiness } = deps;
  addProcessMetrics(metrics);
  addFigures(deps);

  fastify.get('/healthz', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send('{"status":"alive"}'),
  );
  fastify.get('/readyz', async (_request, reply) => {
    const checks = await Promise.all(
      Object.entries(readiness).map(async ([name, check]) => [name, await stateOf(check)] as const),
    );
    const isReady = checks.every(([, state]) => state !== 'failed');
    const body = {
      status: isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(checks),
    };
    return reply
      .code(isReady ? 200 : 503)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
  // Figures tell strangers how a shop does: on this port only to who has the token, else on a port of their own (serve.ts).
  const { metricsToken } = deps.settings;
  if (metricsToken === undefined) return;
  fastify.get('/metrics', async ({ headers }, reply) => {
    if (!hasMetricsToken(headers.authorization, metricsToken)) throw new KistError('FORBIDDEN');
    return reply.type(METRICS_TYPE).send(await metrics.text());
  });
}

async function stateOf(check: () => Promise<void | 'away'>): Promise<'ok' | 'away' | 'failed'> {
  const late = new AbortController();
  const deadline = sleep(checkMs, 'failed' as const, { signal: late.signal }).catch(() => 'failed' as const);
  const outcome = check().then(
    (state) => state ?? 'ok',
    () => 'failed' as const,
  );
  const state = await Promise.race([outcome, deadline]);
  late.abort();
  return state;
}
