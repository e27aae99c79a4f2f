import { setTimeout as sleep } from 'node:timers/promises';
import * as commands from '#server/commands/commands.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Database } from '#server/platform/database.ts';

/** Between two looks when nobody says that something was asked: another process was, or one died with its part. */
const LOOK_EVERY_MS = 1000;
/** Parts under way at once in a process: while the database writes one, the other is judged here. */
const LANES = 2;
/**
 * A part of a lock begins when nothing else is under way here, or after so long: a payment at the counter never waits for more than the one part that had
 * begun, and a shop that never rests locks all the same. What frees phones waits for nobody.
 */
const MAKES_WAY_MS = 100;
const LOOKS_AGAIN_MS = 4;

export interface BatchesOptions {
  db: Database;
  carryPart: Locking['carryPart'];
  onError: (error: unknown) => void;
}

export interface Batches {
  /** Something was asked: look now. A hint; the database is looked at every second anyway. */
  nudge(): void;
  start(): void;
  /** Takes no further part and waits for those under way. */
  stop(): Promise<void>;
  /** Carries out until no part can be taken. */
  drain(): Promise<void>;
}

/**
 * Carries out orders to many phones, part after part. Any number of processes may: a part belongs to whoever's transaction has it, and is free again when
 * that ends, however it ends. Unlocks go before locks; orders of one kind take turns, so that a large one does not hold up a small one.
 */
export function createBatches(options: BatchesOptions): Batches {
  const { onError } = options;
  const step = createSteps(options);
  let isStopped = true;
  let isAsked = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lane = async (isOver: () => boolean): Promise<void> => {
    try {
      while (!isOver() && (await step()));
    } catch (error) {
      onError(error);
    }
  };
  const run = async (isOver: () => boolean): Promise<void> => {
    while (isAsked && !isOver()) {
      isAsked = false;
      await Promise.all(Array.from({ length: LANES }, () => lane(isOver)));
    }
  };
  const go = (isOver: () => boolean): void => {
    isAsked = true;
    running ??= run(isOver).finally(() => (running = undefined));
  };
  const nudge = (): void => {
    if (!isStopped) go(() => isStopped);
  };
  return {
    nudge,
    start: () => {
      isStopped = false;
      timer = setInterval(nudge, LOOK_EVERY_MS);
      timer.unref();
      nudge();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
    drain: async () => {
      go(() => false);
      while (running) await running;
    },
  };
}

/** @returns what carries out the next part of whichever order has its turn, and says whether there was one */
function createSteps({ db, carryPart, onError }: BatchesOptions): () => Promise<boolean> {
  const served = new Map<string, number>();
  let turn = 0;
  let parts = 0;
  const makeWay = async (): Promise<void> => {
    const endsAt = performance.now() + MAKES_WAY_MS;
    while (db.underWay() > parts && performance.now() < endsAt) await sleep(LOOKS_AGAIN_MS);
  };
  const inTurn = (batches: readonly commands.OpenBatch[]): commands.OpenBatch[] =>
    batches.toSorted(
      (a, b) => Number(a.isLock) - Number(b.isLock) || (served.get(a.batchId) ?? 0) - (served.get(b.batchId) ?? 0),
    );
  return async () => {
    const open = await commands.openBatches(db);
    if (open.length === 0) served.clear();
    for (const batch of inTurn(open)) {
      served.set(batch.batchId, (turn += 1));
      if (batch.isLock) await makeWay();
      parts += 1;
      try {
        if (await carryPart(db, batch)) return true;
      } catch (error) {
        onError(error);
      } finally {
        parts -= 1;
      }
    }
    return false;
  };
}
