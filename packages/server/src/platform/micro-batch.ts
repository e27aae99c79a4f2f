import { KistError } from '@kist/contract/errors';

export interface MicroBatchOptions<In> {
  maxItems?: number;
  /** Statements at one time; 2 keep the database busy while the first one's replies are handled. */
  inFlight?: number;
  /** Two items of one key are never under way at once: the later waits, so one phone's reports keep their order. */
  keyOf?: (item: In) => string;
  /** Beyond this many waiting, callers are told to come later: a queue that only grows answers nobody in time. */
  maxWaiting?: number;
  /** An item leaves the moment it comes while a statement is free; otherwise those of one turn of the loop share theirs. */
  leavesAtOnce?: boolean;
  /** An item waits so long for others, also behind a batch: for callers whose wait matters less than what a statement costs. */
  gatherMs?: number;
  /** So many wait for no others: `gatherMs` is for those who come one by one. */
  enough?: number;
  /**
   * While a statement is under way, those who come leave with the next, and beside it only when it took this long or a whole batch waits: one for many costs
   * the database and this process less than several small ones beside each other, and one that is held up holds nobody else up.
   */
  patienceMs?: number;
  /** A batch that fails is tried item by item, so one bad item never fails its neighbours. */
  retriesAlone?: boolean;
}

const MOST_ITEMS = 256;

interface Waiting<In, Out> {
  item: In;
  resolve(answer: Out): void;
  reject(error: unknown): void;
}

/**
 * Gathers concurrent calls into few statements: one round trip for many callers when busy, next to no added wait when idle.
 * Answers come back by position.
 * @param run answers all items, in order; when it rejects, all its callers are rejected, unless `retriesAlone`
 * @throws KistError UNAVAILABLE (from the returned function) when `maxWaiting` are waiting
 */
export function microBatch<In, Out>(
  run: (items: In[]) => Promise<readonly Out[]>,
  options: MicroBatchOptions<In> = {},
): (item: In) => Promise<Out> {
  const { inFlight = 2, maxWaiting = Infinity, leavesAtOnce = false, retriesAlone = false } = options;
  const { patienceMs = 0, maxItems = MOST_ITEMS, gatherMs = 0, enough = Infinity } = options;
  let waiting: Waiting<In, Out>[] = [];
  const busyKeys = new Set<string>();
  let running = 0;
  const patience = createTimer();

  const isHeldBack = (): boolean => patienceMs > 0 && running > 0 && waiting.length < maxItems;
  const leave = (isPatient = true): void => {
    while (running < inFlight && waiting.length > 0) {
      if (isPatient && isHeldBack()) {
        patience.start(() => leave(false), patienceMs);
        return;
      }
      const { batch, left } = nextBatch(waiting, busyKeys, options);
      waiting = left;
      if (batch.length === 0) return;
      running += 1;
      void settle(run, batch, retriesAlone).finally(() => {
        running -= 1;
        patience.stop();
        if (options.keyOf) for (const { item } of batch) busyKeys.delete(options.keyOf(item));
        if (gatherMs > 0) leaveTogether();
        else leave();
      });
    }
  };
  const gathering = createTimer();
  const leaveTogether = (): void => {
    if (running === inFlight || waiting.length === 0) return;
    if (waiting.length < enough) return gathering.start(() => leave(), gatherMs);
    gathering.stop();
    leave();
  };

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(new KistError('UNAVAILABLE', { retryAfterS: 5, internal: 'queue of a micro-batch full' }));
        return;
      }
      waiting.push({ item, resolve, reject });
      if (leavesAtOnce) leave();
      else leaveTogether();
    });
}

/** One at a time; of no time it is the end of this turn of the loop. */
function createTimer() {
  let isSet = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    start(run: () => void, afterMs: number): void {
      if (isSet) return;
      isSet = true;
      const go = (): void => {
        isSet = false;
        run();
      };
      if (afterMs > 0) timer = setTimeout(go, afterMs);
      else setImmediate(go);
    },
    stop(): void {
      isSet = false;
      clearTimeout(timer);
    },
  };
}

/** The first that may leave now, their keys marked as busy. */
function nextBatch<In, Out>(
  waiting: Waiting<In, Out>[],
  busyKeys: Set<string>,
  { maxItems = MOST_ITEMS, keyOf }: MicroBatchOptions<In>,
): Record<'batch' | 'left', Waiting<In, Out>[]> {
  if (!keyOf) return { batch: waiting.slice(0, maxItems), left: waiting.slice(maxItems) };
  const batch: Waiting<In, Out>[] = [];
  const held: Waiting<In, Out>[] = [];
  let next = 0;
  for (; next < waiting.length && batch.length < maxItems; next += 1) {
    const entry = waiting[next]!;
    const key = keyOf(entry.item);
    if (busyKeys.has(key)) held.push(entry);
    else {
      busyKeys.add(key);
      batch.push(entry);
    }
  }
  return { batch, left: held.concat(waiting.slice(next)) };
}

async function settle<In, Out>(
  run: (items: In[]) => Promise<readonly Out[]>,
  batch: readonly Waiting<In, Out>[],
  retriesAlone: boolean,
): Promise<void> {
  try {
    const answers = await run(batch.map(({ item }) => item));
    if (answers.length !== batch.length)
      throw new Error(`micro-batch: ${answers.length} results for ${batch.length} items`);
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Out);
  } catch (error) {
    if (retriesAlone && batch.length > 1) for (const entry of batch) await settle(run, [entry], false);
    else for (const { reject } of batch) reject(error);
  }
}
