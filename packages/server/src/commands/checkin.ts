import { NEXT_CHECKIN, type AgentCommand } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { type Database, isRetryable } from '#server/platform/database.ts';
import { storable } from '#server/platform/instants.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import type { Channel, Observation, ProvenPhone, Pulled, Waiting } from './adapter.ts';
import { isHolder, nameOf, namedAs } from './callers.ts';
import { CHECKIN_NAME, CHECKIN_SQL, type CheckinInput, type CheckinRow, POLL_NAME, POLL_SQL } from './checkin-sql.ts';
import type { EarlierKeys } from './earlier-key.ts';

/** What one phone lacks. */
interface Answer {
  phone: CheckinRow & { kind: 'phone' };
  commands: AgentCommand[];
}

/**
 * Up to 200 phones a statement, which stays below some 20 ms. Three may be under way at once, but a second goes only beside one that takes long: of a busy
 * server's phones one statement after the other costs a third less than three beside each other.
 */
const BATCH = {
  maxItems: 200,
  inFlight: 3,
  maxWaiting: 20_000,
  leavesAtOnce: true,
  patienceMs: 20,
  retriesAlone: true,
} as const;
const TRIES = 4;

export type ChangedPhone = Pick<Channel, 'orgId' | 'deviceId'> & { isChanged: boolean };

export interface CheckinOptions {
  db: Pick<Database, 'devicePool'>;
  /** Answers keys that the statement does not know. */
  earlier: Pick<EarlierKeys, 'answer'>;
  /** Told after each statement which phones changed something that others act on (`isChanged`) or watch. */
  onChanged: (changed: readonly ChangedPhone[]) => void;
}

/**
 * @returns a function that takes one phone's report and answers it
 * @throws KistError (from that function) AGENT_UNKNOWN when the enrolment has ended; UNAVAILABLE when too many wait
 */
export function createCheckin({
  db,
  earlier,
  onChanged,
}: CheckinOptions): (observation: Observation) => Promise<Pulled> {
  const observe = async (items: Observation[]): Promise<(Answer | undefined)[]> => {
    const input = JSON.stringify(items.map((one, n) => toInput(n, one)));
    const rows = await withRetry(async () => {
      const result = await db.devicePool.query<CheckinRow>({
        name: CHECKIN_NAME,
        text: CHECKIN_SQL,
        values: [input],
      });
      return result.rows;
    });
    const { answers, touched } = sortOut(rows, items.length);
    if (touched.size > 0) onChanged(answers.flatMap((answer, n) => changeOf(answer, touched, items[n]!.channel.orgId)));
    return answers;
  };
  // A phone is in a statement once. Who is named by a key is known to be one phone only among such: a key is one phone's, and a phone has one key.
  const ofChannel = microBatch(observe, { ...BATCH, keyOf: ({ channel }) => deviceOf(channel) });
  const ofHolder = microBatch(observe, { ...BATCH, keyOf: ({ channel }) => nameOf(channel) });
  return async (observation) => {
    const answer = await (isHolder(observation.channel) ? ofHolder : ofChannel)(observation);
    if (answer) return toPulled(answer);
    const reply = await earlier.answer(observation);
    if (!reply) throw new KistError('AGENT_UNKNOWN');
    return reply;
  };
}

const deviceOf = (channel: ProvenPhone): string => (isHolder(channel) ? nameOf(channel) : channel.deviceId);

type Touched = Map<string, Set<'moved' | 'changed'>>;
function changeOf(answer: Answer | undefined, touched: Touched, orgId: number): ChangedPhone[] {
  const kinds = answer && touched.get(answer.phone.deviceId);
  return kinds ? [{ orgId, deviceId: answer.phone.deviceId, isChanged: kinds.has('changed') }] : [];
}

function sortOut(rows: readonly CheckinRow[], length: number) {
  const answers = Array.from<Answer | undefined>({ length });
  const touched: Touched = new Map();
  for (const row of rows) if (row.kind === 'phone') answers[row.n] = { phone: row, commands: [] };
  for (const row of rows) {
    if (row.kind === 'order') answers[row.n]!.commands.push(row.command);
    else if (row.kind !== 'phone') touched.set(row.deviceId, (touched.get(row.deviceId) ?? new Set()).add(row.kind));
  }
  for (const answer of answers) answer?.commands.sort((a, b) => a.seq - b.seq);
  return { answers, touched };
}

/** @returns a function that tells whether there is something the phone was not handed yet; undefined when its enrolment has ended */
export function createWaitingCheck(
  db: Pick<Database, 'devicePool'>,
): (caller: ProvenPhone) => Promise<Waiting | undefined> {
  return microBatch(
    async (callers: ProvenPhone[]) => {
      const input = JSON.stringify(callers.map((caller, n) => ({ n, ...namedAs(caller) })));
      const { rows } = await db.devicePool.query<Waiting & { n: number }>({
        name: POLL_NAME,
        text: POLL_SQL,
        values: [input],
      });
      const answers = Array.from<Waiting | undefined>({ length: callers.length });
      for (const { n, ...waiting } of rows) answers[n] = waiting;
      return answers;
    },
    { ...BATCH, keyOf: nameOf },
  );
}

/** Two statements may meet on one phone's orders (a bulk order and its report): the one that lost leaves no trace and runs again. */
async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await run();
    } catch (error) {
      if (tryNumber === TRIES || !isRetryable(error)) throw error;
    }
  }
}

/** One phone's part of the statement's parameter. What is not named is null there, and stays as it was. */
function toInput(n: number, { channel, moment, ...said }: Observation): CheckinInput {
  return {
    n,
    ...namedAs(channel),
    boot_count: moment.boots,
    elapsed_ms: moment.ms,
    wall_clock: said.wallClock === undefined ? null : storable(said.wallClock),
    highest_seq: said.highestSeq ?? null,
    revision: said.revision ?? null,
    policy_digest: said.documentDigest == null ? null : `\\x${said.documentDigest}`,
    names_digest: said.documentDigest !== undefined,
    lock_level: said.level ?? null,
    lock_cause: said.cause ?? null,
    names_cause: said.cause !== undefined,
    lease_seq: said.leaseSeq ?? null,
    toggles: said.toggles ?? null,
    sims: said.sims ?? null,
    battery: said.battery ?? null,
    names_battery: said.battery !== undefined,
    agent_version: said.agentVersion ?? null,
    location: said.location ?? null,
    located_at: said.location ? storable(said.location.at) : null,
    push_token: said.pushToken ?? null,
    names_push: said.pushToken !== undefined,
    acks: (said.acks ?? []).map(({ id, status, code, result }) => ({ id, status, code, result })),
    events: (said.events ?? []).map((event) => ({ ...event, at: storable(event.at) })),
  };
}

function toPulled({ phone, commands }: Answer): Pulled {
  const isMore = commands.length === LIMITS.commandsPerCheckin;
  const isQuiet = phone.isSettled && commands.length === 0 && phone.lease === null;
  return {
    serverTime: phone.serverTime,
    desired:
      phone.document && phone.desiredRevision !== null
        ? { revision: phone.desiredRevision, policy: phone.document }
        : null,
    commands,
    lease: phone.lease,
    next: isQuiet
      ? { after_s: NEXT_CHECKIN.afterS, spread_s: NEXT_CHECKIN.spreadS }
      : { after_s: isMore ? 1 : NEXT_CHECKIN.unsettledAfterS, spread_s: 0 },
  };
}
