import { setImmediate as giveWay } from 'node:timers/promises';

/** About a millisecond of work on the heaviest lists there are. */
const SLICE = 20;

/** `now`: a statement waits for it. `ahead`: it is made before its turn, and rests while something is wanted now. */
export type Urgency = 'now' | 'ahead';

/** A list being made. */
interface Job {
  /** Makes the next items. @returns whether that was the last of them */
  step(): boolean;
}

const jobs: Record<Urgency, Job[]> = { now: [], ahead: [] };
let isAtWork = false;

/**
 * As `items.map(make)`, giving way to whatever else waits after every 20 items: 100,000 phones judged in one go would hold up every other request, and the
 * sending of the very statements that wait for them. Lists of one urgency are made one after the other: side by side all would be ready late.
 * The figure "payment → unlock ready, while 100,000 lock" (docs/benchmarks.md) needs it.
 */
export async function mapInSlices<T, U>(
  items: readonly T[],
  make: (item: T, index: number) => U,
  urgency: Urgency = 'now',
): Promise<U[]> {
  if (items.length <= SLICE) return items.map(make);
  return new Promise<U[]>((resolve, reject) => {
    const made: U[] = [];
    const step = (): boolean => {
      try {
        const end = Math.min(made.length + SLICE, items.length);
        while (made.length < end) made.push(make(items[made.length]!, made.length));
      } catch (error) {
        reject(error as Error);
        return true;
      }
      if (made.length < items.length) return false;
      resolve(made);
      return true;
    };
    jobs[urgency].push({ step });
    if (!isAtWork) void work();
  });
}

async function work(): Promise<void> {
  isAtWork = true;
  for (;;) {
    const line = jobs.now.length > 0 ? jobs.now : jobs.ahead;
    const [first] = line;
    if (!first) break;
    if (first.step()) line.shift();
    await giveWay();
  }
  isAtWork = false;
}
