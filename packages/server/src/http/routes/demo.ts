import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DAY_MS, businessDate, instantOf } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { mobileSchema } from '@kist/contract/fields';
import { CALENDAR } from '@kist/contract/limits';
import type { App } from '#server/http/app-types.ts';
import { parseInput } from '#server/http/input.ts';
import { answerOnlyAs } from '#server/http/known-hosts.ts';
import { forward, proxyLab, reachSimulator } from '#server/http/lab-proxy.ts';

/** What the demo may do with time; wired by the composition root. */
export interface DemoClock {
  /** The product's present. */
  read(): Promise<{ now: Date; businessOn: string; shiftMs: number }>;
  /** Moves it forward, day by day, and resolves when the daily run of every day on the way is done. */
  advance(byMs: number): Promise<void>;
}

export interface DemoDeps {
  clock: DemoClock;
  /** The simulator: it plays the SMS gateway and serves the wall of phones. */
  labUrl: string;
  /** Names of this server besides the loopback's: under others nothing of the demo is shown. */
  hosts: readonly string[];
  /** Routes of the demo that are made elsewhere. */
  more?: (scope: FastifyInstance) => void;
}

const minuteMs = 60_000;

const outboxQuery = z.strictObject({ mobile: mobileSchema.optional() });
const clockBody = z.strictObject({
  advance_days: z.int().min(0).max(800).optional(),
  advance_minutes: z.int().min(0).max(1440).optional(),
  set_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'field.time')
    .optional(),
});

/** Routes that exist in demo mode only: the caller registers them or does not. */
export function demoRoutes({ fastify }: App, { hosts, more, ...deps }: DemoDeps): void {
  void fastify.register(async (scope) => {
    answerOnlyAs(scope, hosts);
    clockRoutes(scope, deps);
    more?.(scope);
  });
}

function clockRoutes(fastify: FastifyInstance, { clock, labUrl }: Pick<DemoDeps, 'clock' | 'labUrl'>): void {
  fastify.get('/demo/outbox', async (request, reply) => {
    const { mobile } = parseInput(outboxQuery, request.query);
    const url = new URL('/sms/outbox', labUrl);
    if (mobile !== undefined) url.searchParams.set('mobile', mobile);
    return forward(await reachSimulator(url), reply);
  });
  fastify.get('/demo/clock', async () => clockReply(clock));
  fastify.post('/demo/clock', async (request) => {
    const change = parseInput(clockBody, request.body);
    const { now } = await clock.read();
    const byMs = advanceMs(now, change);
    if (byMs < 0)
      throw new KistError('INVALID_INPUT', {
        fields: [{ path: 'set_time', key: 'field.invalid' }],
        internal: 'the clock only moves forward',
      });
    if (now.getTime() + byMs > Date.parse(CALENDAR.to))
      throw new KistError('INVALID_INPUT', { fields: [{ path: 'advance_days', key: 'field.date' }] });
    if (byMs > 0) await clock.advance(byMs);
    return clockReply(clock);
  });
  void fastify.register(async (scope) => proxyLab(scope, labUrl));
}

async function clockReply(clock: DemoClock): Promise<{ now: string; business_on: string; shift_ms: number }> {
  const { now, businessOn, shiftMs } = await clock.read();
  return { now: now.toISOString(), business_on: businessOn, shift_ms: shiftMs };
}

/**
 * How far a change moves the clock: days and minutes first, then to the wanted time (India) of the day reached.
 * @returns negative when that time is over on that day
 */
export function advanceMs(
  now: Date,
  change: { advance_days?: number; advance_minutes?: number; set_time?: string },
): number {
  const target = now.getTime() + (change.advance_days ?? 0) * DAY_MS + (change.advance_minutes ?? 0) * minuteMs;
  if (change.set_time === undefined) return target - now.getTime();
  const [hours = 0, minutes = 0] = change.set_time.split(':').map(Number);
  const wanted = instantOf(businessDate(target), hours * 60 + minutes);
  // 'Now' asked for within its own minute is no step back.
  const isThisMinute = Math.floor(wanted / minuteMs) === Math.floor(target / minuteMs);
  return (isThisMinute ? target : wanted) - now.getTime();
}
