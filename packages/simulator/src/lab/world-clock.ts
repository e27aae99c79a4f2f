import { minuteOfDay } from '@kist/contract/dates';
import { z } from 'zod';
import { HttpError } from '#simulator/http/http-server.ts';
import type { World } from '#simulator/world.ts';

export const worldMoveSchema = z.strictObject({ move: z.enum(['hour', 'half_past_ten', 'day']) });
export type WorldMove = z.output<typeof worldMoveSchema>['move'];

const HALF_PAST_TEN_MIN = 10 * 60 + 30;
/** A day's run of a full shop takes seconds; a month of them a while. */
const TIMEOUT_MS = 280_000;

/** @returns the body of the server's `POST /demo/clock` for a button. */
export function clockBody(move: WorldMove, nowMs: number): Record<string, number | string> {
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
