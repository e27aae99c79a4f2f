import { KistError } from '@kist/contract/errors';

export interface MicroBatchOptions<I, O> {
  /** Answers every item of a batch, in the batch's order. */
  run(items: readonly I[]): Promise<readonly O[]>;
  /** Two items of one key are never under way at once: the later waits, so one phone's reports keep their order. */
  keyOf(item: I): string;
  maxBatch: number;
  maxInFlight: number;
  /** Beyond this many waiting, callers are told to come later: a queue that only grows answers nobody in time. */
  maxWaiting: number;
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Gathers concurrent calls into few statements. When fewer than `maxInFlight` are under way an item leaves at once, so a quiet
 * server adds no latency; under load batches grow by themselves, up to `maxBatch`.
 * A batch that fails is tried item by item, so one bad item never fails its neighbours.
 * @throws KistError UNAVAILABLE (from the returned function) when the queue is full
 */
export function createMicroBatch<I, O>(options: MicroBatchOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const busyKeys = new Set<string>();
  let inFlight = 0;

  const take = (): Waiting<I, O>[] => {
    const batch: Waiting<I, O>[] = [];
    const rest: Waiting<I, O>[] = [];
    let next = 0;
    for (; next < waiting.length && batch.length < options.maxBatch; next += 1) {
      const entry = waiting[next]!;
      const key = options.keyOf(entry.item);
      if (busyKeys.has(key)) rest.push(entry);
      else {
        busyKeys.add(key);
        batch.push(entry);
      }
    }
    waiting = rest.concat(waiting.slice(next));
    return batch;
  };

  const settle = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const answers = await options.run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(answers[index]!));
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const entry of batch) await settle([entry]);
    }
  };

  const flush = (): void => {
    while (inFlight < options.maxInFlight && waiting.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      inFlight += 1;
      void settle(batch).finally(() => {
        inFlight -= 1;
        for (const entry of batch) busyKeys.delete(options.keyOf(entry.item));
        flush();
      });
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(new KistError('UNAVAILABLE', { retryAfterS: 5, internal: 'device queue full' }));
        return;
      }
      waiting.push({ item, resolve, reject });
      flush();
    });
}
