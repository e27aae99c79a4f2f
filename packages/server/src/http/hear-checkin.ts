import {
  type CheckinRequest,
  ackSchema,
  agentEventSchema,
  checkinRequestSchema,
  locationSchema,
  lockCauseSchema,
  policyDigestSchema,
  simSchema,
} from '@kist/contract/agent';
import { NO_SWITCHES } from '@kist/contract/commands';
import { DETAIL_LIMITS as DETAILS, REPORT_LIMITS as MOST } from '@kist/contract/limits';
import { cleanMachineText } from '@kist/contract/text';
import type { HeardCheckin } from '#server/commands/adapter.ts';
import { parseInput } from './input.ts';

type Parts = Record<string, unknown>;
type State = CheckinRequest['state'];

/** Where a moment cannot be read: before everything, so that nothing is taken to have happened since. */
const UNREADABLE_AT = '1970-01-01T00:00:00Z';

const partsOf = (value: unknown): Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parts) : {};
const listOf = (value: unknown, most: number): Parts[] =>
  Array.isArray(value) ? value.slice(0, most).map(partsOf) : [];
const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? cleanMachineText(value, most) : '';
const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/**
 * Takes a phone's report, whatever is odd in it: a report that is refused is a phone that cannot be told to open. What informs is cut to what can be kept,
 * or left out. Where a number is odd that the report stands by (the phone's own order of reports, its level, revision, lease and switches), nothing of
 * its state is noted, because it counts as older than any; it is answered with everything all the same. Acknowledgements and events stand for themselves.
 * @throws KistError INVALID_INPUT for what is no report of this protocol
 */
export function hearCheckin(value: unknown): HeardCheckin {
  const whole = checkinRequestSchema.safeParse(value);
  if (whole.success) return whole.data;
  const parts = partsOf(value);
  parseInput(checkinRequestSchema.pick({ proto: true }), { proto: parts['proto'] });
  return {
    proto: 1,
    ...orderedStateOf(parts),
    wall_clock: typeof parts['wall_clock'] === 'string' ? parts['wall_clock'] : UNREADABLE_AT,
    highest_seq: countOf(parts['highest_seq']) ?? 0,
    acks: listOf(parts['acks'], MOST.acks).flatMap(ackOf),
    events: listOf(parts['events'], MOST.events).flatMap(eventOf),
    push_token: pushTokenOf(parts['push_token']),
  };
}

/** The state with the two numbers that say how new it is; both 0 where it cannot be relied on. */
function orderedStateOf(parts: Parts): Pick<HeardCheckin, 'boot_count' | 'elapsed_ms' | 'state'> {
  const given = partsOf(parts['state']);
  const informs = {
    lock_cause: lockCauseSchema.safeParse(given['lock_cause']).data ?? null,
    sims: listOf(given['sims'], MOST.sims).flatMap(simOf),
    battery: batteryOf(given['battery']),
    agent_version: textOf(given['agent_version'], MOST.agentVersionLength),
    ...locationOf(partsOf(given['location'])),
    ...digestOf(given['policy_digest']),
  };
  const { revision, lock_level, lease_seq, toggles } = checkinRequestSchema.shape.state.shape;
  const relied = {
    revision: revision.safeParse(given['revision']).data,
    lock_level: lock_level.safeParse(given['lock_level']).data,
    lease_seq: lease_seq.safeParse(given['lease_seq']).data,
    toggles: toggles.strip().safeParse(given['toggles']).data,
    boot_count: countOf(parts['boot_count']),
    elapsed_ms: countOf(parts['elapsed_ms']),
  };
  if (Object.values(relied).includes(undefined)) {
    return {
      boot_count: 0,
      elapsed_ms: 0,
      state: { revision: 0, lock_level: 0, lease_seq: 0, toggles: NO_SWITCHES, ...informs },
    };
  }
  const { boot_count: bootCount, elapsed_ms: elapsedMs, ...state } = relied as Required<typeof relied>;
  return {
    boot_count: bootCount!,
    elapsed_ms: elapsedMs!,
    state: { ...(state as Pick<State, keyof typeof state>), ...informs },
  };
}

/** One that can be no digest is that of no document of ours, not the silence of an agent that has none to say. */
const digestOf = (value: unknown): Pick<State, 'policy_digest'> =>
  value === undefined ? {} : { policy_digest: policyDigestSchema.safeParse(value).data ?? '' };

function batteryOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(Math.min(Math.max(value, 0), 100)) : null;
}

/** A part of a token wakes nobody. */
const pushTokenOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MOST.pushTokenLength ? textOf(value, MOST.pushTokenLength) : null;

function simOf({ slot, iccid, operator, number }: Parts): State['sims'] {
  const sim = simSchema.safeParse({
    slot,
    iccid: textOf(iccid, MOST.iccidLength),
    operator: textOf(operator, MOST.operatorLength),
    ...(typeof number === 'string' && { number: textOf(number, MOST.numberLength) }),
  });
  return sim.success ? [sim.data] : [];
}

function locationOf({ latitude, longitude, accuracy_m: accuracy, at }: Parts): Pick<State, 'location'> {
  const accuracyM = typeof accuracy === 'number' ? Math.min(Math.abs(accuracy), MOST.accuracyM) : MOST.accuracyM;
  const location = locationSchema.safeParse({ latitude, longitude, accuracy_m: accuracyM, at });
  return location.success ? { location: location.data } : {};
}

/** What became of an order is told even when the result is too much to keep. */
function ackOf({ id, seq, status, code, result }: Parts): CheckinRequest['acks'] {
  const told = {
    id,
    seq: seq ?? 1,
    status,
    ...(typeof code === 'string' && { code: textOf(code, MOST.codeLength) }),
  };
  const ack = ackSchema.safeParse({ ...told, result });
  const bare = ack.success ? ack : ackSchema.safeParse(told);
  return bare.success ? [bare.data] : [];
}

function eventOf({ id, kind, at, data }: Parts): CheckinRequest['events'] {
  const { at: moment } = agentEventSchema.shape;
  const told = { id, kind, at: moment.safeParse(at).data ?? UNREADABLE_AT };
  const event = agentEventSchema.safeParse({ ...told, data: data ?? {} });
  const cut = event.success ? event : agentEventSchema.safeParse({ ...told, data: cutData(partsOf(data)) });
  return cut.success ? [cut.data] : [];
}

/** Texts cut, numbers kept, what is nested left out: a dispute's words, a step's level. */
function cutData(data: Parts): Parts {
  const kept = Object.entries(data).flatMap(([key, value]): [string, unknown][] => {
    if (key.length > DETAILS.keyLength) return [];
    if (typeof value === 'string') return [[key, textOf(value, DETAILS.textLength)]];
    return Number.isSafeInteger(value) || typeof value === 'boolean' ? [[key, value]] : [];
  });
  return Object.fromEntries(kept.slice(0, DETAILS.cutKeys));
}
