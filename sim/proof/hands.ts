import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '@kist/simulator/measured';
import { type Reply, appHeaders } from '#bench/lib/client.ts';
import type { Act } from './acts.ts';
import type { House } from './house.ts';
import { enrol } from './phones.ts';

/** What became of an act as far as who sent it knows. Done: 200. Refused: a last word that is none. Unknown: nobody asked again. */
export interface Told {
  act: Act;
  outcome: 'done' | 'refused' | 'unknown';
  status: number;
  /** `data` of a 200, else the refusal. */
  answer: Record<string, unknown>;
  tries: number;
}

const RETRY_MS = 30;
const RETRY_MAX_MS = 300;
const TRY_WITHIN_MS = 8000;
/** Longer than any recovery. */
const GIVE_UP_MS = 60_000;

/** An overloaded, starting or broken server says so with these; everything else is its last word. */
const isFinal = ({ status, text }: Reply): boolean =>
  status < 500 && status !== 408 && (status !== 429 || !text.includes('RATE_LIMITED'));

/** Sends an act under its key until there is an answer, as an outbox does; one that is cut off is not asked for again. */
export async function carryOut(house: House, act: Act): Promise<Told> {
  const since = performance.now();
  const phoneKey = act.enrolling && generateKey();
  for (let tries = 1; ; tries += 1) {
    const reply = await attempt(house, act, phoneKey).catch(() => undefined);
    if (reply && isFinal(reply)) return told(act, reply, tries);
    const isOver = act.cutAfterMs !== undefined || performance.now() - since > GIVE_UP_MS;
    if (isOver) return { act, outcome: 'unknown', status: reply?.status ?? 0, answer: {}, tries };
    await sleep(Math.min(RETRY_MAX_MS, RETRY_MS * tries));
  }
}

function attempt(
  house: House,
  { by, method, path, key, body, cutAfterMs, enrolling }: Act,
  phoneKey?: ReturnType<typeof generateKey>,
): Promise<Reply> {
  if (enrolling && phoneKey) return enrol(house, { ...enrolling, key: phoneKey });
  return house.connection.send({
    method,
    path,
    headers: { ...appHeaders(path, by.token), ...(method === 'POST' && { 'idempotency-key': key }) },
    ...(method === 'POST' && { body }),
    timeoutMs: TRY_WITHIN_MS,
    ...(cutAfterMs !== undefined && { cutAfterMs }),
  });
}

function told(act: Act, { status, text }: Reply, tries: number): Told {
  const envelope = JSON.parse(text) as { data?: Record<string, unknown> };
  const isDone = status === 200;
  return {
    act,
    outcome: isDone ? 'done' : 'refused',
    status,
    answer: isDone ? (envelope.data ?? {}) : envelope,
    tries,
  };
}

/** All at once, each in its own time. */
export const allAtOnce = (house: House, acts: readonly Act[]): Promise<Told[]> =>
  Promise.all(acts.map((act) => carryOut(house, act)));
