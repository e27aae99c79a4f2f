import { DAY_MS } from '@kist/contract/dates';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { guardTenantSchema } from './clouds/guard/guard-cloud.ts';
import { openKeptGuard } from './clouds/guard/kept-guard.ts';
import { switchRoutes } from './clouds/guard/switches.ts';
import { readBody, serveRoutes } from './http/http-server.ts';
import type { Route } from './http/http-server.ts';
import { stateFile } from './state-file.ts';

const count = z.int().min(1);
const pauseMs = z.int().min(0).max(600_000);

/** The file that the guard cloud by itself is told with. */
const guardConfigSchema = z.strictObject({
  tenants: z.array(guardTenantSchema).min(1),
  factory_key: z.string().min(8).optional(),
  calls_per_minute: count.optional(),
  targets_per_day: count.optional(),
  complete_after_ms: pauseMs.optional(),
  webhook_retry_ms: pauseMs.optional(),
  webhook_gather_ms: pauseMs.optional(),
  slow_ms: pauseMs.optional(),
  /** How often its phones ask; absent: only when their `sync` switch is pressed. */
  sync_every_ms: pauseMs.optional(),
});
export type GuardConfig = z.output<typeof guardConfigSchema>;

const YEAR_MS = 366 * DAY_MS;
const clockSchema = z.strictObject({ by_ms: z.int().min(0).max(YEAR_MS) });

/** @throws ZodError naming the first field that does not fit */
export const readGuardConfig = (file: string): GuardConfig =>
  guardConfigSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/**
 * The guard cloud alone with its phones and their switches: for tests in another process and for trying an adapter out.
 *
 *   POST /lab/api/guard/clock  {by_ms}: its time and that of its phones goes on by so much → {now}
 *
 * @param stateDir undefined: nothing survives
 */
export async function serveGuard(options: { port: number; config: GuardConfig; stateDir?: string }) {
  const { config, stateDir } = options;
  const clock = stateFile<{ shiftMs: number }>(stateDir, 'guard-clock.json');
  let shiftMs = clock.load()?.shiftMs ?? 0;
  const nowMs = () => Date.now() + shiftMs;
  const limits = {
    ...(config.calls_per_minute ? { callsPerMinute: config.calls_per_minute } : {}),
    ...(config.targets_per_day ? { targetsPerDay: config.targets_per_day } : {}),
  };
  const { cloud, openFleet } = openKeptGuard({
    stateDir,
    nowMs,
    limits,
    tenants: config.tenants,
    factoryKey: config.factory_key,
    completeAfterMs: config.complete_after_ms,
    slowMs: config.slow_ms,
    webhookRetryMs: config.webhook_retry_ms,
    webhookGatherMs: config.webhook_gather_ms,
  });
  const moveClock: Route = {
    method: 'POST',
    path: '/lab/api/guard/clock',
    handle: (asked) => {
      shiftMs += readBody(asked, clockSchema).by_ms;
      clock.save({ shiftMs });
      return { now: new Date(nowMs()).toISOString() };
    },
  };
  const running = await serveRoutes(cloud.routes(), options.port);
  const fleet = openFleet(`http://127.0.0.1:${running.port}`);
  running.replace([...cloud.routes(), ...switchRoutes({ cloud, fleet }), moveClock]);
  if (config.sync_every_ms !== undefined) fleet.start(config.sync_every_ms);
  return {
    port: running.port,
    close: async () => {
      fleet.stop();
      await cloud.stop();
      await running.close();
    },
  };
}
