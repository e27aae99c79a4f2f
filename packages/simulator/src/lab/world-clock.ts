import { minuteOfDay } from '@kist/contract/dates';
import { z } from 'zod';
import { HttpError } from '#simulator/http/http-server.ts';
import type { World } from '#simulator/world.ts';

/** A button of the bar, or the moment of what comes next. */
export const worldMoveSchema = z.union([
  z.strictObject({ move: z.enum(['hour', 'half_past_ten', 'day']) }),
  z.strictObject({ to: z.iso.datetime({ offset: true }) }),
]);
export type WorldMove = z.output<typeof worldMoveSchema>;

const MINUTE_MS = 60_000;
const DAY_MIN = 1440;

const HALF_PAST_TEN_MIN = 10 * 60 + 30;
/** A day's run of a full shop takes seconds; a month of them a while. */
const TIMEOUT_MS = 280_000;

/** @returns the body of the server's `POST /demo/clock` for a button. */
export function clockBody(wanted: WorldMove, nowMs: number): Record<string, number | string> {
  if ('to' in wanted) {
    // To the minute after: what is due then is under way.
    const minutes = Math.ceil((Date.parse(wanted.to) - nowMs) / MINUTE_MS) + 1;
    if (minutes <= 1) throw new HttpError(409, 'That moment is over.');
    const days = Math.floor(minutes / DAY_MIN);
    return { ...(days > 0 && { advance_days: days }), advance_minutes: minutes % DAY_MIN };
  }
  const { move } = wanted;
  if (move === 'hour') return { advance_minutes: 60 };
  if (move === 'day') return { advance_days: 1 };
  const isOver = minuteOfDay(nowMs) >= HALF_PAST_TEN_MIN;
  return isOver ? { advance_days: 1, set_time: '10:30' } : { set_time: '10:30' };
}

/** Moves the demo's time on the server and lets the phones feel it. @throws HttpError in words when the server does not. */
export async function moveWorld(serverUrl: string, world: World, move: WorldMove): Promise<void> {
  const response = await fetch(`${serverUrl}/demo/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(clockBody(move, world.nowMs())),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (!response) throw new HttpError(503, 'The server does not answer.');
  if (!response.ok) throw new HttpError(502, `The server did not move its clock (${response.status}).`);
  await world.sync();
}
