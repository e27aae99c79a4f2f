import { NEXT_CHECKIN, type AgentCommand } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { type Database, isRetryable } from '#server/platform/database.ts';
import { storable } from '#server/platform/instants.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import type { Channel, Observation, Pulled } from './adapter.ts';
import { CHECKIN_NAME, CHECKIN_SQL, type CheckinInput, type CheckinRow, POLL_NAME, POLL_SQL } from './checkin-sql.ts';
import type { EarlierKeys } from './earlier-key.ts';

/** What one phone lacks. */
interface Answer {
  phone: CheckinRow & { kind: 'phone' };
  commands: AgentCommand[];
}

/** Up to 200 phones a statement, 3 statements at once: with 2 cores more gains nothing, and a statement stays below some 20 ms. */
const BATCH = { maxItems: 200, inFlight: 3, maxWaiting: 20_000, leavesAtOnce: true, retriesAlone: true } as const;
const TRIES = 4;

export interface CheckinOptions {
  db: Pick<Database, 'devicePool'>;
  /** Answers keys that the statement does not know. */
  earlier: Pick<EarlierKeys, 'answer'>;
  /** Told after each statement which phones changed something that others act on (`isChanged`) or watch. */
  onChanged: (changed: readonly (Channel & { isChanged: boolean })[]) => void;
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
  const ask = microBatch(
    async (items: Observation[]) => {
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
      if (touched.size > 0) {
        onChanged(
          items.flatMap(({ channel }) => {
            const kinds = touched.get(channel.deviceId);
            return kinds ? [{ ...channel, isChanged: kinds.has('changed') }] : [];
          }),
        );
      }
      return answers;
    },
    { ...BATCH, keyOf: ({ channel }) => channel.deviceId },
  );
  return async (observation) => {
    const answer = await ask(observation);
    if (answer) return toPulled(answer);
    const reply = await earlier.answer(observation);
    if (!reply) throw new KistError('AGENT_UNKNOWN');
    return reply;
  };
}

function sortOut(rows: readonly CheckinRow[], length: number) {
  const answers = Array.from<Answer | undefined>({ length });
  const touched = new Map<string, Set<'moved' | 'changed'>>();
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
): (caller: Channel) => Promise<boolean | undefined> {
  return microBatch(
    async (callers: Channel[]) => {
      const input = JSON.stringify(
        callers.map(({ orgId, enrolmentId }, n) => ({ n, org_id: orgId, enrolment_id: enrolmentId })),
      );
      const { rows } = await db.devicePool.query<{ n: number; isWaiting: boolean }>({
        name: POLL_NAME,
        text: POLL_SQL,
        values: [input],
      });
      const answers = Array.from<boolean | undefined>({ length: callers.length });
      for (const row of rows) answers[row.n] = row.isWaiting;
      return answers;
    },
    { ...BATCH, keyOf: (caller) => caller.enrolmentId },
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
    org_id: channel.orgId,
    enrolment_id: channel.enrolmentId,
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
