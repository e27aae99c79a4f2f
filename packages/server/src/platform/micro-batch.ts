/**
 * Joins calls that arrive while a statement runs into the next statement: no added wait when idle, one round trip for many
 * callers when busy. Results come back by position.
 * @param run answers all items, in order; when it rejects, all its callers are rejected
 * @param options.inFlight statements at one time; 2 keep the database busy while the first one's replies are handled
 */
export function microBatch<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  { maxItems = 256, inFlight = 2 }: { maxItems?: number; inFlight?: number } = {},
): (item: In) => Promise<Out> {
  const waiting: { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }[] = [];
  let running = 0;
  let isScheduled = false;

  async function drain(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      try {
        const results = await run(batch.map(({ item }) => item));
        if (results.length !== batch.length)
          throw new Error(`micro-batch: ${results.length} results for ${batch.length} items`);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running -= 1;
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isScheduled || running >= inFlight) return;
      isScheduled = true;
      // Requests of one read of the sockets arrive in one turn of the loop: they share the statement.
      setImmediate(() => {
        isScheduled = false;
        if (running < inFlight && waiting.length > 0) void drain();
      });
    });
}
