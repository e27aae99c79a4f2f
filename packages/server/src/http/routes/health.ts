import { setTimeout as sleep } from 'node:timers/promises';
import { addProcessMetrics } from '#server/http/metrics.ts';
import type { App } from '#server/http/app-types.ts';
import { outboxDepth } from '#server/platform/outbox-depth.ts';

/** A check that hangs is as good as one that fails. */
const checkMs = 2000;

/** For the machine room: no session, no freshness, no envelope, no personal data. */
export function registerHealthRoutes({ fastify, deps }: App): void {
  const { db, metrics, readiness } = deps;
  addProcessMetrics(metrics);
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

  fastify.get('/healthz', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send('{"status":"alive"}'),
  );
  fastify.get('/readyz', async (_request, reply) => {
    const checks = await Promise.all(
      Object.entries(readiness).map(async ([name, check]) => [name, await passes(check)] as const),
    );
    const isReady = checks.every(([, ok]) => ok);
    const body = {
      status: isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(checks.map(([name, ok]) => [name, ok ? 'ok' : 'failed'])),
    };
    return reply
      .code(isReady ? 200 : 503)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
  fastify.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text()),
  );
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const deadline = sleep(checkMs, false, { signal: late.signal }).catch(() => false);
  const outcome = check().then(
    () => true,
    () => false,
  );
  const isPassed = await Promise.race([outcome, deadline]);
  late.abort();
  return isPassed;
}
