import type { Database } from '#server/platform/database.ts';

/** The product's present without a round trip for each request. */
export interface AgentClock {
  nowMs(): Promise<number>;
  /** The same, asked of the database: one question at a time, whoever waits for it. */
  askedMs(): Promise<number>;
}

/** The offset is zero in production; the demo moves it, and who asks for nothing but the time notices within this time. */
const REFRESH_MS = 1000;

/** This process's clock plus the database's clock offset and the difference of the two clocks, learnt once a second. */
export function createAgentClock(db: Pick<Database, 'devicePool'>): AgentClock {
  let offsetMs = 0;
  let learntAt = Number.NEGATIVE_INFINITY;
  let learning: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    const { rows } = await db.devicePool.query<{ now: Date }>('select kist_now() as now');
    offsetMs = rows[0]!.now.getTime() - Date.now();
    learntAt = performance.now();
  };
  const askedMs = async () => {
    learning ??= learn().finally(() => (learning = undefined));
    await learning;
    return Date.now() + offsetMs;
  };
  return {
    nowMs: async () => (performance.now() - learntAt > REFRESH_MS ? askedMs() : Date.now() + offsetMs),
    askedMs,
  };
}
